import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { pytest } from './pytest.ts'
import { fixture } from '../../testing/fixture.ts'
import { scanFixture, scanText } from '../../testing/scan-fixture.ts'

const report = (name: string) => scanFixture(pytest, `pytest/${name}`)
const titles = (name: string) => report(name)?.findings.map(({ title }) => title) ?? []
const detail = (name: string, title: string) =>
  report(name)?.findings.find((finding) => finding.title.endsWith(title))?.detail

const failing = [
  'tests/test_cart.py::test_total_counts_each_item',
  'tests/test_cart.py::test_first_of_an_empty_cart',
  'tests/test_cart.py::test_price_is_checked[-1-True]',
  'tests/test_cart.py::test_price_is_checked[0-False]',
  'tests/test_cart.py::TestReceipt::test_lines',
  'tests/test_cart.py::TestReceipt::test_text',
  'tests/test_cart.py::test_saved',
]

describe('pytest', () => {
  test.each(['failures', 'failures-colour', 'short-tracebacks', 'line-tracebacks', 'verbose'])(
    'names the tests that failed and the one whose fixture broke: %s',
    (name) => {
      expect(report(name)).toMatchObject({ failures: 7, summary: '7 tests failed', collected: 11 })
      expect(titles(name)).toEqual(failing)
    },
  )

  test('names the same tests when they run on several workers, in another order', () => {
    expect(report('parallel')).toMatchObject({ failures: 7, collected: 11 })
    expect(titles('parallel').toSorted()).toEqual(failing.toSorted())
  })

  test("explains a failed test with its assertion's values and place", () => {
    expect(detail('failures', '::test_text')).toBe(
      [
        "AssertionError: assert 'pen x 3\\nink x 1' == 'pen x 3\\nink x 1\\n'",
        '    pen x 3',
        '  - ink x 1',
        '  ?        -',
        '  + ink x 1',
        'at tests/test_cart.py:43',
      ].join('\n'),
    )
    expect(detail('failures', '[0-False]')).toBe('Failed: DID NOT RAISE ValueError\nat tests/test_cart.py:33')
    expect(detail('short-tracebacks', '[-1-True]')).toBe(
      'ValueError: price must not be negative: -1\nat shop/cart.py:7',
    )
    expect(detail('failures', '::test_saved')).toBe(
      'ConnectionError: no database at localhost:5432\nat tests/test_cart.py:16',
    )
  })

  test('uses the message of the summary if there are no tracebacks', () => {
    expect(report('no-traceback')).toMatchObject({ failures: 63, collected: 66 })
    expect(detail('no-traceback', '::test_square[1]')).toBe('assert (1 * 1) == (1 + 1)')
  })

  test('uses the tracebacks if there is no summary', () => {
    expect(report('no-summary')).toMatchObject({ failures: 7, collected: 11 })
    expect(titles('no-summary')).toContain('TestReceipt.test_lines')
  })

  test('reports subtests, timeouts and old-style tests like the others', () => {
    expect(report('many')).toMatchObject({ failures: 63, collected: 66 })
    expect(titles('many')).toHaveLength(63)
    expect(detail('many', '::test_hangs')).toContain('Failed: Timeout (>1.0s) from pytest-timeout.')
    expect(detail('many', 'test_sub (n=1)')).toContain('AssertionError: 1 != 2')
    expect(detail('many', 'test_sub (n=3)')).toContain('AssertionError: 3 != 2')
    expect(detail('many', '::OldStyle::test_equal')).toContain('AssertionError')
  })

  test('counts modules that could not be collected', () => {
    expect(report('collection-errors')).toMatchObject({ failures: 2, collected: 1 })
    expect(titles('collection-errors')).toEqual(['tests/test_import.py', 'tests/test_syntax.py'])
    expect(detail('collection-errors', 'test_import.py')).toContain("ModuleNotFoundError: No module named 'shop'")
    expect(detail('collection-errors', 'test_syntax.py')).toContain('SyntaxError: invalid syntax')
  })

  test.each([
    [
      'conftest-error',
      'pytest could not start',
      "cannot load /workspace/conftest.py: ModuleNotFoundError: No module named 'nowhere'",
    ],
    ['usage-error', 'pytest could not start', 'file or directory not found: nowhere'],
    ['nothing-collected', 'no tests were run', '11 deselected in 1.06s'],
    ['died', 'pytest ended before its summary', 'last line: test_exit.py .'],
  ])('fails once if it could not do its work: %s', (name, summary, title) => {
    expect(report(name)).toMatchObject({ failures: 1, summary })
    expect(titles(name)).toEqual([title])
  })

  test('says how many tests it collected although it stopped at the first failure', () => {
    expect(report('stop-at-first')).toMatchObject({ failures: 1, collected: 11 })
  })

  test.each(['printing', 'printing-uncaptured'])("is not fooled by a test's output: %s", (name) => {
    expect(report(name)).toMatchObject({ failures: 1, collected: 1 })
    expect(titles(name)).toEqual(['test_many.py::test_prints'])
    expect(detail(name, 'test_prints')).toBe(
      'AssertionError: really failed - not printed\nassert 1 == 2\nat test_many.py:30',
    )
  })

  test.each([
    ['passing', '1 passed, 10 deselected'],
    ['passing-warnings', '1 passed, 1 warning'],
    ['passing-quiet', '1 passed, 1 warning'],
  ])('is short when all passed: %s', (name, summary) => {
    expect(report(name)).toMatchObject({ failures: 0, summary, findings: [], collected: 1 })
  })

  test.each(['pretty', 'pretty-verbose'])(
    'reads the counts that pytest-pretty prints in place of a sum: %s',
    (name) => {
      const units =
        name === 'pretty'
          ? [
              ['tests/test_a.py', 6],
              ['tests/test_b.py', 2],
            ]
          : expect.arrayContaining([['tests/test_a.py::test_two', 1]])
      expect(report(name)).toMatchObject({
        failures: 3,
        summary: '3 tests failed',
        collected: 11,
        tests: { ran: 8, passed: 6, units },
      })
      expect(titles(name)).toEqual(['test_fix', 'test_two', 'TestK.test_p[2]'])
      expect(detail(name, 'test_p[2]')).toBe('assert 2 != 2\nat tests/test_a.py:15')
      expect(digestText(fixture(`pytest/${name}`), {}, 1)).toMatchObject({ tool: 'pytest', failures: 3 })
    },
  )

  test.each(['pretty-passing', 'sugar-passing-terminal'])('is short if such a session passes: %s', (name) => {
    expect(digestText(fixture(`pytest/${name}`), {}, 0)).toMatchObject({
      tool: 'pytest',
      passed: true,
      summary: '2 passed',
      tests: [{ ran: 2, passed: 2 }],
    })
  })

  test('reads the counts of pytest-sugar, which names failed tests between them', () => {
    expect(report('sugar-terminal')).toMatchObject({ failures: 3, tests: { ran: 8, passed: 6 } })
    expect(titles('sugar-terminal')).toEqual([
      'tests/test_a.py::test_two',
      'tests/test_a.py::test_fix',
      'tests/test_a.py::TestK::test_p[2]',
    ])
  })

  test('takes counts from the lines right below their head alone, and the last ones of a session', () => {
    const session = (...lines: string[]) =>
      ['= test session starts =', 'collected 2 items', '', 'tests/a.py ..', ...lines, ''].join('\n')
    const own = ['Results (0.04s):', '         2 passed']
    expect(
      scanText(pytest, session('Results (0.1s):', '   9 failed', 'Results (0.10s):', 'nine:', '   9 failed', ...own)),
    ).toMatchObject({ failures: 0, tests: { ran: 2 } })
    expect(scanText(pytest, session('Results (0.10s):', '         9 failed', ...own))).toMatchObject({
      failures: 0,
      tests: { ran: 2 },
    })
    expect(
      scanText(pytest, 'Results (0.02s):\n        no tests ran\nERROR: file or directory not found: nowhere\n'),
    ).toMatchObject({ summary: 'pytest could not start' })
    expect(scanText(pytest, 'Results (0.02s):\n        no tests ran\n')).toMatchObject({
      failures: 1,
      summary: 'no tests were run',
    })
  })

  test('knows a file that could not be collected by its traceback, if the session lists none', () => {
    const lines = [
      '= test session starts =',
      'collected 2 items / 1 error',
      '',
      '= ERRORS =',
      '____ ERROR collecting tests/test_z.py ____',
      "E   ModuleNotFoundError: No module named 'nowhere'",
      'Results (0.24s):',
      '         1 error',
      '',
    ]
    expect(scanText(pytest, lines.join('\n'))).toMatchObject({
      failures: 1,
      tests: { passed: 0, unrun: ['tests/test_z.py'] },
    })
  })

  test('ignores an output that is not its own', () => {
    expect(scanText(pytest, 'FAILED tests/a.py::b - c\nE   x\n')).toBeNull()
  })

  test('makes a digest that begins with the count and the first names', () => {
    const { tool, passed, digest } = digestText(fixture('pytest/failures'))
    expect({ tool, passed }).toEqual({ tool: 'pytest', passed: false })
    expect(digest.split('\n').slice(0, 3)).toEqual(['[TEST] 7 tests failed', failing[0], '  assert 9 == 13'])
    expect(digest).toContain('(+ 2 more test failures)')
  })
})

