import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { ranNothing } from '../../tests-run.ts'
import { fixture } from '../../testing/fixture.ts'

const read = (text: string, exitCode = 1, command = 'cargo nextest run') =>
  digestText(text, { command, type: 'test' }, exitCode)
const names = (text: string) => read(text).tests[0]?.units.map(([name]) => name)

describe('cargo nextest', () => {
  test("names its tests, and the harness's output of a failed one is not another runner", () => {
    const digest = read(fixture('cargo-nextest/failures'))
    expect(digest).toMatchObject({ tool: 'cargo-nextest', failures: 2, collected: 5 })
    expect(digest.tests).toMatchObject([
      { tool: 'cargo-nextest', ran: 5, passed: 3, failed: ['shop tests::totals', 'shop::api overflows'] },
    ])
    expect(names(fixture('cargo-nextest/failures'))).toEqual([
      'shop tests::adds',
      'shop tests::totals',
      'shop::api lists',
      'shop::api overflows',
      'shop::api stores',
    ])
    expect(digest.digest).toContain('panicked at src/lib.rs:14:9:')
    expect(digest.digest).toContain('has overflowed its stack')
    expect(digest.digest).not.toContain('test result')
  })

  test('counts a retried test by its last try, and says that it stopped', () => {
    const digest = read(fixture('cargo-nextest/indented'))
    expect(digest.tests).toMatchObject([
      { tool: 'cargo-nextest', ran: 3, passed: 2, stopped: true, failures: 1, failed: ['shop tests::totals'] },
    ])
    expect(names(fixture('cargo-nextest/indented'))).toEqual([
      'shop tests::adds',
      'shop tests::flaky',
      'shop tests::totals',
    ])
  })

  test('passes, and its doctests are counted beside it', () => {
    expect(read(fixture('cargo-nextest/passing'), 0)).toMatchObject({ passed: true, tests: [{ ran: 2, passed: 2 }] })
    const docs =
      '   Doc-tests shop\n\nrunning 1 test\ntest src/lib.rs - adds (line 3) ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s\n\n'
    for (const first of ['passing', 'failures']) {
      const both = read(fixture(`cargo-nextest/${first}`) + docs, 1, 'cargo nextest run; cargo test --doc')
      expect(both.tests.find(({ tool }) => tool === 'cargo-test')).toMatchObject({ ran: 1, passed: 1, failures: 0 })
    }
  })

  test('that found no test has run none', () => {
    const { tests } = read(
      '    Starting 0 tests across 1 binary (3 tests skipped)\n────────────\n     Summary [   0.000s] 0 tests run: 0 passed, 3 skipped\nerror: no tests to run\n',
      4,
    )
    expect(tests).toMatchObject([{ tool: 'cargo-nextest', ran: 0, passed: 0 }])
    expect(ranNothing(tests)).toBe(true)
  })

  test('that never came to its summary has failed, whatever its exit code', () => {
    const cut = fixture('cargo-nextest/passing').replace(/ {5}Summary.*/, '')
    expect(read(cut, 0)).toMatchObject({ failures: 1, tests: [{ ran: 2, passed: 2, stopped: true }] })
  })
})
