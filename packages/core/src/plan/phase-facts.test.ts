import { expect, test } from 'vitest'
import type { Verification } from '../records/verification.ts'
import { phaseFacts } from './phase-facts.ts'
import { subtaskOf } from './plan-kit.ts'
import { rowsOfPhase, testsOfPhase } from './red-phase.ts'

const row = (some: Partial<Verification>): Verification =>
  ({
    name: 'test',
    type: 'test',
    command: 'npm test',
    passed: false,
    exitCode: 1,
    failures: 1,
    collected: 3,
    findings: ['vitest: post.test.ts > saves a post'],
    summary: '1 test failed',
    digest: 'd',
    ...some,
  }) as unknown as Verification

const phases = [
  [subtaskOf('1a'), subtaskOf('1b', { title: 'Test posts', filesTouched: ['post.test.ts'] })],
  [subtaskOf('2a', { type: 'impl', dependsOn: ['1a'] })],
  [subtaskOf('3', { type: 'impl', dependsOn: ['1b', '2a'] })],
]
const factsOf = (number: number, rows: Verification[]) =>
  phaseFacts(phases, number, rowsOfPhase(rows, testsOfPhase(phases, number))).join('\n')

test('a reviewer is told that a check ended with 1, what failed, and whose tests may', () => {
  const told = factsOf(2, [row({ name: 'lint', type: 'lint', exitCode: 0, passed: true, findings: [] }), row({})])
  expect(told).toContain('lint (npm test) ended with exit code 0')
  expect(told).toContain(
    'The check test (npm test) ended with exit code 1 on this commit: only what is not implemented yet may fail, as it should: 1 test failed. Failed: vitest: post.test.ts > saves a post',
  )
  expect(told).toContain('The tests of the subtask "Test posts" (post.test.ts) may fail here')
  expect(told).not.toMatch(/have passed|Do 1a/)
})

test('a reviewer of a phase of tests is told that they fail, and of the last phase that none may', () => {
  expect(factsOf(1, [row({})])).toMatch(/writes tests alone[^]*exit code 1[^]*fails before it is implemented/)
  const last = factsOf(3, [row({ exitCode: 0, passed: true, findings: [], summary: '3 tests passed' })])
  expect(last).toContain('ended with exit code 0 on this commit: 3 tests passed')
  expect(last).not.toContain('may fail')
})
