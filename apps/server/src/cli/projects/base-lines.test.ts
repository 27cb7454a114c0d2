import { expect, test } from 'vitest'
import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { baseLines } from './base-lines.ts'

const NOW = Date.UTC(2026, 2, 1, 12)
const check: BaseCheck = {
  name: 'test',
  type: 'test',
  command: 'npm test',
  passed: false,
  exitCode: 1,
  durationMs: 5,
  tool: 'generic',
  failures: null,
  collected: null,
  summary: 'it failed',
  digest: '[TEST] it failed\n\u001b[31mno\u001b[0m database',
  findings: [],
}
const proof = (own: Partial<ProofView>): ProofView => ({
  state: 'green',
  commit: 'abcdef0123456789',
  text: '',
  by: null,
  againAt: null,
  checks: [],
  mendable: false,
  bead: null,
  startedAt: 0,
  endedAt: 1,
  ...own,
})
const lines = (one: ProofView | null) => baseLines(one, NOW, 200).slice(1)

test('a base that is unproved, green or being proved takes one line', () => {
  expect(lines(null)).toEqual([
    'The base has not been proved yet. Beadloom does it before the first bead starts; --prove does it now.',
  ])
  expect(lines(proof({ checks: [{ ...check, passed: true }] }))).toEqual(['The base (abcdef012345) is green.'])
  expect(lines(proof({ state: 'proving', text: 'running setup' }))).toEqual([
    'The base (abcdef012345) is being proved: running setup.',
  ])
})

test('a failure is named with its output and possible remedies', () => {
  const text = 'The only check fails before any work is done: test (npm test): it failed. Fix the base.'
  const broken = proof({ state: 'broken', by: 'checks', text, checks: [check], mendable: true })
  expect(lines(broken)).toEqual([
    `Nothing starts. ${text}`,
    'test (npm test):',
    '  [TEST] it failed',
    '  no database',
    '--mend creates a bead that fixes it.',
  ])
  expect(lines({ ...broken, bead: 'bl-1' }).at(-1)).toBe('bl-1 was created to fix it.')
})

test('the time of the next try is shown', () => {
  const setup = proof({ state: 'broken', by: 'setup', text: 'Setup (x) failed.', againAt: NOW + 600_000 })
  expect(lines(setup).at(-1)).toBe('Next try at 12:10 UTC.')
})

test('a service that died shows the end of its output, and a check the beginning', () => {
  const digest = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join('\n')
  const broken = (name: string, by: ProofView['by']) =>
    lines(proof({ state: 'broken', by, checks: [{ ...check, name, digest }] })).join('\n')
  expect(broken('service db', 'service')).toContain('… 28 lines before')
  expect(broken('service db', 'service')).toMatch(/ {2}line 29\n(?:.*\n)* {2}line 40/)
  expect(broken('setup', 'checks')).toMatch(/ {2}line 1\n(?:.*\n)* {2}line 12\n.*and 28 more lines/)
})

test('a running proof has one full stop, however its text ends', () => {
  expect(lines(proof({ state: 'proving', text: 'the service db is tried again in 40 s.' }))).toEqual([
    'The base (abcdef012345) is being proved: the service db is tried again in 40 s.',
  ])
})
