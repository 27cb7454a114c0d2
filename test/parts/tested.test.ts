import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/* The notes of `npm run test:all` on a commit. The scripts are plain JavaScript without types. */
type Part = { project: string; file: string }
type Row = Part & { suite: string; passed: number; failed: number; skipped: number; seconds: number }
type Rows = Map<string, Map<string, Row>>
type Counts = { passed: number; failed: number; skipped: number; missing: number; failures: object[] }
const { brokenOff, BETWEEN, countsOf, leftOf, pageOf, rowsIn, shardFrom } = (await import(
  join(import.meta.dirname, '..', '..', 'scripts', 'tested.mjs')
)) as {
  BETWEEN: Part
  brokenOff: (suite: string) => Row
  rowsIn: (text: string) => Rows
  leftOf: (rows: Map<string, Row> | undefined, parts: Part[]) => Part[]
  countsOf: (rows: Map<string, Row> | undefined, parts: Part[]) => Counts
  pageOf: (commit: string, day: string, results: (Counts & { name: string })[]) => string
  shardFrom: (text: string) => (parts: Part[]) => Part[]
}

const parts = ['a', 'b', 'c'].map((name) => ({ project: 'flow', file: `${name}.test.ts` }))
const [a, b, c] = parts as [Part, Part, Part]
const passed = { passed: 2, failed: 0, skipped: 0, seconds: 30, machine: 'x64, 2 cores, 4 GiB', at: '2026-01-05T09:00' }
const row = (part: Part, more: object = {}) => ({ suite: 'flow', ...part, ...passed, ...more })
const noted = (...rows: object[]) => rows.map((one) => `${JSON.stringify(one)}\n`).join('')
const flow = (text: string) => rowsIn(text).get('flow')
const pageWith = (text: string) =>
  pageOf('0123456789abcdef', '2026-01-05', [{ name: 'flow', ...countsOf(flow(text), parts) }])

beforeEach(() => vi.stubEnv('REQUIRE_ALL', ''))
afterEach(() => vi.unstubAllEnvs())

describe('a run that continues', () => {
  test('leaves out what has passed, and repeats what has failed or has not run', () => {
    expect(leftOf(flow(noted(row(a), row(b, { failed: 1 }))), parts)).toEqual([b, c])
    expect(leftOf(flow(''), parts)).toEqual(parts)
    expect(leftOf(flow(noted(row(a, { project: 'policy' }))), parts)).toEqual(parts)
  })

  test('knows only the newest run of a part', () => {
    expect(leftOf(flow(noted(row(a, { failed: 1 }), row(a), row(b), row(b, { failed: 1 }))), parts)).toEqual([b, c])
  })

  test('repeats the part whose row a kill cut in two', () => {
    const whole = noted(row(a), row(b))
    expect(leftOf(flow(whole.slice(0, -20)), parts)).toEqual([b, c])
  })

  test('repeats every part after an error outside of tests, until a run has none', () => {
    const broken = noted(row(a), row(b), row(c), row(BETWEEN, { passed: 0, failed: 1 }))
    expect(leftOf(flow(broken), parts)).toEqual(parts)
    expect(leftOf(flow(broken + noted(row(BETWEEN, { passed: 0 }))), parts)).toEqual([])
  })

  test('repeats what ran while tests could be skipped, if none may be', () => {
    vi.stubEnv('REQUIRE_ALL', '1')
    expect(leftOf(flow(noted(row(a, { requireAll: true }), row(b, { requireAll: false }))), parts)).toEqual([b, c])
  })
})

describe('an interrupted run', () => {
  test('is not whole', () => {
    const interrupted = noted(row(a), row(b))
    expect(countsOf(flow(interrupted), parts)).toMatchObject({ passed: 4, failed: 0, missing: 1 })
    expect(pageWith(interrupted)).toContain('| flow | 2 of 3 files | 4 | 0 | 0 | 1.0 |')
    expect(pageWith('')).toContain('| flow | not run | 0 |')
  })

  test('that broke off has failed, though none of its tests has', () => {
    const broken = noted(row(a), row(b), brokenOff('flow'))
    expect(countsOf(flow(broken), parts)).toMatchObject({ failed: 1 })
    expect(pageWith(broken)).toContain('it ended before its tests did')
    expect(pageWith(broken)).not.toContain('Nothing failed.')
    expect(leftOf(flow(broken), parts)).toEqual(parts)
  })
})

describe('the page', () => {
  test('has a row for each suite, and each failure in one line', () => {
    const failures = [{ test: 'a bead | waits', why: 'expected 1\nto be 2' }]
    const page = pageWith(noted(row(a), row(b, { failed: 1, failures }), row(c, { skipped: 1200 })))
    expect(page).toContain('Commit 0123456789ab of 2026-01-05.')
    expect(page).toContain('| flow | whole | 6 | 1 | 1,200 | 1.5 | x64, 2 cores, 4 GiB | 2026-01-05 09:00 |')
    expect(page).toContain('- flow, b.test.ts: a bead waits: expected 1 to be 2\n')
    expect(pageWith(noted(...parts.map((part) => row(part))))).toContain('Nothing failed.')
  })

  test('does not count a file that its suite no longer has', () => {
    const gone = row({ project: 'flow', file: 'gone.test.ts' }, { failed: 1 })
    expect(countsOf(flow(noted(row(a), gone)), parts)).toMatchObject({ passed: 2, failed: 0, missing: 2 })
  })
})

describe('shards', () => {
  test('together have each part once', () => {
    const all = ['1/2', '2/2'].map((text) => shardFrom(text)(parts))
    expect(all).toEqual([[a, c], [b]])
  })

  test.each(['0/2', '3/2', '2', 'x/y', '1/0'])('%s is none', (text) => {
    expect(() => shardFrom(text)).toThrow('as 2/3')
  })
})
