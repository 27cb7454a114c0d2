import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { Store } from '../../ports/store.ts'
import { phaseHistory, type StoredHistory } from '../../workflow/phases/phase-history.ts'
import { activityOf, phaseStates, sessionsOf, subtaskViews } from './phase-states.ts'
import { treeView } from './phase-trees.ts'

/** The phases of an execution with all known facts; none if it does not work by a plan. */
export function phaseViews(store: Store, execution: Execution): PhaseView[] {
  const sessions = store.sessions(execution.id)
  const history = phaseHistory(store, execution, { sessions })
  if (history === null) return []
  const known = knownChecks(store, history)
  return phaseStates(execution, history).map((phase) => {
    const { number, status, attempt, row, rounds } = phase
    const before = known.filter(({ commit }) => commit === row?.preCommit)
    const trees = rounds.map((round) => treeView(history, round, before))
    return {
      number,
      status,
      activity: activityOf(history, phase),
      attempt,
      prePhaseCommit: row?.preCommit ?? null,
      commit: row?.commit ?? null,
      from: row?.from ?? null,
      startedAt: row?.startedAt ?? null,
      endedAt: row?.endedAt ?? null,
      subtasks: subtaskViews(history, phase, sessions),
      trees,
      review: trees.at(-1)?.review ?? null,
      sessions: sessionsOf(history, phase, sessions),
      summary: row?.summary ?? '',
    }
  })
}

/** Includes the checks of phases that an earlier execution has done. */
const knownChecks = (store: Store, { phases, verifications }: StoredHistory): Verification[] => [
  ...[...new Set(phases.flatMap(({ from }) => from ?? []))].flatMap((id) => store.verifications(id)),
  ...verifications,
]
