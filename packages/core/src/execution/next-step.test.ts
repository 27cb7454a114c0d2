import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSessionId } from '../records/ids.ts'
import { failedAttempts, failuresOf, JOINED, judge, nextStep, OWN_CHECKS } from './next-step.ts'
import type { History, NextStep } from './next-step.ts'
import { sessionOutcomes, type SessionOutcome } from '../records/session.ts'
import type { Verification } from '../records/verification.ts'

const sessionId = (number: number) => parseSessionId(`ex-aaaaaaaaaa.${number}`)

type Work = { attempt: number; outcome: SessionOutcome | null }
const history = (work: Work[], verifications: Verification[] = [], caps: Partial<History> = {}): History => ({
  maxAttempts: 3,
  maxSessions: 10,
  answered: 0,
  sessions: work.map(({ attempt, outcome }, at) => ({
    id: sessionId(at + 1),
    kind: 'work',
    attempt,
    state: outcome === null ? 'running' : 'ended',
    outcome,
  })),
  verifications,
  ...caps,
})

const row = (changes: Partial<Verification>): Verification => ({
  attempt: 1,
  purpose: 'attempt',
  run: 1,
  step: 1,
  session: sessionId(9),
  name: 'test',
  type: 'test',
  command: 'npm test',
  commit: 'c1',
  passed: false,
  exitCode: 1,
  durationMs: 1,
  tool: 'vitest',
  failures: 1,
  collected: null,
  summary: '',
  digest: 'd',
  fingerprint: 'f',
  findings: [],
  verdict: null,
  at: 0,
  ...changes,
})
const done: Work = { attempt: 1, outcome: 'success' }