describe('one session after another', () => {
  test('of pytest-pretty counts as well', () => {
    expect(told('pretty-passing', 'pretty-passing')).toMatchObject({ ran: 4, passed: 4 })
    expect(told('pretty', 'pretty')).toMatchObject({ ran: 16, passed: 12 })
  })

  const run = (name: string) => `${fixture(`pytest/${name}`).trimEnd()}\n`
  const told = (...names: string[]) => digestText(names.map(run).join('')).tests[0]

  test('each counts, loud or quiet', () => {
    const [loud, quiet] = [told('passing'), told('passing-quiet')]
    expect(told('passing', 'passing')).toMatchObject({ ran: 2 * (loud?.ran ?? 0), passed: 2 * (loud?.passed ?? 0) })
    expect(told('passing-quiet', 'passing-quiet')).toMatchObject({ ran: 2 * (quiet?.ran ?? 0) })
  })

  test('keeps the failures of the first when the second passes', () => {
    expect(digestText(`${run('failures')}${run('passing')}`)).toMatchObject({
      passed: false,
      failures: digestText(run('failures')).failures,
    })
  })

  test('is not credited with the dots of another runner after it', () => {
    const unittest = `....\n${'-'.repeat(70)}\nRan 4 tests in 0.000s\n\nOK\n`
    const [first, second] = digestText(`${run('passing')}${unittest}`).tests
    expect(first).toEqual(told('passing'))
    expect(second).toMatchObject({ tool: 'unittest', ran: 4 })
  })

  test('is not its own if a test starts and prints it', () => {
    const [head = '', ...rest] = run('passing').split(/(?<=^collected .*\n)/m)
    const nested = `${head}${run('passing')}${run('passing')}${rest.join('')}`
    expect(digestText(nested)).toMatchObject({ passed: true, failures: 0 })
    expect(digestText(nested).tests).toMatchObject([{ ran: told('passing')?.ran }])
  })
})
