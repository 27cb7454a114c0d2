import { describe, expect, test } from 'vitest'
import { digestText } from './digest-reader.ts'
import type { KnownFailures } from './known-failures.ts'

const goTests = (failing: Record<string, string>): string =>
  `${Object.entries(failing)
    .map(([name, said]) => `--- FAIL: ${name} (0.00s)\n    cart_test.go:12: ${said}\n`)
    .join('')}FAIL\nFAIL\texample.org/cart\t0.004s\nFAIL\n`
const command = 'go test ./...'
const read = (output: string, known?: KnownFailures) =>
  digestText(output, { command, type: 'test', ...(known && { known }) }, 1)
const base = read(goTests({ TestOld: 'got 1, want 2', TestLocale: 'got de' }))

describe('a digest beside known failures', () => {
  test('is about the others alone', () => {
    const digest = read(goTests({ TestOld: 'got 1, want 2', TestNew: 'got nothing', TestLocale: 'got de' }), base)
    expect(digest).toMatchObject({ failures: 1, known: { left: 2, only: false } })
    expect(digest.digest).toContain('TestNew')
    expect(digest.digest).not.toMatch(/TestOld|TestLocale/)
    expect(digest.summary).toContain('1 failed beside 2 that fail on the base too')
    expect(digest.findings).toHaveLength(1)
  })

  test('says when there are no others, even if a test fails with another value', () => {
    const digest = read(goTests({ TestOld: 'got nothing at all' }), base)
    expect(digest.known).toEqual({ left: 1, only: true })
    expect(digest.failures).toBe(1)
  })

  test('is as usual if none of them has failed', () => {
    const output = goTests({ TestNew: 'got nothing' })
    expect(read(output, base)).toEqual(read(output))
  })

  test('knows a test by its own name, and none that differs by a number', () => {
    const known = read(goTests({ TestV1: 'no', 'TestSum/1_and_2': 'no' }))
    expect(read(goTests({ TestV1: 'not so', 'TestSum/1_and_2': 'no' }), known).known?.only).toBe(true)
    expect(read(goTests({ TestV2: 'no' }), known).known).toBeUndefined()
    expect(read(goTests({ TestV1: 'no', 'TestSum/3_and_4': 'no' }), known).known).toEqual({ left: 1, only: false })
    // Numbers that differ in each run are not part of a name; an older proof has no names at all.
    const port = read(goTests({ 'TestPort/41873': 'no' }))
    expect(read(goTests({ 'TestPort/50212': 'no' }), port).known?.only).toBe(true)
    expect(read(goTests({ TestV2: 'no' }), { ...known, tests: [] }).known?.only).toBe(true)
  })

  test('counts findings of one title as often as they occur', () => {
    const error = `src/a.ts(3,5): error TS2322: Type 'a' is not assignable to type 'b'.\n`
    const known = digestText(error, { command: 'tsc' }, 2)
    const digest = digestText(error.repeat(3), { command: 'tsc', known }, 2)
    expect(digest).toMatchObject({ failures: 2, known: { left: 1, only: false } })
  })

  test('counts failures that a digest does not keep', () => {
    const many = (count: number) =>
      goTests(
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => [
            `TestOf${'x'.repeat(at % 250)}${String.fromCharCode(97 + (at % 26))}`,
            'no',
          ]),
        ),
      )
    const known = read(many(250))
    expect(known.findings.length).toBeLessThan(known.failures ?? 0)
    expect(read(many(250), known).known?.only).toBe(true)
  })

  test('tells tests of one name apart by their folders, and follows a moved file', () => {
    const run = (failing: readonly string[], passing: readonly string[]) =>
      `${failing.map((file) => ` ❯ ${file} (1 test | 1 failed) 2ms\n   × works 2ms\n`).join('')}${passing
        .map((file) => ` ✓ ${file} (1 test) 2ms\n`)
        .join('')}
⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${failing.length} ⎯⎯⎯⎯⎯⎯⎯

${failing.map((file) => ` FAIL  ${file} > works\nAssertionError: expected 2 to be 3\n ❯ ${file}:5:42\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n`).join('')}
 Test Files  ${failing.length} failed | ${passing.length} passed (${failing.length + passing.length})
      Tests  ${failing.length} failed | ${passing.length} passed (${failing.length + passing.length})
`
    const vitest = (text: string, known?: KnownFailures) =>
      digestText(text, { command: 'vitest run', type: 'test', ...(known && { known }) }, 1)
    const known = vitest(run(['a/index.test.ts'], ['b/index.test.ts']))
    expect(known.tests).toMatchObject([{ tool: 'vitest', places: ['a/index.test.ts > works'] }])
    expect(vitest(run(['a/index.test.ts'], ['b/index.test.ts']), known).known?.only).toBe(true)
    expect(vitest(run(['b/index.test.ts'], ['a/index.test.ts']), known).known).toBeUndefined()
    expect(vitest(run(['b/index.test.ts'], []), known).known).toBeUndefined()
    expect(vitest(run(['c/index.test.ts'], ['b/index.test.ts']), known).known?.only).toBe(true)
    const root = vitest(run(['index.test.ts'], ['b/index.test.ts']))
    expect(vitest(run(['b/index.test.ts'], ['index.test.ts']), root).known).toBeUndefined()
    // An older proof has no folders.
    const older = {
      ...known,
      tests: known.tests.map(({ tool, failures, failed = [] }) => ({ tool, failures, failed })),
    }
    expect(vitest(run(['b/index.test.ts'], ['a/index.test.ts']), older).known?.only).toBe(true)
  })
})

