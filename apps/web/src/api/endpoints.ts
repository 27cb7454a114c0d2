import type { ChangeInbox, InboxView } from '@beadloom/core/api/projects/inbox-api.ts'
import type { SavedContainer } from '@beadloom/core/api/executions/container-api.ts'
import type { GrantBudget } from '@beadloom/core/api/budgets/budget-requests.ts'
import type { AddProject } from '@beadloom/core/api/projects/project-requests.ts'
import type { AllowTests, QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import type { AskPullRequest } from '@beadloom/core/api/pull-requests/pull-request-requests.ts'
import type { AskReview } from '@beadloom/core/api/reviews/review-requests.ts'
import type { ChangeBead, NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import type { BranchView, DiffView, PatchView, WhyView } from '@beadloom/core/api/executions/diff-api.ts'
import type { EgressView } from '@beadloom/core/api/executions/egress-api.ts'
import type { LogCall, LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { ApiFailure, call, callText, send } from './client.ts'

const part = encodeURIComponent
const bead = (project: string, id: string) => `/api/projects/${part(project)}/beads/${part(id)}`
const log = (session: string) => `/api/sessions/${part(session)}/log`

/** The name of one press of a button: the server answers a repeated press with the first one's result. */
export const pressKey = (): string => crypto.randomUUID()

export const getBead = (project: string, id: string, signal: AbortSignal) =>
  call<BeadView>(bead(project, id), { signal })
export const getActivity = (project: string, days: number, signal: AbortSignal) =>
  call<ActivityView>(`/api/projects/${part(project)}/activity?days=${days}`, { signal })
/** `DependenciesView` as JSON. */
export const getDependencies = (project: string, signal: AbortSignal) =>
  callText(`/api/projects/${part(project)}/dependencies`, signal)
export const getProjects = (signal: AbortSignal) => call<Page<ProjectView>>('/api/projects', { signal })
export const addProject = (body: AddProject) => call<ProjectView>('/api/projects', { method: 'POST', body })
export const getAdding = (signal: AbortSignal) => call<Page<AddingView>>('/api/adding', { signal })
export const cancelAdding = (project: string) => call<unknown>(`/api/adding/${part(project)}`, { method: 'DELETE' })
export const addBead = (project: string, body: NewBead, key: string) =>
  call<BeadView>(`/api/projects/${part(project)}/beads`, { method: 'POST', body, key })
export const setAutopilot = (project: string, autopilot: boolean) =>
  call<ProjectView>(`/api/projects/${part(project)}`, { method: 'PATCH', body: { autopilot } })
export const pauseProject = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/pause`, { method: 'POST', repeatable: true })
export const resumeProject = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/resume`, { method: 'POST', repeatable: true })
export const proveBase = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/environment/prove`, { method: 'POST', repeatable: true })
export const stopProof = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/environment/stop`, { method: 'POST', repeatable: true })
/** An address, for a link. */
export const proofLog = (project: string, of: 'setup' | 'checks'): string =>
  `/api/projects/${part(project)}/environment/log?of=${of}`
export const mendBase = (project: string, key: string) =>
  call<BeadView>(`/api/projects/${part(project)}/environment/mend`, { method: 'POST', key })
export const syncProject = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/sync`, { method: 'POST', repeatable: true })

export const changeBead = (project: string, id: string, status: ChangeBead['status']) =>
  call<BeadView>(bead(project, id), { method: 'PATCH', body: { status } })

export const editBead = (project: string, id: string, body: Omit<ChangeBead, 'status'>) =>
  call<BeadView>(bead(project, id), { method: 'PATCH', body })

/** `of`: only reviews of this bead; null: only those of the work branch. */
export const getReviews = (
  project: string,
  { of, limit, cursor }: { of?: string | null; limit: number; cursor?: string },
  signal: AbortSignal,
) => {
  const bead = of === undefined ? '' : `&bead=${part(of ?? '')}`
  const after = cursor === undefined ? '' : `&cursor=${part(cursor)}`
  return call<Page<ReviewView>>(`/api/projects/${part(project)}/reviews?limit=${limit}${bead}${after}`, { signal })
}
export const getReview = (id: string, signal: AbortSignal) => call<ReviewView>(`/api/reviews/${part(id)}`, { signal })
export const askReview = (project: string, body: AskReview, key: string) =>
  call<ReviewView>(`/api/projects/${part(project)}/reviews`, { method: 'POST', body, key })
export const dismissIssue = (review: string, issue: number, note: string, key: string) =>
  call<ReviewView>(`/api/reviews/${part(review)}/issues/${issue}/dismiss`, { method: 'POST', body: { note }, key })
export const reopenIssue = (review: string, issue: number, key: string) =>
  call<ReviewView>(`/api/reviews/${part(review)}/issues/${issue}/reopen`, { method: 'POST', key })
export const askPullRequest = (project: string, body: AskPullRequest, key: string) =>
  call<PullRequestView>(`/api/projects/${part(project)}/pull-requests`, { method: 'POST', body, key })
export const cancelPullRequest = (id: string) =>
  call<PullRequestView>(`/api/pull-requests/${part(id)}/cancel`, { method: 'POST', repeatable: true })

export const getInbox = (project: string, signal: AbortSignal) =>
  call<InboxView>(`/api/projects/${part(project)}/inbox`, { signal })
export const changeInbox = (project: string, body: ChangeInbox) =>
  call<InboxView>(`/api/projects/${part(project)}/inbox`, { method: 'PATCH', body })

export const queueExecution = (project: string, id: string, body: QueueExecution, key: string) =>
  call<ExecutionView>(`${bead(project, id)}/executions`, { method: 'POST', body, key })
export const cancelExecution = (execution: string) =>
  call<unknown>(`/api/executions/${part(execution)}/cancel`, { method: 'POST', repeatable: true })

/** Allows the weaker tests for which an execution was refused; answers with the execution that continues it. */
export const allowTests = (execution: string, body: AllowTests, key: string) =>
  call<ExecutionView>(`/api/executions/${part(execution)}/allow-tests`, { method: 'POST', body, key })

/** Raises the budget, counted from what is used so far. */
export const grantBudget = (execution: string, body: GrantBudget, key: string) =>
  call<ExecutionView>(`/api/executions/${part(execution)}/grants`, { method: 'POST', body, key })

/** Gives back the slot of an execution whose container cannot be stopped. */
export const abandonExecution = (execution: string, key: string) =>
  call<ExecutionView>(`/api/executions/${part(execution)}/abandon`, { method: 'POST', key })

export const saveContainer = (name: string, key: string) =>
  call<SavedContainer>(`/api/containers/${part(name)}/save`, { method: 'POST', key })
export const discardContainer = (name: string) =>
  call<unknown>(`/api/containers/${part(name)}`, { method: 'DELETE', repeatable: true })

/** Starts the waiting retry of an execution now. */
export const retryNow = (execution: string, key: string) =>
  call<ExecutionView>(`/api/executions/${part(execution)}/retry-now`, { method: 'POST', key })

/** The newest executions of a project, so that cards can say how their last one ended. */
export const getExecutions = (project: string, signal: AbortSignal) =>
  call<Page<ExecutionView>>(`/api/executions?project=${part(project)}`, { signal })
export const getExecution = (execution: string, signal: AbortSignal) =>
  call<ExecutionView>(`/api/executions/${part(execution)}`, { signal })
export const getWhy = (execution: string, path: string, text: string, signal: AbortSignal) =>
  call<WhyView>(`/api/executions/${part(execution)}/why?path=${part(path)}&text=${part(text)}`, { signal })
export const getEgress = (execution: string, signal: AbortSignal) =>
  call<EgressView>(`/api/executions/${part(execution)}/egress`, { signal })
/** `from` and `to` are commits; null: the server chooses. */
export type DiffWish = { from?: string | null; to?: string | null; ignoreSpace?: boolean; context?: number }
const diffPath = (execution: string, { from, to, ignoreSpace, context }: DiffWish, path?: string): string => {
  const query = new URLSearchParams()
  if (path !== undefined) query.set('path', path)
  if (from) query.set('from', from)
  if (to) query.set('to', to)
  if (ignoreSpace === true) query.set('whitespace', 'ignore')
  if (context !== undefined) query.set('context', String(context))
  return `/api/executions/${part(execution)}/diff${query.size > 0 ? `?${query}` : ''}`
}
export const getDiff = (execution: string, signal: AbortSignal, wish: DiffWish = {}) =>
  call<DiffView>(diffPath(execution, wish), { signal })
export const getBranch = (execution: string, signal: AbortSignal) =>
  call<BranchView>(`/api/executions/${part(execution)}/commits`, { signal })
export const getPatch = (execution: string, path: string, signal: AbortSignal, wish: DiffWish = {}) =>
  call<PatchView>(diffPath(execution, wish, path), { signal })

/** The arguments of tool calls in the lines [from, to). */
export const getLogCalls = (session: string, { from, to }: LogRange, signal: AbortSignal) =>
  call<{ items: LogCall[] }>(`${log(session)}/calls?from=${from}&to=${to}`, { signal })
export const getLogMeta = (session: string, signal: AbortSignal) => call<LogMeta>(`${log(session)}/meta`, { signal })
/** Colours in effect at the first line of a block; null if the header is not a valid parameter. */
const styleOf = ({ headers }: Response): string | null =>
  /^[\d;:]{0,200}$/.exec(headers.get('beadloom-log-style') ?? '-')?.[0] ?? null
export const getLogBlock = async (session: string, block: number, signal: AbortSignal) => {
  const response = await send(`${log(session)}/blocks/${block}`, { signal })
  return { text: await response.text(), style: styleOf(response) }
}
export const getLogStyle = async (session: string, block: number, signal: AbortSignal) =>
  styleOf(await send(`${log(session)}/blocks/${block}`, { method: 'HEAD', signal }))
/** Times and streams of the lines [from, to); null if the server has none. */
export const getLogMarks = async (session: string, { from, to }: LogRange, signal: AbortSignal) => {
  try {
    return await call<LogMarks>(`${log(session)}/marks?from=${from}&to=${to}`, { signal })
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null
    throw error
  }
}
type LogRange = { from: number; to: number }
/** Lines [from, to) of a log as text; the whole log without them. */
export type LogText = { ansi?: boolean; from?: number; to?: number; download?: boolean; times?: LogTimes | null }
/** Puts its time before each line: in UTC, or in a time zone (`Europe/Berlin`). */
export type LogTimes = 'utc' | { zone: string }
export function logTextUrl(session: string, { ansi = false, from, to, download, times }: LogText = {}): string {
  const query = new URLSearchParams({ ansi: ansi ? '1' : '0' })
  if (from !== undefined) query.set('from', String(from))
  if (to !== undefined) query.set('to', String(to))
  if (times) query.set('ts', times === 'utc' ? 'utc' : 'local')
  if (times && times !== 'utc') query.set('tz', times.zone)
  if (download === true) query.set('download', '1')
  return `${log(session)}/raw?${query}`
}

export type LogQuery = { text: string; matchCase: boolean; word: boolean; regex: boolean }
/** NDJSON of `[line, column, length]`, starting at a line; progress comes as objects between them. */
export function searchLog(session: string, query: LogQuery, from: number, signal: AbortSignal): Promise<Response> {
  return send(`${log(session)}/search?${asked(query)}&from=${from}`, { signal })
}
/** NDJSON with the number of hits in each session of an execution, except one. */
export function countInSessions(
  execution: string,
  except: string,
  query: LogQuery,
  signal: AbortSignal,
): Promise<Response> {
  return send(`/api/executions/${part(execution)}/log/search?${asked(query)}&except=${part(except)}`, { signal })
}
const asked = (query: LogQuery): string =>
  `q=${part(query.text)}${query.matchCase ? '&case=1' : ''}${query.regex ? '&re=1' : ''}${query.word ? '&word=1' : ''}`
