import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { TokenUse } from '@beadloom/core/budget/token-use.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'

/* Made-up ends and waits of executions: failed checks, flaky ones, a retry, a push that waits for the remote. */

const now = Date.now()
const MINUTE = 60_000

const check = (attempt: number, step: number, passed: boolean, given: Partial<Verification> = {}): Verification => ({
  attempt,
  purpose: 'attempt',
  run: 1,
  step,
  session: '' as SessionId,
  name: 'test',
  type: 'test',
  command: 'npm test -- --run',
  commit: `9b1d0e4${attempt}a7c3f0`,
  passed,
  exitCode: passed ? 0 : 1,
  durationMs: 12_400 + attempt * 310,
  tool: 'vitest',
  failures: passed ? 0 : 3,
  collected: 128,
  summary: passed ? '128 tests passed' : '3 tests failed',
  digest: '',
  fingerprint: 'f3a9',
  findings: [],
  verdict: null,
  at: now - MINUTE,
  ...given,
})
const build = (attempt: number): Verification =>
  check(attempt, 1, true, {
    name: 'build',
    type: 'build',
    command: 'npx tsc -p . --noEmit',
    tool: 'tsc',
    collected: null,
    durationMs: 4100,
    summary: 'Build passed',
  })

/** Beadloom's own checks, after those of the project. */
const ownCheck = (attempt: number, said: Pick<Verification, 'name' | 'summary' | 'digest' | 'findings'>) => ({
  ...check(attempt, 2, false, { type: 'custom', command: '', tool: 'beadloom', ...said }),
  exitCode: null,
  failures: null,
  collected: null,
  durationMs: 0,
})

/** A judge whose word is not required. */
const opinion = (attempt: number, step: number): Verification => ({
  ...check(attempt, step, true, { run: 2, name: 'scope', type: 'custom', command: '', tool: 'judge' }),
  exitCode: null,
  collected: null,
  durationMs: 6_300,
  summary: 'qwen3-coder:480b says no: the parser is rewritten, and nobody asked for that',
  opinion: { model: 'qwen3-coder:480b', answer: 'no', required: false },
})

const digest = `3 tests failed
● table.test.ts > aligns cells of different widths
  AssertionError: expected 3 to equal 4
    expected: 4
    received: 3
    at src/table.test.ts:41:22
● table.test.ts > keeps the caret \u202egnp.exe
  <img src=x onerror=alert(1)> was not escaped
● date.test.ts > parses an offset without a colon
  Invalid Date
    at src/date.ts:18:11
    at src/date.test.ts:9:14
    at processTicksAndRejections (node:internal/process/task_queues:105:5)
(+ 2 more test failures)
Run with --reporter=verbose for more.`
const lint = `1 lint error in 1 file:
  12:7  error  'width' is assigned a value but never used  no-unused-vars`

export const failedThrice: Partial<ExecutionView> = {
  attempt: 3,
  fetch: 'git fetch /home/you/.local/share/beadloom/hub/wordcraft.git beads-wc-d20-something',
  reason: 'verification_exhausted',
  detail:
    'The tests still fail after 3 attempts (npm test -- --run). The branch keeps the work; read the digest, then run the bead again or finish it by hand.\nexpected 3 to equal 4',
  verifications: [
    build(1),
    check(1, 2, false, { digest, failures: 5, summary: '5 tests failed' }),
    build(2),
    check(2, 2, false, { digest, verdict: 'fewer' }),
    build(3),
    check(3, 2, false, { digest, verdict: 'same' }),
    check(3, 3, false, {
      name: 'style',
      type: 'lint',
      command: 'npx eslint . --max-warnings 0',
      tool: 'eslint',
      collected: null,
      exitCode: 2,
      summary: '1 lint error in 1 file',
      digest: lint,
      verdict: 'new',
    }),
  ],
  flags: [
    { kind: 'no_progress', text: 'Attempt 3 failed as attempt 2 did, and changed nothing.' },
    { kind: 'tampered', text: 'Attempt 2 skipped 2 tests: src/table.test.ts lines 12 and 40.' },
  ],
  signs: ['Every attempt failed in the same way.', 'All attempts took almost the same time.'],
  followUps: [
    { bead: 'wc-f10', kind: 'tests_failing', title: 'Tests failing: Support right-to-left text', status: 'open' },
  ],
}