describe('the next step of an execution', () => {
  test('begins with the first attempt', () => {
    expect(nextStep(history([]))).toEqual({ do: 'work', attempt: 1, again: false })
  })

  test('is another session while a message is unread, at no attempt, whatever has been checked', () => {
    const told = (work: Work, rows: Verification[] = []) =>
      nextStep(history([work], rows, { maxAttempts: 1, unread: 1 }))
    const next = { do: 'work', attempt: 2, again: false, told: true }
    expect(told(done)).toEqual(next)
    expect(told(done, [row({ passed: true })])).toEqual(next)
    expect(told(done, [row({}), row({ run: 2 })])).toEqual(next)
    // The message may be the answer.
    expect(told({ attempt: 1, outcome: 'blocked' })).toEqual(next)
    expect(told({ attempt: 1, outcome: 'failed' }).do).toBe('end_as_session')
    expect(told({ attempt: 1, outcome: null }).do).toBe('adopt')
    // Work that begins with its checks, as after the last phase of a plan, has no session yet.
    const first = (rows: Verification[]) => nextStep(history([], rows, { checksFirst: true, unread: 1 }))
    expect(first([])).toEqual({ ...next, attempt: 1 })
    expect(first([row({ passed: true })])).toEqual(next)
  })

  test('takes up a session that has not ended: the server was restarted', () => {
    expect(nextStep(history([{ attempt: 1, outcome: null }]))).toMatchObject({ do: 'adopt', attempt: 1, first: true })
    // Also in the same attempt: the changes that the previous session left in the workspace must not be cleaned away.
    const broken: Work = { attempt: 1, outcome: 'infra_error' }
    expect(nextStep(history([broken, { attempt: 1, outcome: null }]))).toMatchObject({ do: 'adopt', first: false })
  })

  test('verifies a good end, whatever the agent says', () => {
    expect(nextStep(history([done]))).toEqual({ do: 'verify', attempt: 1 })
  })

  test.each(['failed', 'timeout', 'turn_limit', 'blocked', 'cancelled'] as const)(
    'neither verifies nor repeats a session that ended as %s',
    (outcome) => {
      expect(nextStep(history([{ attempt: 1, outcome }]))).toMatchObject({ do: 'end_as_session' })
    },
  )

  test('repeats a session that broke within its attempt: infrastructure costs no attempt', () => {
    expect(nextStep(history([{ attempt: 2, outcome: 'infra_error' }]))).toEqual({ do: 'work', attempt: 2, again: true })
  })

  test('repeats a session that failed by itself only if a retry of it is decided', () => {
    const failed: Work = { attempt: 2, outcome: 'failed' }
    const again = { do: 'work', attempt: 2, again: true }
    expect(nextStep(history([failed], [], { answered: 1 }))).toEqual(again)
    expect(nextStep(history([failed, failed], [], { answered: 1 }))).toMatchObject({ do: 'end_as_session' })
    const broken: Work = { ...failed, outcome: 'infra_error' }
    expect(nextStep(history([broken, failed], [], { answered: 2 }))).toEqual(again)
    // No matter how many retries came before: some of them may have begun no session.
    expect(nextStep(history([broken, failed], [], { answered: 1 }))).toMatchObject({ do: 'end_as_session' })
    for (const outcome of ['timeout', 'turn_limit', 'blocked', 'cancelled'] as const)
      expect(nextStep(history([{ attempt: 1, outcome }], [], { answered: 9 }))).toMatchObject({ do: 'end_as_session' })
  })

  test('repeats a failed verification once on the same commit before it costs an attempt', () => {
    expect(nextStep(history([done], [row({})]))).toEqual({ do: 'verify', attempt: 1 })
    expect(nextStep(history([done], [row({}), row({ run: 2 })]))).toMatchObject({ do: 'work', attempt: 2 })
    expect(nextStep(history([done], [row({}), row({ run: 2, passed: true, exitCode: 0 })]))).toEqual({
      do: 'publish',
      attempt: 1,
      commit: 'c1',
    })
  })

  test("repeats neither Beadloom's own findings nor a missing command", () => {
    expect(nextStep(history([done], [row({ tool: OWN_CHECKS, exitCode: null })]))).toMatchObject({ do: 'work' })
    expect(nextStep(history([done], [row({ exitCode: 127 })]))).toEqual({ do: 'end', because: 'command_missing' })
  })

  test('ends after the last attempt', () => {
    const third: Work[] = [done, { attempt: 2, outcome: 'success' }, { attempt: 3, outcome: 'success' }]
    const failures = [1, 2, 3].flatMap((attempt) => [row({ attempt }), row({ attempt, run: 2 })])
    expect(nextStep(history(third, failures))).toEqual({ do: 'end', because: 'attempts_used' })
  })

  test('a merge that fails costs the attempt; another merge of the same work is judged by itself', () => {
    const verified = row({ passed: true, exitCode: 0 })
    const merge = (commit: string, passed: boolean, run = 1) =>
      row({ purpose: 'merge', commit, passed, exitCode: passed ? 0 : 1, run })
    expect(nextStep(history([done], [verified, merge('m1', false), merge('m1', false, 2)]))).toMatchObject({
      do: 'work',
      attempt: 2,
    })
    expect(nextStep(history([done], [verified, merge('m1', false)]))).toMatchObject({ do: 'publish', commit: 'c1' })
    expect(judge([verified, merge('m1', true)], 1, 'merge', 'm2')).toEqual({ is: 'open', run: 1 })
  })

  test('is bounded by sessions over all layers', () => {
    const broken: Work[] = Array.from({ length: 10 }, () => ({ attempt: 1, outcome: 'infra_error' }))
    expect(nextStep(history(broken))).toEqual({ do: 'end', because: 'sessions_used' })
  })
})

describe('the failure of an execution', () => {
  test('is that of the last run of an attempt, newest attempt first', () => {
    const rows = [row({}), row({ run: 2, digest: 'second' }), row({ attempt: 2, tool: OWN_CHECKS, digest: 'third' })]
    expect(failuresOf(rows, 1).map(({ digest }) => digest)).toEqual(['second'])
    expect(failedAttempts(rows)).toEqual([2, 1])
  })

  test('is not a flaky attempt', () => {
    expect(failedAttempts([row({}), row({ run: 2, passed: true, exitCode: 0 })])).toEqual([])
  })
})