/** The output of a runner whose tests all fail. */
const runners: Record<string, { command: string; output: (names: readonly string[]) => string }> = {
  'go-test': { command, output: (names) => goTests(Object.fromEntries(names.map((name) => [`Test${name}`, 'no']))) },
  pytest: {
    command: 'pytest',
    output: (names) =>
      `===== test session starts =====\ncollected ${names.length} items\n\n===== short test summary info =====\n${names
        .map((name) => `FAILED tests/test_shop.py::test_${name} - assert 1 == 2\n`)
        .join('')}===== ${names.length} failed in 1.00s =====\n`,
  },
  unittest: {
    command: 'python -m unittest',
    output: (names) =>
      `${names
        .map((name) => `${'='.repeat(70)}\nFAIL: test_${name} (tests.Shop.test_${name})\n${'-'.repeat(70)}\nno\n\n`)
        .join('')}${'-'.repeat(70)}\nRan ${names.length} tests in 0.1s\n\nFAILED (failures=${names.length})\n`,
  },
  vitest: {
    command: 'vitest run',
    output: (names) =>
      ` RUN  v4.0.0 /workspace\n\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${names.length} ⎯⎯⎯⎯⎯⎯⎯\n\n${names
        .map((name) => ` FAIL  src/shop.test.ts > ${name}\nAssertionError: no\n⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n`)
        .join('')} Test Files  1 failed (1)\n      Tests  ${names.length} failed (${names.length})\n`,
  },
  jest: {
    command: 'jest',
    output: (names) =>
      `FAIL src/shop.test.js\n${names
        .map((name) => `  ● ${name}\n\n    expected 1\n\n`)
        .join(
          '',
        )}Test Suites: 1 failed, 1 total\nTests:       ${names.length} failed, ${names.length} total\nTime:        1 s\n`,
  },
  mocha: {
    command: 'mocha',
    output: (names) =>
      `\n  0 passing (1ms)\n  ${names.length} failing\n\n${names
        .map((name, at) => `  ${at + 1}) ${name}:\n     Error: no\n      at shop.test.js:3:1\n\n`)
        .join('')}`,
  },
  'node-test': {
    command: 'node --test',
    output: (names) =>
      `TAP version 13\n${names
        .map((name, at) => `# Subtest: ${name}\nnot ok ${at + 1} - ${name}\n  ---\n  error: 'no'\n  ...\n`)
        .join('')}1..${names.length}\n# tests ${names.length}\n# pass 0\n# fail ${names.length}\n# cancelled 0\n`,
  },
  'cargo-test': {
    command: 'cargo test',
    output: (names) =>
      `\nrunning ${names.length} tests\n${names.map((name) => `test ${name} ... FAILED\n`).join('')}\nfailures:\n\nfailures:\n${names
        .map((name) => `    ${name}\n`)
        .join('')}\ntest result: FAILED. 0 passed; ${names.length} failed; 0 ignored; 0 measured; 0 filtered out\n`,
  },
  maven: {
    command: 'mvn -q test',
    output: (names) =>
      `${names
        .map((name) => `[ERROR] shop.CartTest.${name} -- Time elapsed: 0.01 s <<< FAILURE!\nno\n\n`)
        .join(
          '',
        )}[INFO] Results:\n[ERROR] Tests run: ${names.length}, Failures: ${names.length}, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n`,
  },
  googletest: {
    command: './shop_test',
    output: (names) =>
      `[==========] Running ${names.length} tests from 1 test suite.\n${names
        .map((name) => `[ RUN      ] Shop.${name}\nshop_test.cc:3: Failure\nno\n[  FAILED  ] Shop.${name} (0 ms)\n`)
        .join('')}[==========] ${names.length} tests from 1 test suite ran. (1 ms total)\n`,
  },
  'dotnet-test': {
    command: 'dotnet test',
    output: (names) =>
      `${names
        .map((name) => `  Failed Shop.${name} [1 ms]\n  Error Message:\n   no\n`)
        .join(
          '',
        )}\nFailed!  - Failed: ${names.length}, Passed: 0, Skipped: 0, Total: ${names.length}, Duration: 1 s - shop.dll (net8.0)\n`,
  },
}

