import type { LimitView } from '@beadloom/core/api/budgets/budget-api.ts'
import { isNear, isReached, limitText, type LimitState } from '@beadloom/core/budget/limit-states.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { BudgetWatch, Spender } from '../../ports/budget.ts'
import type { SpentBy } from '../../ports/store/budgets.ts'
import type { Store } from '../../ports/store.ts'
import { settingsOf, withNewer } from '../stored/stored-settings.ts'

export const limitView = (state: LimitState, warnAt: number, currency: string): LimitView => ({
  ...state,
  near: isNear(state, warnAt),
  reached: isReached(state),
  text: limitText(state, currency),
})

export type OpenLimit = { state: LimitState; by: SpentBy }

/** Each limit that covers an execution, once; a session's limit for each open session. */
export function openLimits(
  { store, budget }: { store: Pick<Store, 'sessions'>; budget: BudgetWatch },
  { id, project, bead, endedAt }: Execution,
  settings: ProjectSettings,
): OpenLimit[] {
  const open =
    endedAt === null ? store.sessions(id).filter(({ kind, state }) => kind !== 'service' && state !== 'ended') : []
  const of = (session: SessionId | null): Spender => ({ session, execution: id, project, bead })
  const bySessions = open.flatMap((session) =>
    budget.covering(of(session.id), settings).filter(({ state }) => state.scope === 'session'),
  )
  return [...bySessions, ...budget.covering(of(null), settings)]
}

/** The settings that it runs with, or would start with. */
export function settingsFor(
  store: Pick<Store, 'startedSettings' | 'project'>,
  { id, project }: Execution,
): ProjectSettings | null {
  const started = store.startedSettings(id)
  if (started !== null) return withNewer(started)
  const row = store.project(project)
  return row && settingsOf(row)
}
