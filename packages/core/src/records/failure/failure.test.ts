import { describe, expect, test } from 'vitest'
import { askAgain, describeFailure } from '../../execution/failure/describe-failure.ts'
import { failureReasonOf, failureReasons } from './failure-reason.ts'
import { retryLayer, retryText } from './failure.ts'
import type { Failure, FailureKind } from './failure.ts'
import { decideRetry, defaultRetry } from '../retry.ts'

/** A sample of each kind: the type makes the list complete. */
const samples: { [K in FailureKind]: Extract<Failure, { kind: K }> } = {
  engine_unreachable: { kind: 'engine_unreachable', detail: 'connect ENOENT' },
  engine_timeout: { kind: 'engine_timeout', detail: 'Docker did not answer within 15 s' },
  engine_failed: { kind: 'engine_failed', detail: 'Docker could not start the container: not today' },
  server_short: { kind: 'server_short', detail: 'the server may not open more files' },
  engine_refused: { kind: 'engine_refused', detail: 'invalid CPU count' },
  image_missing: { kind: 'image_missing', detail: 'beadloom/demo:abc is gone' },
  image_build_failed: { kind: 'image_build_failed', detail: 'step 3 failed' },
  setup_failed: { kind: 'setup_failed', command: 'npm ci', exitCode: 1 },
  secret_missing: { kind: 'secret_missing', project: 'shop', names: ['NPM_TOKEN'] },
  service_failed: { kind: 'service_failed', service: 'postgres', detail: 'was not ready within 1 min' },
  no_space: { kind: 'no_space', detail: 'no space left on device' },
  out_of_memory: { kind: 'out_of_memory', limitBytes: 8 * 1024 ** 3 },
  container_lost: { kind: 'container_lost' },
  supervisor_killed: { kind: 'supervisor_killed' },
  stopped_outside: { kind: 'stopped_outside' },
  killed: { kind: 'killed', exitCode: 137 },
  agent_crashed: { kind: 'agent_crashed', exitCode: 71 },
  link_lost: { kind: 'link_lost' },
  result_lost: { kind: 'result_lost' },
  agent_exited: { kind: 'agent_exited', detail: 'the agent ended with exit code 1' },
  agent_killed: { kind: 'agent_killed', detail: 'the agent ended with exit code 137' },
  model_busy: { kind: 'model_busy', detail: 'the model endpoint answered 429' },
  model_unreachable: { kind: 'model_unreachable', detail: 'cannot reach the model endpoint' },
  model_timeout: { kind: 'model_timeout', detail: 'the model endpoint did not answer within 290 s' },
  agent_failed: { kind: 'agent_failed', detail: 'exit code 1' },
  model_unanswered: { kind: 'model_unanswered', detail: 'it answered 500' },
  repository: { kind: 'repository', detail: 'it has no commits' },
  verification: { kind: 'verification', command: 'npm test', attempts: 3, types: ['test'] },
  command_not_found: {
    kind: 'command_not_found',
    step: 'test',
    command: 'jest --ci',
    program: 'jest',
    fix: 'Install jest in "setup".',
  },
  nothing_done: { kind: 'nothing_done' },
  phase_unchanged: { kind: 'phase_unchanged', phase: 2 },
  no_checks: { kind: 'no_checks', attempts: 3 },
  tests_weakened: { kind: 'tests_weakened', attempts: 3 },
  secrets_found: { kind: 'secrets_found', attempts: 3 },
  runs_elsewhere: { kind: 'runs_elsewhere', attempts: 3, files: '.github/workflows/ci.yml (CI runs it)' },
  not_checked: { kind: 'not_checked', parts: 'the tests of b64 could not run on the base' },
  judge_unanswered: { kind: 'judge_unanswered', judge: 'scope', detail: 'it answered 503' },
  no_progress: { kind: 'no_progress', attempts: 2 },
  too_many_sessions: { kind: 'too_many_sessions', sessions: 10 },
  push_conflict: { kind: 'push_conflict', branch: 'beads-a', detail: 'src/a.ts' },
  publish_failed: { kind: 'publish_failed', detail: 'rejected' },
  turn_limit: { kind: 'turn_limit', steps: 100 },
  budget_exhausted: { kind: 'budget_exhausted', limit: { scope: 'execution', limit: 5000 } },
  session_timeout: { kind: 'session_timeout', afterMs: 21_600_000 },
  plan_invalid: { kind: 'plan_invalid', problems: "Subtask 'a' touches no files." },
  subtask_failed: { kind: 'subtask_failed', subtask: 'subtask 1a "Write tests" (1 of 4)', detail: 'exit code 1' },
  phase_review_failed: { kind: 'phase_review_failed', phase: 2, attempts: 2, feedback: 'It greets nobody' },
  server_restarted: { kind: 'server_restarted' },
}
const all = Object.values(samples)
/** A review does not publish, is not judged by its tests, and does not plan. */
const ofWorkAlone: ReadonlySet<FailureKind> = new Set([
  'verification',
  'command_not_found',
  'nothing_done',
  'phase_unchanged',
  'no_checks',
  'tests_weakened',
  'secrets_found',
  'runs_elsewhere',
  'judge_unanswered',
  'no_progress',
  'push_conflict',
  'publish_failed',
  'plan_invalid',
  'subtask_failed',
  'phase_review_failed',
])

