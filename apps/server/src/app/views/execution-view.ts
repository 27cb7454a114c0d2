import { shortened } from '@beadloom/core/text/shortened.ts'
import type { ExecutionPlace, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ActionView } from '@beadloom/core/api/people/people-api.ts'
import { fetchCommand } from '@beadloom/core/records/branch.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { reachedWords } from '@beadloom/core/egress/ledger.ts'
import { bringsWork, isTerminal, type Execution } from '@beadloom/core/records/execution.ts'
import { warningSigns } from '@beadloom/core/execution/signs.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'
import type { ScheduleMemory } from '../scheduling/schedule-memory.ts'
import type { Projects } from '../projects/projects.ts'
import { settingsOf } from '../stored/stored-settings.ts'
import type { BudgetWatch } from '../../ports/budget.ts'
import { budgetSigns } from './budget-signs.ts'
import type { Activities } from './activity.ts'
import { planned } from './phase-progress.ts'
import { endNow, keptViews } from './kept-containers.ts'

export type ExecutionViewDeps = {
  store: Store
  projects: Projects
  activities: Activities
  hub: Pick<Hub, 'path'>
  schedule: Pick<ScheduleMemory, 'reason'>
  budget: BudgetWatch
  /** Currency of model prices, ISO 4217. */
  currency: string
  /** Whether the server knows people beside the access token. */
  people: boolean
}

/** `bd` accepts no longer title; a hand-written file of beads may have any. */
const LONGEST_TITLE = 500

/** An execution with its sessions, its checks' results, and its follow-ups. */
export function executionView(deps: ExecutionViewDeps, execution: Execution): ExecutionView {
  const { store, activities, projects } = deps
  const { id } = execution
  const row = store.project(execution.project)
  const settings = row && settingsOf(row)
  const sessions = store.sessions(id)
  const verifications = store.verificationsInShort(id)
  const testsAllowed = store.testsAllowed(execution.project, execution.bead)
  const { signs, ...limited } = budgetSigns(deps, execution)
  const kept = keptViews(store, id)
  return {
    ...execution,
    detail: endNow(deps, execution, kept),
    beadTitle: shortened(store.bead(execution.project, execution.bead)?.title ?? '', LONGEST_TITLE),
    ...whyItWaits(deps, execution),
    ...(bringsWork(execution) && { fetch: fetchCommand(deps.hub.path(execution.project), execution.branch) }),
    activity: isTerminal(execution.state) ? null : activities.of(id),
    sessions,
    ...planned(store, execution, { sessions, verifications }),
    verifications,
    followUps: store.followUpsOf(id),
    ...(testsAllowed.length > 0 && { testsAllowed }),
    ...reachedBy(store, id, settings?.network ?? 'none'),
    ...doneBy(deps, id),
    ...placeOf(store, id),
    ...placeWaitOf(store, execution),
    kept,
    signs: [...warningSigns({ execution, sessions, verifications, promptLengths: store.promptLengths(id) }), ...signs],
    ...limited,
    timeoutMs: execution.course?.executionTimeoutMs ?? settings?.limits.executionTimeoutMs ?? null,
    modelNote: projects.model(execution.project)?.note ?? null,
    ...(settings && limitsOf(settings.limits, store.granted({ scope: 'execution', ids: [id], since: null }).tokens)),
    ...(execution.tokens.costMicros !== undefined && { currency: deps.currency }),
  }
}

/** More than anybody does to one execution and wants to read. */
const MOST_ACTIONS = 20

/** People's actions on it, the oldest first; a server with the access token alone need not say whose they are. */
function doneBy({ store, people }: ExecutionViewDeps, id: Execution['id']): { actions?: ActionView[] } {
  const actions = people ? store.actionsOnExecution(id, MOST_ACTIONS).toReversed() : []
  return actions.length === 0 ? {} : { actions }
}

function reachedBy(
  store: Pick<Store, 'egressOf'>,
  id: Execution['id'],
  network: ProjectSettings['network'],
): { reached?: string } {
  const entries = store.egressOf(id)
  return entries.length === 0 ? {} : { reached: reachedWords(entries, { network, allow: [] }) }
}

function placeOf(store: Pick<Store, 'lastEvent'>, id: Execution['id']): { place?: ExecutionPlace } {
  const placed = store.lastEvent(id, 'placed')?.data as ExecutionPlace | undefined
  return placed === undefined ? {} : { place: { engine: placed.engine, node: placed.node } }
}

function placeWaitOf(
  store: Pick<Store, 'lastEvent'>,
  { id, state }: Pick<Execution, 'id' | 'state'>,
): { waitsForPlace?: string } {
  if (state !== 'RUNNING') return {}
  const { text = '' } = (store.lastEvent(id, 'waits_for_place')?.data ?? {}) as { text?: string }
  return text === '' ? {} : { waitsForPlace: text }
}

/** Only a queued execution has a reason to wait. The schedule also gives reasons for beads that are not queued. */
function whyItWaits({ schedule }: ExecutionViewDeps, { state, project, bead }: Execution): { whyQueued?: Reason } {
  const reason = state === 'QUEUED' ? schedule.reason(project, bead) : null
  return reason === null || reason.code === 'manual' || reason.code === 'running' ? {} : { whyQueued: reason }
}

/** Empty in the usual case, without limits. `granted`: people's grants to the execution. */
function limitsOf({ maxTokensPerSession, maxTokens, maxTokensPerDay }: ProjectSettings['limits'], granted: number) {
  const tokenLimits = {
    session: maxTokensPerSession ?? null,
    execution: maxTokens === null ? null : maxTokens + granted,
    day: maxTokensPerDay ?? null,
  }
  return Object.values(tokenLimits).some((limit) => limit !== null) ? { tokenLimits } : {}
}