const redGreen = (is: 'red' | 'green', text: string) =>
  ({ is, text, commit: 'c0ffee1234', base: 'b0b0b0b0b0', session: null }) as const

const lost = [
  'src/table.test.ts: the test "aligns cells of different widths" is gone, and no other test does the same',
  'test/unicode/combining-marks-in-narrow-columns.test.ts was deleted',
]

/** Refused, because tests were weakened. */
export const weakened: Partial<ExecutionView> = {
  attempt: 3,
  reason: 'tests_weakened',
  detail:
    'The checks pass, but by weaker or fewer tests than on the work branch, still after 3 attempts. The work is on the branch: read the diff, then allow the weaker tests, or run the bead again.',
  verifications: [
    check(3, 1, true),
    ownCheck(3, {
      name: 'tests kept',
      summary: `tests were weakened: ${lost[0]}`.slice(0, 100),
      digest: `The tests pass only because they were weakened, which does not count: ${lost.join('; ')}.`,
      findings: lost,
    }),
  ],
  flags: [{ kind: 'tampered', text: `attempt 3: ${lost.join('; ')}` }],
  redGreen: redGreen('green', '2 new tests, and none fails without the change'),
  signs: ['2 new tests, and none fails without the change'],
}

const uncovered = ['the tests of tests/test_b64.py could not run on the base']

/** Everything that could run passes, and nothing could check what it changes. */
export const notChecked: Partial<ExecutionView> = {
  attempt: 1,
  reason: 'not_checked',
  detail: `The checks that could run pass, but nothing is known of the rest: ${uncovered[0]}. The work is kept. Make these tests run on the base and run the bead again, or read the diff and take it as it is; "verification.acceptUnchecked" in beadloom.json takes all such work.`,
  verifications: [
    check(1, 1, true),
    ownCheck(1, {
      name: 'all checked',
      summary: `not checked: ${uncovered[0]}`,
      digest: `Every check that could run passes, but what the work changes is not checked: ${uncovered[0]}.`,
      findings: uncovered,
    }),
  ],
  flags: [{ kind: 'not_checked', text: uncovered.join('; ') }],
}

const addedSecret = 'src/mail/send.ts:14: sendgrid api token (SG.k…, 69 characters; 5f1c09ab77de3421)'

/** Everything passes, and a key would have been published. */
export const secretFound: Partial<ExecutionView> = {
  attempt: 3,
  reason: 'secrets_found',
  detail:
    'The checks pass, but the work adds what looks like a secret, still after 3 attempts. Nothing was published. Run the bead again; or read the diff and allow what is not a secret. A real one is best replaced where it was issued.',
  verifications: [
    check(3, 1, true),
    ownCheck(3, {
      name: 'no secrets',
      summary: `looks like a secret: ${addedSecret}`,
      digest: `The checks pass, but the work adds what looks like a secret, and would publish it: ${addedSecret}.`,
      findings: [addedSecret],
    }),
  ],
  flags: [{ kind: 'secrets', text: `attempt 3: ${addedSecret}` }],
}