describe('a failure', () => {
  test.each(all)('of kind $kind says what happened and what to do next', (failure) => {
    const text = describeFailure(failure)
    expect(text).toMatch(/^[A-Z].*\.$/)
    expect(text).toMatch(/\b(?:run|fix|raise|start|check|merge|free|read)\b/i)
    expect(text).not.toMatch(/undefined|\[object|NaN/)
    for (const [key, value] of Object.entries(failure)) {
      if (key !== 'kind' && typeof value === 'string') expect(text.toLowerCase()).toContain(value.toLowerCase())
    }
  })

  test.each(all.filter(({ kind }) => !ofWorkAlone.has(kind)))(
    'of kind $kind of a review speaks of no bead to run and no work to keep',
    (failure) => {
      const text = describeFailure(failure, askAgain('beadloom review bl-1'))
      expect(text).toMatch(/^[A-Z].*\.$/)
      expect(text).not.toMatch(/the bead|on its branch|was pushed/)
      if (/again/i.test(describeFailure(failure)))
        expect(text).toMatch(/ask for the review again: beadloom review bl-1/i)
    },
  )

  test.each([
    [['test'], 'The tests still fail after 3 attempts'],
    [['test', 'test'], 'The tests still fail'],
    [['lint'], 'The linter still reports problems after 3 attempts'],
    [['build'], 'The build still fails'],
    [['custom'], 'A check still fails'],
    [['test', 'lint'], 'The checks still fail'],
  ] as const)('of the checks %j says what fails', (types, words) => {
    expect(describeFailure({ ...samples.verification, types })).toContain(words)
  })

  test('belongs to exactly one retry layer', () => {
    const layerOf = (layer: string) => all.filter(({ kind }) => retryLayer[kind] === layer).map(({ kind }) => kind)
    expect(layerOf('infra')).toEqual([
      'engine_unreachable',
      'engine_timeout',
      'engine_failed',
      'server_short',
      'image_missing',
      'service_failed',
      'out_of_memory',
      'container_lost',
      'supervisor_killed',
      'stopped_outside',
      'killed',
      'agent_crashed',
      'link_lost',
      'result_lost',
      'agent_exited',
      'agent_killed',
      'model_busy',
      'model_unreachable',
      'model_timeout',
      'judge_unanswered',
      'server_restarted',
    ])
    expect(layerOf('verification')).toEqual([
      'verification',
      'nothing_done',
      'no_checks',
      'tests_weakened',
      'secrets_found',
      'runs_elsewhere',
    ])
  })

  test.each([
    ['rate limit', ['model_busy']],
    ['timeout', ['engine_timeout', 'model_timeout']],
    ['network error', ['engine_unreachable', 'link_lost', 'model_unreachable']],
    ['out of memory', ['out_of_memory']],
    ['agent exited', ['agent_exited']],
    ['agent_killed', ['agent_killed']],
  ])('that people call "%s" is matched by that, whatever its own sentence says', (pattern, kinds) => {
    const matches = all
      .filter(({ kind }) => retryLayer[kind] === 'infra')
      .filter(({ kind }) => {
        const policy = { ...defaultRetry, retryCount: 1, retryOn: [pattern] }
        return decideRetry(policy, 0, 0, retryText(kind, 'It broke.')).do === 'retry'
      })
    expect(matches.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('of a timeout, a turn limit, a conflict or a used-up budget is never retried', () => {
    for (const kind of ['session_timeout', 'turn_limit', 'push_conflict', 'budget_exhausted'] as const)
      expect(retryLayer[kind]).toBe('never')
  })

  test('has a reason, except a timeout, which is a state of its own', () => {
    for (const reason of Object.values(failureReasonOf)) expect(failureReasons).toContain(reason)
    expect(Object.keys(failureReasonOf)).toHaveLength(all.length - 1)
  })

  test('speaks of gibibytes and hours, not of bytes and milliseconds', () => {
    expect(describeFailure(samples.out_of_memory)).toContain('its 8 GiB of memory')
    expect(describeFailure(samples.session_timeout)).toContain('after 6 h.')
  })
})
