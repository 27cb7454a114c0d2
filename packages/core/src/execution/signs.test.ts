import { describe, expect, test } from 'vitest'
import { buildExecutionPrompt, withPreviousAttempt, type PromptInput } from './prompt.ts'
import { sessionIdOf } from '../records/ids.ts'
import type { Session } from '../records/session.ts'
import { warningSigns, type SignFacts } from './signs.ts'
import { failedStep, sampleEnded } from '../testing/sample-follow-up.ts'
import { sampleSession } from '../testing/sample-views.ts'

const MINUTE = 60_000
const session = (number: number, minutes: number, patch: Partial<Session> = {}): Session =>
  sampleSession({
    id: sessionIdOf(sampleEnded, number),
    execution: sampleEnded,
    number,
    attempt: number,
    endedAt: Math.round(minutes * MINUTE),
    ...patch,
  })
const signs = (facts: Partial<SignFacts>) =>
  warningSigns({ execution: { flags: [], state: 'FAILED' }, sessions: [], verifications: [], ...facts })

describe('warning signs of an execution', () => {
  test('are missing for an execution without trouble', () => {
    expect(signs({})).toEqual([])
    expect(
      signs({
        sessions: [session(1, 10), session(2, 7), session(3, 9, { kind: 'verify' })],
        verifications: [failedStep(1), failedStep(2, { passed: true, fingerprint: '' })],
        promptLengths: [
          { attempt: 1, chars: 2500, taskChars: 1500 },
          { attempt: 2, chars: 3900, taskChars: 1500 },
        ],
      }),
    ).toEqual([])
  })

  test('are attempts that all took the same time', () => {
    const said = ['both attempts took the same time: the agent may not have done anything']
    expect(signs({ sessions: [session(1, 10), session(2, 10.1)] })).toEqual(said)
    expect(signs({ sessions: [session(1, 10), session(2, 11)] })).toEqual([])
    expect(signs({ execution: { flags: [], state: 'COMPLETED' }, sessions: [session(1, 10), session(2, 10)] })).toEqual(
      [],
    )
    expect(signs({ sessions: [session(1, 10), session(2, 10, { endedAt: null })] })).toEqual([])
    expect(signs({ sessions: [session(1, 10), session(2, 10, { kind: 'verify' })] })).toEqual([])
  })

  test('are attempts that all failed in the same way', () => {
    const said = ['both attempts failed alike: retrying is unlikely to help']
    expect(signs({ verifications: [failedStep(1), failedStep(2)] })).toEqual(said)
    expect(signs({ verifications: [failedStep(1), failedStep(2, { fingerprint: 'other' })] })).toEqual([])
    expect(signs({ verifications: [failedStep(1), failedStep(2, { type: 'lint' })] })).toEqual([])
    expect(signs({ verifications: [failedStep(1), failedStep(1, { run: 2 })] })).toEqual([])
    expect(signs({ verifications: [failedStep(1), failedStep(2, { fingerprint: '' })] })).toEqual([])
  })

  test('are errors in a different file in each attempt', () => {
    const failed = (attempt: number, digest: string) =>
      failedStep(attempt, { digest, fingerprint: `of attempt ${attempt}` })
    const first = failed(1, '1 build error:\nsrc/a.ts(3,5): error TS2322: Type "a" is not assignable.')
    const other = failed(2, '1 build error:\nsrc/a.ts(9,1): error TS2304: Cannot find name "b".')
    expect(signs({ verifications: [first, other] })).toEqual([
      'the errors in src/a.ts differed in attempts 1 and 2: fixing one may cause the next',
    ])
    // The same error at another line, or in another file, is no sign.
    const moved = failed(2, 'src/a.ts(12,7): error TS2322: Type "a" is not assignable.')
    expect(signs({ verifications: [first, moved] })).toEqual([])
    expect(signs({ verifications: [first, failed(2, 'src/b.ts(9,1): error TS2304: Cannot find name "b".')] })).toEqual(
      [],
    )
    const third = failed(3, 'src/b.c:3:5: error: expected ;\nsrc/a.ts:4:2: error: something else')
    expect(signs({ verifications: [first, other, third] })).toEqual([
      'the errors in src/a.ts differed in attempts 1, 2 and 3: fixing one may cause the next',
    ])
  })

  test('are agents whose context was nearly full', () => {
    const context = (peak: number, compactions = 0) => ({ tokens: 10, window: 1000, peak, compactions })
    expect(signs({ sessions: [session(1, 10, { context: context(890) })] })).toEqual([])
    expect(signs({ sessions: [session(1, 10, { context: context(940, 2) })] })).toEqual([
      "the agent's context was up to 94% full, and was compacted 2 times: a shorter bead may work better",
    ])
    expect(
      signs({ sessions: [session(1, 10, { context: context(940, 1) }), session(2, 5, { context: context(990) })] }),
    ).toEqual([
      'the contexts of 2 agent sessions were up to 99% full, and were compacted once: a shorter bead may work better',
    ])
  })

  test('are files that the bead does not name', () => {
    const changed = (outside?: string[]) =>
      signs({
        execution: {
          flags: [],
          state: 'COMPLETED',
          diffSize: { files: 9, added: 1, removed: 1, ...(outside && { outside }) },
        },
      })
    expect(changed()).toEqual([])
    expect(changed(['a.ts'])).toEqual(['a file is changed that the bead does not name: a.ts'])
    expect(changed(['a.ts', 'b.ts', 'c.ts', 'd.ts'])).toEqual([
      '4 files are changed that the bead does not name: a.ts, b.ts, c.ts and 1 more',
    ])
  })

  test("are agent's sessions that all ended with the same error", () => {
    const bad = (number: number, outcome: Session['outcome']) => session(number, number * 5, { outcome })
    expect(signs({ sessions: [bad(1, 'turn_limit'), bad(2, 'turn_limit')] })).toEqual([
      'both agent sessions ended with the same error (it ran out of steps)',
    ])
    expect(signs({ sessions: [bad(1, 'turn_limit'), bad(2, 'failed')] })).toEqual([])
    expect(signs({ sessions: [bad(1, 'failed'), bad(2, 'success')] })).toEqual([])
  })

  test('are a first message of a later attempt beyond 1000 tokens, which a real one can have', () => {
    const input: PromptInput = {
      bead: { id: 'bd-a1b2', title: 'Add a parser', description: 'Parse dates. '.repeat(100) },
      projectName: 'Calendar',
      techStack: ['TypeScript'],
      testCommand: 'npm test',
      timeoutMs: 21_600_000,
      userContext: '',
    }
    const first = buildExecutionPrompt(input).length
    const told = (digest: string) => {
      const chars = withPreviousAttempt(input, { attempt: 2, maxAttempts: 3, digest }).length
      const lengths = [1, 2].map((attempt) => ({ attempt, chars: attempt === 1 ? first : chars, taskChars: first }))
      return signs({ promptLengths: lengths })
    }
    expect(told('x'.repeat(2000))).toEqual([expect.stringMatching(/^attempt 2 began with about 1,\d00 tokens: /)])
    expect(told('x')).toEqual([])
  })

  test('are a first message of a retry that says more about the failure than about the task, or very much', () => {
    const lengths = (taskChars: number, more: number) => [
      { attempt: 1, chars: 3000 + taskChars, taskChars },
      { attempt: 2, chars: 3000 + taskChars + more, taskChars },
    ]
    const said = ['attempt 2 was told more about the failure than about the task']
    expect(signs({ promptLengths: lengths(300, 301) })).toEqual(said)
    expect(signs({ promptLengths: lengths(300, 300) })).toEqual([])
    expect(signs({ promptLengths: lengths(300, 301).slice(1) })).toEqual([])
  })

  test('are checks that change their result on the same code', () => {
    const said = ['"test" gave different results on the same code: it may be flaky']
    const again = { run: 2, commit: 'c0ffee1' }
    expect(signs({ verifications: [failedStep(1), failedStep(1, { ...again, passed: true })] })).toEqual(said)
    expect(signs({ verifications: [failedStep(1), failedStep(1, { ...again, fingerprint: 'other' })] })).toEqual(said)
    expect(signs({ verifications: [failedStep(1), failedStep(1, again)] })).toEqual([])
    const flags = [{ kind: 'flaky' as const, text: '"test" failed and passed on the same commit' }]
    expect(signs({ execution: { state: 'FAILED' as const, flags }, verifications: [failedStep(1)] })).toEqual([
      flags[0]?.text,
    ])
  })

  test('are more than three sessions of an agent', () => {
    const sessions = [1, 2, 3, 4].map((number) => session(number, number * 3))
    expect(signs({ sessions })).toEqual(['4 agent sessions for one bead'])
    // With a plan there is a session for each subtask.
    expect(signs({ sessions, execution: { flags: [], state: 'FAILED', planVersion: 1 } })).toEqual([])
    expect(signs({ sessions: sessions.slice(1) })).toEqual([])
  })

  test('are tests that an attempt weakened', () => {
    const flags = [
      { kind: 'tampered' as const, text: 'a.test.ts was deleted' },
      { kind: 'adopted' as const, text: 'went on' },
    ]
    expect(signs({ execution: { state: 'FAILED' as const, flags } })).toEqual(['a.test.ts was deleted'])
  })
})
