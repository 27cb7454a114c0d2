import { provesNothing } from '@beadloom/core/records/verification.ts'
import type { Attempt } from './attempts.ts'
import { marks, type Mark } from '../../../components/bead/states.ts'

/** The result of an attempt, or that it still runs. */
export function markOfAttempt({ passed, sessions, checks }: Attempt, live: boolean): Mark {
  if (live && sessions.some(({ state }) => state !== 'ended')) return marks.running
  if (passed && checks.at(-1)?.steps.every(provesNothing)) return { ...marks.blocked, word: 'Not checked' }
  if (passed !== null)
    return passed ? { ...marks.completed, word: 'Passed checks' } : { ...marks.failed, word: 'Failed checks' }
  if (live) return marks.running
  const bad = sessions.findLast(({ outcome }) => outcome !== null && outcome !== 'success')
  return bad ? { ...marks.failed, word: 'Not finished' } : { ...marks.queued, word: 'Not checked' }
}