export const flakyAndPending: Partial<ExecutionView> = {
  redGreen: redGreen('red', '2 new tests, both fail without the change'),
  detail: 'Verified and merged into beadloom/work. It waits for the remote.',
  verifications: [
    build(1),
    check(1, 2, false, {
      summary: '1 test failed',
      failures: 1,
      digest: '1 test failed\n● clock.test.ts > ticks',
    }),
    { ...build(1), run: 2 },
    check(1, 2, true, { run: 2, made: true }),
    opinion(1, 3),
    check(1, 1, true, { purpose: 'merge', commit: 'c0ffee1234', summary: '131 tests passed' }),
  ],
  flags: [
    { kind: 'flaky', text: 'test failed and passed on the same commit: clock.test.ts > ticks.' },
    { kind: 'adopted', text: 'The server was restarted meanwhile; the container went on.' },
    {
      kind: 'opinion',
      text: 'attempt 1, judge scope: qwen3-coder:480b says no: the parser is rewritten, and nobody asked for that',
    },
    {
      kind: 'checks_made',
      text: 'the project had no tests: this bead made the checks that it passed, test (npm test)',
    },
  ],
  waits: {
    kind: 'push',
    since: now - 3 * MINUTE,
    tries: 4,
    nextAt: now + 95_000,
    why: 'Could not resolve host: git.example.org',
  },
}

/** Its work could not be saved when it ended. */
export const unsaved: Partial<ExecutionView> = {
  kept: [
    {
      name: 'beadloom-ex-0000000021-work',
      project: 'wordcraft',
      execution: 'ex-0000000021',
      bead: 'wc-d21',
      since: now - 26 * 60 * MINUTE,
      why: 'git fast-import failed (exit 128): No space left on device',
      bytes: 41_300_000,
      tries: 9,
      nextTryAt: now + 21 * MINUTE,
    },
  ],
}

/** It was cancelled, and its container does not stop. */
export const stuck: Partial<ExecutionView> = {
  stopPending: {
    since: now - 4 * MINUTE,
    tries: 11,
    why: 'the container is still running after SIGKILL: a process in it hangs in the kernel; see "docker top 3f2a9c1d77e0"',
  },
}

export const retrying: Partial<ExecutionView> = {
  retry: { ...defaultRetry, retryCount: 3, retryDelay: 2000, retryMaxTime: 10 * MINUTE, retryOn: ['Docker'] },
  retryCount: 3,
  retryAttempt: 1,
  waits: { kind: 'retry', at: now + 45_000 },
  activity: 'Docker did not answer at /var/run/docker.sock',
  flags: [{ kind: 'adopted', text: 'the server was restarted during attempt 1; its container went on' }],
}

export const priced: TokenUse = { input: 31_240, output: 4_410, cached: 22_000, reasoning: 1_900, costMicros: 61_300 }

/** Another agent than the project's, its tokens limited, counted and paid. */
export const chosenAndPriced: Partial<ExecutionView> = {
  attempt: 2,
  activity: 'running npm test',
  chosen: { agent: 'codex', model: 'gpt-5-codex' },
  tokens: priced,
  tokenLimits: { session: null, execution: 50_000, day: 2_000_000 },
  currency: 'USD',
  retry: { ...defaultRetry, retryCount: 3, retryDelay: 2000 },
  retryCount: 3,
  retryAttempt: 1,
}

/** A working and a verifying session for each attempt that has checks; the checks are said to be of those. */
/** A second attempt is at its model's limit, and has been there before. */
export const contextOf = (attempt: number): Session['context'] =>
  attempt > 1
    ? { tokens: 187_000, window: 200_000, peak: 191_000, compactions: 2 }
    : { tokens: 92_400, window: 200_000, peak: 92_400, compactions: 0 }

export function attemptSessions(
  view: ExecutionView,
  one: (number: number, kind: Session['kind'], given: Partial<Session>) => Session,
): Session[] {
  const attempts = [...new Set(view.verifications.map(({ attempt }) => attempt))]
  view.verifications = view.verifications.map((step) => ({
    ...step,
    session: `${view.id}.${step.attempt * 2 + 1}` as SessionId,
  }))
  return [
    one(1, 'setup', {}),
    ...attempts.flatMap((attempt) => {
      const failed = view.verifications.findLast((step) => step.attempt === attempt)?.passed === false
      return [
        one(attempt * 2, 'work', {
          attempt,
          tokens: { input: 4000 * attempt, output: 500 },
          context: contextOf(attempt),
        }),
        one(attempt * 2 + 1, 'verify', { attempt, outcome: failed ? 'failed' : 'success', exitCode: failed ? 1 : 0 }),
      ]
    }),
  ]
}
