import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ExecutionEnd } from '../records/execution.ts'
import { retryLayer, type Failure, type FailureKind } from '../records/failure/failure.ts'
import { parseSessionId } from '../records/ids.ts'
import { defaultRetry, isFromOutside, OUTSIDE_RETRIES } from '../records/retry.ts'
import { afterLastTry, nextTry, undecidedBreak, type TriesSoFar } from './next-try.ts'

const failed = (kind: FailureKind, detail = `it was ${kind}`): ExecutionEnd => ({
  state: 'FAILED',
  reason: 'infra_error',
  kind,
  detail,
})
const tries = (patch: Partial<TriesSoFar> = {}): TriesSoFar => ({
  policy: { ...defaultRetry, retryCount: 2, retryDelay: 100 },
  retries: 0,
  outsideRetries: 0,
  elapsedMs: 0,
  ...patch,
})
const never: TriesSoFar['policy'] = defaultRetry

describe('after a failed try', () => {
  test('the policy retries a failure of the container, and counts from one', () => {
    expect(nextTry([failed('out_of_memory')], tries({ retries: 1 }))).toEqual({
      by: 'policy',
      retry: 2,
      of: 2,
      inMs: 200,
      kind: 'out_of_memory',
      why: 'it was out_of_memory',
    })
  })

  test('no other try follows when the policy has none left, or the project wants none', () => {
    expect(nextTry([failed('out_of_memory')], tries({ retries: 2 }))).toBeNull()
    expect(nextTry([failed('out_of_memory')], tries({ policy: never }))).toBeNull()
  })

  test('a failure from outside is retried whatever the policy says, and costs none of its retries', () => {
    const next = nextTry([failed('stopped_outside')], tries({ policy: never, outsideRetries: 1 }))
    expect(next).toMatchObject({ by: 'outside', retry: 2, of: OUTSIDE_RETRIES, inMs: 2_000 })
  })

  test('after too many failures from outside the policy decides', () => {
    const used = tries({ outsideRetries: OUTSIDE_RETRIES })
    expect(nextTry([failed('stopped_outside')], used)).toMatchObject({ by: 'policy', retry: 1 })
    expect(nextTry([failed('stopped_outside')], { ...used, policy: never })).toBeNull()
  })

  test('of subtasks that failed together, the failure from outside comes first: it costs nothing', () => {
    const ends = [failed('subtask_failed'), failed('model_busy'), failed('engine_unreachable')]
    expect(nextTry(ends, tries())).toMatchObject({ by: 'outside', kind: 'engine_unreachable' })
  })

  test('a subtask that may be retried retries an execution whose own end may not', () => {
    expect(nextTry([failed('subtask_failed'), failed('model_busy')], tries())).toMatchObject({ kind: 'model_busy' })
    expect(nextTry([failed('subtask_failed')], tries())).toBeNull()
  })

  test('a subtask whose error the policy does not name leaves the retry to the next one', () => {
    const policy = { ...defaultRetry, retryCount: 1, retryOn: ['rate limit'] }
    expect(nextTry([failed('killed'), failed('model_busy')], tries({ policy }))).toMatchObject({ kind: 'model_busy' })
    expect(nextTry([failed('killed')], tries({ policy }))).toBeNull()
  })

  test("a subtask's title is no error: the policy's words are not looked for in it", () => {
    const what: Failure = { kind: 'agent_exited', detail: 'it printed nothing' }
    const end: ExecutionEnd = {
      ...failed('agent_exited', 'Subtask 2 "handle the rate limit": it printed nothing'),
      failure: { what, more: ' It was the third.' },
    } as ExecutionEnd
    const on = (word: string) => tries({ policy: { ...defaultRetry, retryCount: 1, retryOn: [word] } })
    expect(nextTry([end], on('rate limit'))).toBeNull()
    expect(nextTry([end], on('printed nothing'))).not.toBeNull()
    expect(nextTry([end], on('the third'))).toMatchObject({ why: end.detail })
  })

  test('nothing else than a failure is retried', () => {
    const ends: ExecutionEnd[] = [
      { state: 'COMPLETED', commit: 'c', detail: '' },
      { state: 'BLOCKED', blockedReason: 'which?', detail: '' },
      { state: 'TIMEOUT', reason: 'silence', detail: '' },
      { state: 'CANCELLED', detail: '' },
      { state: 'FAILED', reason: 'infra_error', detail: 'internal error' },
    ]
    for (const end of ends) expect(nextTry([end], tries())).toBeNull()
  })

  test('a retry is for a retryable failure only, and tries end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...(Object.keys(retryLayer) as FailureKind[])), { maxLength: 4 }),
        fc.nat(12),
        fc.nat(6),
        fc.nat(10),
        (kinds, retries, outsideRetries, retryCount) => {
          const policy = { ...defaultRetry, retryCount }
          const next = nextTry(
            kinds.map((kind) => failed(kind)),
            { policy, retries, outsideRetries, elapsedMs: 0 },
          )
          const some = kinds.some((kind) => retryLayer[kind] === 'infra')
          const outside = kinds.some(isFromOutside) && outsideRetries < OUTSIDE_RETRIES
          expect(next !== null).toBe(outside || (some && retries < retryCount))
          if (next) expect(retryLayer[next.kind]).toBe('infra')
          if (next) expect(next.retry).toBeLessThanOrEqual(next.of)
          if (next) expect(next.by).toBe(outside ? 'outside' : 'policy')
        },
      ),
    )
  })
})

describe('the end after the last try', () => {
  test('counts the tries if there were retries', () => {
    expect(afterLastTry(failed('killed', 'It was killed.'), 2)).toMatchObject({
      reason: 'retries_exhausted',
      kind: 'killed',
      detail: 'Failed 3 times. Last error: It was killed.',
    })
  })

  test('is the failure itself without retries, or if no retry could have helped', () => {
    for (const end of [failed('killed'), failed('turn_limit')]) expect(afterLastTry(end, 0)).toBe(end)
    const end = failed('turn_limit')
    expect(afterLastTry(end, 2)).toBe(end)
    const blocked: ExecutionEnd = { state: 'BLOCKED', blockedReason: '?', detail: '' }
    expect(afterLastTry(blocked, 2)).toBe(blocked)
  })
})

describe('a session that broke while its server died', () => {
  const session = (number: number, outcome: 'infra_error' | 'success' | null, container: string | null = 'c') => ({
    id: parseSessionId(`ex-aaaaaaaaaa.${number}`),
    outcome,
    container,
  })

  test('is undecided until a retry has answered it', () => {
    const sessions = [session(1, 'success'), session(2, 'infra_error')]
    expect(undecidedBreak(sessions, 1, [])).toBe(sessions[1])
    expect(undecidedBreak(sessions, 2, [])).toBeNull()
  })

  test('counts although the next one was begun without a container: that one could not break', () => {
    const sessions = [session(1, 'infra_error'), session(2, 'infra_error', null)]
    expect(undecidedBreak(sessions, 0, [])).toBe(sessions[0])
    expect(undecidedBreak(sessions, 1, [])).toBeNull()
  })

  test('is left to its phase if it is a subtask', () => {
    const last = session(1, 'infra_error')
    expect(undecidedBreak([last], 0, [last.id])).toBeNull()
  })

  test('is none if the last session ended, is open, or there is no session', () => {
    expect(undecidedBreak([session(1, 'infra_error'), session(2, 'success')], 0, [])).toBeNull()
    expect(undecidedBreak([session(1, 'infra_error'), session(2, null)], 0, [])).toBeNull()
    expect(undecidedBreak([], 0, [])).toBeNull()
  })
})
