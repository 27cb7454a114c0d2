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
    if (atEnd === 'resume' && until <= clock.now()) {
      void store.resumeExecution(live.id, '')
      return null
    }
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
  waitsForSlot: () => {},
  over: () => {
    if (storedOf(live).paused?.resumed) void live.deps.store.endPause(live.id)
  },
})
