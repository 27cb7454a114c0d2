import type { Plan, Subtask } from '../records/plan.ts'
import { phasesOf } from './phases.ts'
import { follows } from './start-order.ts'

/** The subtasks of each phase, in order. */
export function subtasksByPhase({ subtasks }: Pick<Plan, 'subtasks'>): Subtask[][] {
  const byId = new Map(subtasks.map((one) => [one.id, one]))
  return phasesOf(subtasks).map((ids) => ids.flatMap((id) => byId.get(id) ?? []))
}

/** Legal properties that may surprise: subtasks of one phase that run one after the other. */
export function planWarnings(plan: Pick<Plan, 'subtasks'>): string[] {
  return subtasksByPhase(plan).flatMap((phase, at) =>
    phase.flatMap((one) => {
      const before = follows(one, phase).map(({ id }) => `'${id}'`)
      if (before.length === 0) return []
      return [
        `Subtask '${one.id}' waits for ${before.join(' and ')} in phase ${at + 1}, because they may touch the same files.`,
      ]
    }),
  )
}
