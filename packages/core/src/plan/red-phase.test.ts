import { describe, expect, test } from 'vitest'
import { digestText } from '../digest/digest-reader.ts'
import type { Verification } from '../records/verification.ts'
import { nineSubtasks, planOf, subtaskOf } from './plan-kit.ts'
import { subtasksByPhase } from './plan-warnings.ts'
import { rowsOfPhase, testsOfPhase } from './red-phase.ts'

const row = (some: Partial<Verification>): Verification =>
  ({
    type: 'test',
    passed: false,
    exitCode: 1,
    failures: null,
    collected: null,
    findings: [],
    summary: 's',
    digest: 'd',
    ...some,
  }) as unknown as Verification
const UNITTEST = `E
${'='.repeat(70)}
ERROR: tests.test_cart2 (unittest.loader._FailedTest.tests.test_cart2)
${'-'.repeat(70)}
ImportError: Failed to import test module: tests.test_cart2
Traceback (most recent call last):
  File "/tmp/x/tests/test_cart2.py", line 2, in <module>
    from cart import total
ModuleNotFoundError: No module named 'cart'


${'-'.repeat(70)}
Ran 1 test in 0.000s

FAILED (errors=1)
`
const GO = `# example.com/shop [example.com/shop.test]
./cart_test.go:6:5: undefined: Total
FAIL\texample.com/shop [build failed]
FAIL
`
const CARGO = `error[E0425]: cannot find function \`total\` in this scope
 --> tests/cart.rs:3:5

error: could not compile \`shop\` (test "cart") due to 1 previous error
`
const MOCHA = `
Error: Cannot find module './cart'
Require stack:
- /w/test/cart2.test.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
`
const MINITEST = `/w/test/cart2_test.rb:2:in \`require_relative': cannot load such file -- /w/lib/cart (LoadError)
\tfrom /w/test/cart2_test.rb:2:in \`<main>'
`
const DENO = `error: Module not found "file:///w/cart.ts".
    at file:///w/cart2_test.ts:1:23
`
const PYTHON = `Traceback (most recent call last):
  File "/w/tests/test_cart2.py", line 2, in <module>
    from cart import total
ModuleNotFoundError: No module named 'cart'
`
const DOTNET = `/w/tests/Cart2Tests.cs(7,17): error CS0246: The type or namespace name 'Cart' could not be found [/w/tests/tests.csproj]
`
const fail = { have: 'fail' } as const

test('tests fail in a phase that only writes them, for a later part; otherwise they pass', () => {
  const phases = subtasksByPhase(planOf(nineSubtasks))
  expect(phases.map((_, at) => testsOfPhase(phases, at + 1).have)).toEqual(['fail', 'pass', 'fail', 'pass', 'pass'])
})

test('in a phase beside or between, all tests pass except those still to be implemented', () => {
  const phases = subtasksByPhase(
    planOf([
      subtaskOf('1a'),
      subtaskOf('1b'),
      subtaskOf('2a', { type: 'impl', dependsOn: ['1a'] }),
      subtaskOf('2b', { dependsOn: ['1a'] }),
      subtaskOf('3', { type: 'impl', dependsOn: ['1b', '2a', '2b'] }),
    ]),
  )
  expect(testsOfPhase(phases, 1)).toEqual({ have: 'fail' })
  expect(testsOfPhase(phases, 2)).toMatchObject({ have: 'pass_but', of: [{ id: '1b' }, { id: '2b' }] })
  expect(testsOfPhase(phases, 3)).toEqual({ have: 'pass' })
})

