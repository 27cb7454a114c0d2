import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addResult, isVerdict, readResults, writeResults, type Result } from './results.ts'

const result = (more: Partial<Result>): Result => ({
  id: 'python.stub.sum.nop',
  set: 'polyglot',
  language: 'python',
  exercise: 'sum',
  base: 'stub',
  kind: 'nop',
  whole: false,
  state: 'FAILED',
  reason: 'tests_failed',
  said: '',
  commit: 'abc',
  at: '2026-01-01',
  ...more,
})

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'bl-results-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('results are read as they were written, a line for each exercise', () => {
  const file = join(folder, 'results.jsonl')
  const some = [
    result({}),
    result({ id: 'python.green.sum.exit-0.a-trap', base: 'green', kind: 'exit-0', whole: true }),
    result({ id: 'python.stub.sum.ended.x', kind: 'ended', state: 'COMPLETED', reason: null, said: '3 passed' }),
    result({ id: 'go.stub.sum.oracle', language: 'go', kind: 'oracle', state: 'COMPLETED', reason: null }),
  ]
  writeResults(file, some)
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
  const read = readResults(file)
  expect(read.size).toBe(some.length)
  for (const one of some) expect(read.get(one.id)).toEqual(one)
})

test('the last result of a trial counts, of whatever run', () => {
  const file = join(folder, 'results.jsonl')
  addResult(file, result({ reason: 'infra_error' }))
  addResult(file, result({ id: 'python.stub.sum.oracle', kind: 'oracle', state: 'COMPLETED', reason: null }))
  addResult(file, result({}))
  const read = readResults(file)
  expect(read.size).toBe(2)
  expect(read.get(result({}).id)).toEqual(result({}))
})

test('the order of the trials leaves no trace in the file', () => {
  const [one, other] = [result({}), result({ id: 'python.stub.sum.oracle', kind: 'oracle' })]
  const [a, b] = [join(folder, 'a'), join(folder, 'b')]
  writeResults(a, [one, other])
  writeResults(b, [other, one])
  expect(readFileSync(a, 'utf8')).toBe(readFileSync(b, 'utf8'))
})

test('an end that is not about the work is no verdict', () => {
  for (const reason of ['infra_error', 'agent_failed', 'retries_exhausted'])
    expect(isVerdict(result({ reason }))).toBe(false)
  expect(isVerdict(result({ reason: 'tests_weakened' }))).toBe(true)
})
