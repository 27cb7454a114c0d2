import { expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

const MINITEST = [
  ...['bad', 'err', 'prints', 'total'].map((name) => `CartTest#test_${name}`),
  'Shop#test_0001_opens the door',
]
const RSPEC = [
  ...['#total > is expected to be a kind of Cart', '#total > sums', '#total > takes tax', 'is last'].map(
    (name) => `Cart > ${name}`,
  ),
  'Cart > when empty > costs nothing',
  ...['is odd (really)', 'opens at 0', 'opens at 1'].map((name) => `Shop > ${name}`),
]
const PHPUNIT = ['testPrints', 'testSums["two"]', 'testSums[0]', 'testTax', 'testTotal'].map(
  (name) => `CartTest > ${name}`,
)

test.each([
  ['ctest/failures', 3, 1, ['cart.total', 'crash', 'good']],
  ['meson/failures', 5, 3, ['x / fails as it should', 'x / one', 'x / red', 'x / slow', 'x:more / two of it']],
  ['automake/failures', 3, 2, ['red.sh', 't', 'u']],
  ['swift-test/failures', 5, 3, ['"two of it"', 'T.testOne', 'T.testTwo', 'oneIsOne()', 'total()']],
  ['zig-test/failures', 2, 1, []],
  ['minitest/verbose', 5, 3, MINITEST],
  [
    'exunit/trace',
    4,
    3,
    ['Shop.add/2 (1)', 'adds', 'adds wrong', 'when empty costs nothing'].map((n) => `ShopTest > ${n}`),
  ],
  ['rspec/names', 8, 7, RSPEC],
  ['rspec/names-passing', 3, 3, RSPEC.slice(-3)],
  ['rspec/documentation', 3, 1, ['Cart > #total > prices', 'Cart > #total > sums', 'Cart > adds']],
  ['rspec/failures', 3, 1, []],
  ['phpunit/junit', 5, 4, PHPUNIT],
  ['ava/failures', 4, 1, ['adds', 'adds wrong', 'objects', 'throws']],
  ['bats/passing', 2, 2, ['adds nothing', 'adds two numbers']],
  ['bats/terminal', 3, 1, ['adds two numbers', 'fails on a wrong sum', 'needs a file']],
  ['bun-test/failures', 3, 1, ['adds', 'throws', 'totals'].map((name) => `a.test.ts > cart > ${name}`)],
  ['deno-test/failures', 2, 1, ['a_test.ts > adds', 'a_test.ts > totals']],
])('a skipped test did not run, and each that did is named if its tool names it: %s', (name, ran, passed, names) => {
  const [tests, ...more] = digestText(fixture(name), { command: name.startsWith('bats') ? 'bats .' : '' }).tests
  expect(more).toEqual([])
  expect(tests).toMatchObject({ ran, passed })
  expect(tests?.units.map(([unit]) => unit)).toEqual(names)
})

test('a test of CTest whose program is missing did not run', () => {
  const text = fixture('ctest/output').replace('***Exception: SegFault', '***Not Run        ')
  const [tests] = digestText(text).tests
  expect(tests).toMatchObject({ ran: 2, unrun: ['crash'] })
})

test("a name that RSpec lost behind a test's output affects neither the count nor other names", () => {
  const text = fixture('rspec/names').replace('    costs nothing', 'one moment    costs nothing')
  expect(digestText(text).tests).toMatchObject([{ ran: 8, units: [] }])
})

test('names are found however long the output before the counts is', () => {
  const names = Array.from({ length: 3000 }, (_, at) => `opens at ${String(at).padStart(60, '0')}`)
  const text = `\nShop\n${names.map((name) => `  ${name}\n`).join('')}\nFinished in 1 second\n3000 examples, 0 failures\n`
  const tests = digestText(text, { command: 'bundle exec rspec --format documentation' }).tests
  expect(tests[0]?.units).toHaveLength(3000)
})

test.each([
  ['doctest/durations', 0, ['adds numbers', 'takes away']],
  ['doctest/durations-failed', 1, ['adds numbers', 'takes away']],
  ['catch2/durations', 0, ['adds numbers', 'less', 'more', 'takes away']],
] as const)('a C++ program that prints how long its tests took names them (%s)', (name, failures, names) => {
  const { tests, failures: failed } = digestText(fixture(name), {}, failures)
  expect(failed).toBe(failures)
  expect(tests).toMatchObject([{ ran: 2, passed: 2 - failures, units: names.map((one) => [one, 1]) }])
})

test('PHPUnit that prints its results in two forms has run its tests once', () => {
  const digest = digestText(fixture('phpunit/junit'), {}, 1)
  expect(digest).toMatchObject({ tool: 'phpunit', failures: 1, collected: 6 })
  expect(digest.digest).not.toContain('(+ ')
})