describe('a phase that only writes tests', () => {
  test('has tests that fail by their assertions; everything else passes', () => {
    expect(
      rowsOfPhase([row({ type: 'build', passed: true, exitCode: 0 }), row({ failures: 2, collected: 5 })], fail),
    ).toMatchObject([
      { passed: true },
      { passed: true, digest: '', summary: 'fails before it is implemented, as it should: s' },
    ])
    expect(rowsOfPhase([row({ type: 'lint' }), row({})], fail)).toMatchObject([{ passed: false }, { passed: true }])
  })

  test.each([
    ['cannot be collected', { collected: 0, failures: 1 }],
    ['crash without a failed test', { collected: 3, failures: 0 }],
    ['cannot be imported', { collected: 3, failures: 1, findings: ['vitest: cart.test.ts | Error: no cart.ts'] }],
    [
      'cannot be imported from a file with a digit in its name',
      { collected: 3, failures: 1, findings: ['vitest: cart#.test.ts | Error: no cart.ts'] },
    ],
    ['are not found', { exitCode: 127 }],
    ['are killed', { exitCode: 137 }],
    ['do not end', { exitCode: null }],
  ])('does not pass with tests that %s', (_, some) => {
    expect(rowsOfPhase([row(some)], fail)).toMatchObject([
      { passed: false, digest: expect.stringContaining('have to be collected') },
    ])
  })

  test.each([
    ['unittest', 'tests.test_cart2', UNITTEST],
    ['go build', 'example.com/shop', GO],
    ['cargo', 'cart.rs', CARGO],
    ['Mocha', 'Cannot find module', MOCHA],
    ['Minitest', 'LoadError', MINITEST],
    ['Deno', 'Module not found', DENO],
    ['a file of Python', "No module named 'cart'", PYTHON],
    ['dotnet', "'Cart' could not be found", DOTNET],
  ])(
    'does not pass with tests that %s could not run, names them, and says how tests can fail by their assertions',
    (_, name, text) => {
      const read = digestText(text, { type: 'test' }, 1)
      const [only] = rowsOfPhase([row({ ...read, passed: false })], fail)
      expect(only).toMatchObject({ passed: false })
      expect(only?.digest).toMatch(/could not be run as tests:\n- /)
      expect(only?.digest).toContain(name)
      expect(only?.digest).toContain('as little of it as lets them run and fail')
    },
  )

  test('passes if a program without a runner says what it expected', () => {
    const text = 'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n'
    expect(rowsOfPhase([row({ ...digestText(text, { type: 'test' }, 1), passed: false })], fail)).toMatchObject([
      { passed: true },
    ])
  })

  test('does not pass with tests that pass already', () => {
    const [only] = rowsOfPhase([row({ passed: true, exitCode: 0 })], fail)
    expect(only).toMatchObject({ passed: false, digest: expect.stringContaining('they prove nothing') })
  })

  test('does not pass if a test fails that passed before, and names it', () => {
    const [only] = rowsOfPhase([row({ failures: 2, collected: 5 })], fail, ['adds'])
    expect(only).toMatchObject({ passed: false, digest: expect.stringMatching(/passed before this phase[^]*- adds/) })
  })
})

test('if only some tests may fail, others are named, and no failure is fine', () => {
  const but = { have: 'pass_but', of: [] } as const
  expect(rowsOfPhase([row({ failures: 1 })], { ...but, of: [] }, [])).toMatchObject([{ passed: true }])
  expect(rowsOfPhase([row({ failures: 1 })], { ...but, of: [] }, ['adds'])).toMatchObject([{ passed: false }])
  expect(rowsOfPhase([row({ passed: true })], { ...but, of: [] })).toMatchObject([{ passed: true, summary: 's' }])
})

test('the subtask that makes a test pass is found once for each subtask, however many ways lead there', () => {
  const layers = Array.from({ length: 60 }, (_, layer) =>
    ['a', 'b', 'c'].map((name) =>
      subtaskOf(`${layer}${name}`, {
        type: layer === 59 ? 'impl' : 'test',
        dependsOn: layer === 0 ? [] : ['a', 'b', 'c'].map((other) => `${layer - 1}${other}`),
      }),
    ),
  )
  expect(testsOfPhase(layers, 1)).toEqual({ have: 'fail' })
})
