import { clockTime } from '@beadloom/core/text/clock-time.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { pauseText } from '@beadloom/core/records/pause.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import type { Hold } from './hold.ts'

/** Whether calls and steps of an execution have to wait, because a person has paused it. */
export const isPaused = (live: LiveExecution): boolean => storedOf(live).paused !== undefined

/**
 * Holds everything of an execution that a person has paused, until somebody resumes it or its time is over.
 *
 * @param session its log says so; null: nothing of it runs
 */
export const pauseHold = (live: LiveExecution, session: SessionId | null): Hold => ({
  inForce: () => {
    const { store, clock, recorder } = live.deps
    const { paused } = storedOf(live)
    if (paused === undefined || paused.resumed) return null
    const { until, since, atEnd } = paused
    if (atEnd === 'resume' && until <= clock.now()) return null
    if (!paused.held) {
      void store.holdByPause(live.id)
      if (session !== null)
        recorder.note(session, `${pauseText({ ...paused, held: true })}, until ${clockTime(until, clock.now())}`)
    }
    return {
      until,
      unanswered: () => {
        live.stopper.stop({ stop: 'pause_over', pausedMs: until - since })
        return null
      },
    }
  },
  waitsForSlot: () => void resumed(live),
  endsNow: () => storedOf(live).paused?.question !== undefined && live.deps.store.waitingMessages(live.id).length === 0,
  // Awaited: a driver that still read a pause would hold its step again, and again.
  over: async () => {
    if (await resumed(live)) await live.deps.store.endPause(live.id)
  },
})

/** Resumes a pause whose time is over, which nobody has resumed. False: it is not paused. */
async function resumed(live: LiveExecution): Promise<boolean> {
  const { paused } = storedOf(live)
  if (paused && !paused.resumed) await live.deps.store.resumeExecution(live.id, '')
  return paused !== undefined
}
