import type { PhaseStep } from '@beadloom/core/plan/phase-step.ts'
import { follows } from '@beadloom/core/plan/start-order.ts'
import { warn, type LiveExecution } from '../../execution/live-execution.ts'
import { crashPoint } from '../../process/crash-point.ts'
import { historyOf } from './phase-history.ts'

/** Stores the beginning of an attempt at a phase, or of a session that mends one, before it begins. */
export async function beginRound(
  live: LiveExecution,
  { phase, attempt, kind, number }: Extract<PhaseStep, { do: 'begin_round' }>,
): Promise<void> {
  const { store } = live.deps
  await store.beginRound(live.id, { phase, attempt, kind, number })
  crashPoint('after-round-begun')
  await store.noteExecution(live.id, { attempt: number }) // before it starts, so that a crash cannot give it away again
  if (kind !== 'subtasks') return
  if (attempt > 1) return void (await store.addEvent(live.id, null, 'phase_retry', { phase, attempt }))
  const subtasks = historyOf(live).plan[phase - 1] ?? []
  for (const one of subtasks) {
    const before = follows(one, subtasks).map(({ id }) => id)
    if (before.length > 0)
      await warn(live, `Subtask ${one.id} waits for ${before.join(' and ')}: they may touch the same files`)
  }
}
