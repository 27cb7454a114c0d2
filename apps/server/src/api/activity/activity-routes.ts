import type {
  ActivityItem,
  ActivityView,
  FailureCount,
  FailuresView,
} from '@beadloom/core/api/projects/activity-api.ts'
import { allTokens } from '@beadloom/core/budget/token-use.ts'
import type { Execution, ExecutionState } from '@beadloom/core/records/execution.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import { z } from 'zod'
import { route, type Route } from '../../http/routing/route.ts'
import { noProject } from '../../app/stored/refusals.ts'

const DAY_MS = 24 * 3_600_000
/** A longer history cannot be read at a glance. */
const MOST = 1_000
const LONGEST_DETAIL = 300

type ActivityDeps = {
  store: Pick<Store, 'project' | 'executions' | 'bead' | 'startOfExecution'>
  clock: Pick<Clock, 'now'>
  currency: string
  /** Null if the server knows nobody beside the access token. */
  people: PeopleSettings | null
}

export const activityRoutes = (deps: ActivityDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/projects/:project/activity',
    summary: 'What ran in the last days: each execution with its end, its size and what it used, newest first',
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(1) }),
    answer: { status: 200, description: 'ActivityView' },
    handle: ({ params, query }) => activity(deps, params.project, query.days),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/failures',
    summary: 'Why executions of the last days did not complete: each reason with how often, the most frequent first',
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(7) }),
    answer: { status: 200, description: 'FailuresView' },
    handle: ({ params, query }) => failures(deps, params.project, query.days),
  }),
]

/** The executions of the last `days` times 24 hours, and those that still run. */
function activity(
  { store, clock, currency, people }: ActivityDeps,
  id: ProjectId,
  days: number,
): ActivityView | Problem {
  if (!store.project(id)) return noProject(id)
  const { at, from, inTime, left } = lastDays(store, clock.now(), id, days)
  const titles = new Map<BeadId, string>()
  const titleOf = (bead: BeadId): string => {
    const known = titles.get(bead) ?? store.bead(id, bead)?.title ?? ''
    titles.set(bead, known)
    return known
  }
  return {
    at,
    from,
    items: inTime.map((one) => ({ ...itemOf(one, titleOf(one.bead)), ...(people !== null && askedBy(store, one.id)) })),
    left,
    currency,
  }
}

/** Newest first; `left`: there are more than were looked at. */
function lastDays(store: Pick<Store, 'executions'>, at: number, project: ProjectId, days: number) {
  const from = at - days * DAY_MS
  const newest = store.executions({ project, limit: MOST })
  const inTime = newest.filter(({ endedAt }) => endedAt === null || endedAt >= from)
  const oldest = newest.at(-1)
  return { at, from, inTime, left: newest.length === MOST && oldest !== undefined && (oldest.endedAt ?? at) >= from }
}

const bad: ReadonlySet<ExecutionState> = new Set(['FAILED', 'BLOCKED', 'TIMEOUT'])

function failures({ store, clock }: ActivityDeps, id: ProjectId, days: number): FailuresView | Problem {
  if (!store.project(id)) return noProject(id)
  const { at, from, inTime, left } = lastDays(store, clock.now(), id, days)
  const groups = Map.groupBy(
    inTime.filter(({ state }) => bad.has(state)),
    ({ state, reason }) => `${state} ${reason}`,
  )
  const items = [...groups.values()].flatMap((group): FailureCount[] => {
    const newest = group.toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))[0]
    if (newest === undefined) return []
    const { id: execution, bead, state, reason, detail, endedAt } = newest
    return [
      {
        state,
        reason,
        executions: group.length,
        beads: new Set(group.map((one) => one.bead)).size,
        newest: { execution, bead, endedAt: endedAt ?? at, detail: detail.slice(0, LONGEST_DETAIL) },
      },
    ]
  })
  return { at, from, items: items.sort((a, b) => b.executions - a.executions), left }
}

/** The person who asked for it; empty if autopilot did, or another execution. */
function askedBy(store: Pick<Store, 'startOfExecution'>, id: Execution['id']): { by?: string } {
  const asked = store.startOfExecution(id)
  return asked === undefined ? {} : { by: asked.by }
}

function itemOf(execution: Execution, title: string): ActivityItem {
  const { id, bead, kind, state, detail, startedAt, endedAt, commit, baseCommit, diffSize, tokens } = execution
  return {
    execution: id,
    bead,
    title,
    kind,
    state,
    detail: state === 'COMPLETED' ? '' : detail.slice(0, LONGEST_DETAIL),
    startedAt,
    endedAt,
    isMerged: kind === 'work' && state === 'COMPLETED' && commit !== null && commit !== baseCommit,
    diff: diffSize,
    tokens: allTokens(tokens),
    costMicros: tokens.costMicros ?? null,
  }
}