/** Plays an execution as the runner does, with an outcome for each thing that it does. */
function play(outcomes: Iterator<number>, maxAttempts: number, maxSessions: number) {
  const work: Work[] = []
  const rows: Verification[] = []
  const steps: NextStep[] = []
  const roll = (sides: number) => Number(outcomes.next().value ?? 0) % sides
  for (;;) {
    const step = nextStep(history(work, rows, { maxAttempts, maxSessions }))
    steps.push(step)
    if (step.do === 'end' || step.do === 'end_as_session' || step.do === 'publish')
      return { work, rows, steps, last: step }
    if (step.do === 'work')
      work.push({ attempt: step.attempt, outcome: roll(8) === 7 ? null : sessionOutcomes[roll(7)]! })
    else if (step.do === 'adopt') work.at(-1)!.outcome = sessionOutcomes[roll(7)]!
    else {
      const verdict = judge(rows, step.attempt, 'attempt')
      if (verdict.is !== 'open') throw new Error('asked to verify what is decided')
      const passed = roll(2) === 1
      rows.push(row({ attempt: step.attempt, run: verdict.run, passed, exitCode: passed ? 0 : 1 }))
    }
  }
}

test('whatever happens, an execution ends within its bounds, and publishes only passed work', () => {
  const caps = { attempts: fc.integer({ min: 1, max: 3 }), sessions: fc.integer({ min: 1, max: 12 }) }
  fc.assert(
    fc.property(
      fc.array(fc.nat(1000), { maxLength: 200 }),
      caps.attempts,
      caps.sessions,
      (rolls, attempts, sessions) => {
        const { work, rows, last } = play(rolls[Symbol.iterator](), attempts, sessions)
        expect(work.length).toBeLessThanOrEqual(sessions)
        for (const { attempt } of work) expect(attempt).toBeLessThanOrEqual(attempts)
        for (let attempt = 1; attempt <= attempts; attempt++)
          expect(rows.filter((one) => one.attempt === attempt).length).toBeLessThanOrEqual(2)
        if (last.do === 'publish') expect(rows.at(-1)).toMatchObject({ passed: true, attempt: last.attempt })
        if (last.do === 'end_as_session') expect(work.at(-1)?.outcome).not.toBe('success')
      },
    ),
    { numRuns: 500 },
  )
})

describe('verified work that conflicts with earlier merges', () => {
  const passed = (attempt: number) => row({ attempt, passed: true, exitCode: 0, commit: `c${attempt}` })
  const conflict = (attempt: number) =>
    row({ attempt, purpose: 'merge', name: JOINED, tool: OWN_CHECKS, exitCode: null, commit: `c${attempt}` })
  const after = (attempts: number, caps: Partial<History> = {}) => {
    const numbers = Array.from({ length: attempts }, (_, at) => at + 1)
    const work = numbers.map((attempt): Work => ({ attempt, outcome: 'success' }))
    return nextStep(
      history(
        work,
        numbers.flatMap((attempt) => [passed(attempt), conflict(attempt)]),
        caps,
      ),
    )
  }

  test('goes back to its agent, twice, and then waits for a person', () => {
    expect(after(1)).toEqual({ do: 'work', attempt: 2, again: false })
    expect(after(2)).toEqual({ do: 'work', attempt: 3, again: false })
    expect(after(3)).toEqual({ do: 'end', because: 'conflict' })
  })

  test('has its own number of attempts, within the most sessions', () => {
    expect(after(1, { maxAttempts: 1 })).toEqual({ do: 'work', attempt: 2, again: false })
    expect(after(1, { maxSessions: 1 })).toEqual({ do: 'end', because: 'sessions_used' })
  })

  test('is published once it is joined', () => {
    const work: Work[] = [done, { attempt: 2, outcome: 'success' }]
    const rows = [passed(1), conflict(1), passed(2)]
    expect(nextStep(history(work, rows))).toEqual({ do: 'publish', attempt: 2, commit: 'c2' })
  })
})
