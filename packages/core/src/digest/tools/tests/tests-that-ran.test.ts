import { expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

test.each([
  ['ctest/failures', 3, 1, ['cart.total', 'crash', 'good']],
  ['meson/failures', 5, 3, ['x / fails as it should', 'x / one', 'x / red', 'x / slow', 'x:more / two of it']],
  ['automake/failures', 3, 2, ['red.sh', 't', 'u']],
  ['swift-test/failures', 5, 3, ['"two of it"', 'T.testOne', 'T.testTwo', 'oneIsOne()', 'total()']],
  ['zig-test/failures', 2, 1, []],
])('what was skipped did not run, and each that did is named where its tool does: %s', (name, ran, passed, names) => {
  const [tests] = digestText(fixture(name)).tests
  expect(tests).toMatchObject({ ran, passed })
  expect(tests?.units.map(([unit]) => unit)).toEqual(names)
})

test('a test of CTest whose program is missing did not run', () => {
  const text = fixture('ctest/output').replace('***Exception: SegFault', '***Not Run        ')
  const [tests] = digestText(text).tests
  expect(tests).toMatchObject({ ran: 2, unrun: ['crash'] })
})
