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

describe('a digest beside failures that are there anyway', () => {
  test('is about the others alone', () => {
    const digest = read(goTests({ TestOld: 'got 1, want 2', TestNew: 'got nothing', TestLocale: 'got de' }), base)
    expect(digest).toMatchObject({ failures: 1, known: { left: 2, only: false } })
    expect(digest.digest).toContain('TestNew')
    expect(digest.digest).not.toMatch(/TestOld|TestLocale/)
    expect(digest.summary).toContain('1 failed beside 2 that fail on the base too')
    expect(digest.findings).toHaveLength(1)
  })

  test('says when there are no others, also where a test fails with another value', () => {
    const digest = read(goTests({ TestOld: 'got nothing at all' }), base)
    expect(digest.known).toEqual({ left: 1, only: true })
    expect(digest.failures).toBe(1)
  })

  test('is as ever where nothing of them has failed', () => {
    const output = goTests({ TestNew: 'got nothing' })
    expect(read(output, base)).toEqual(read(output))
  })

  test('knows a test by its own name, and none that differs by a number', () => {
    const known = read(goTests({ TestV1: 'no', 'TestSum/1_and_2': 'no' }))
    expect(read(goTests({ TestV1: 'not so', 'TestSum/1_and_2': 'no' }), known).known?.only).toBe(true)
    expect(read(goTests({ TestV2: 'no' }), known).known).toBeUndefined()
    expect(read(goTests({ TestV1: 'no', 'TestSum/3_and_4': 'no' }), known).known).toEqual({ left: 1, only: false })
    // Numbers that each run makes anew are no part of a name, and of an older proof none is known.
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

  test('counts those that a digest does not keep', () => {
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

  test('tells tests of one name apart by their folders, and follows a file that was moved', () => {
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
    const older = { ...known, tests: known.tests.map((one) => ({ tool: one.tool, failed: one.failed ?? [] })) }
    expect(vitest(run(['b/index.test.ts'], ['a/index.test.ts']), older).known?.only).toBe(true)
  })
})