/** "aaa", "baa", …: the names differ by letters, because digests may drop numbers. */
const nameOf = (at: number): string =>
  Array.from({ length: 3 }, (_, digit) => String.fromCharCode(97 + (Math.floor(at / 26 ** digit) % 26))).join('')

describe.each(Object.entries(runners))(
  'a digest of %s, with hundreds of failures on the base',
  (tool, { command: line, output }) => {
    const names = Array.from({ length: 700 }, (_, at) => nameOf(at))
    const run = (failing: readonly string[], known?: KnownFailures) =>
      digestText(output(failing), { command: line, type: 'test', ...(known && { known }) }, 1)
    const before = run(names)

    test('knows each failure by its name, in any order', () => {
      expect(before).toMatchObject({ tool, failures: 700 })
      expect(run(names.toReversed(), before).known).toEqual({ left: 700, only: true })
      expect(run(names.slice(300), before).known).toEqual({ left: 400, only: true })
    })

    test('shows a new one, though one of them passes now', () => {
      const digest = run([...names.slice(1), 'zzz'], before)
      expect(digest).toMatchObject({ failures: 1, known: { left: 699, only: false } })
      expect(digest.digest).toContain('zzz')
      expect(run([...names.slice(0, 500), 'zzz', ...names.slice(501)], before).known?.only).toBe(false)
    })

    test('counts the failures beyond an older proof, which names only the first ones', () => {
      const older = {
        ...before,
        tests: before.tests.map((one) => ({
          ...one,
          failed: one.failed?.slice(0, 200) ?? [],
          places: one.places?.slice(0, 200) ?? [],
        })),
      }
      expect(run(names, older).known?.only).toBe(true)
      expect(run([...names, 'zzz'], older).known).toEqual({ left: 700, only: false })
    })
  },
)

test('too many failures to be named are counted', () => {
  const { output } = runners['vitest'] ?? { output: () => '' }
  const names = Array.from({ length: 6000 }, (_, at) => nameOf(at))
  const run = (failing: readonly string[], known?: KnownFailures) =>
    digestText(output(failing), { command: 'vitest run', type: 'test', ...(known && { known }) }, 1)
  const before = run(names)
  expect(before.tests[0]?.failed).toHaveLength(200)
  expect(run(names, before).known?.only).toBe(true)
})
