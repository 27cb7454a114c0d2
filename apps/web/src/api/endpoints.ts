import type {
  AddProject,
  BeadView,
  DiffView,
  ExecutionView,
  LogMeta,
  NewBead,
  Page,
  PatchView,
  ProjectView,
  QueueExecution,
} from '@beadloom/core/api.ts'
import { call, callText, send } from './client.ts'

const part = encodeURIComponent
const bead = (project: string, id: string) => `/api/projects/${part(project)}/beads/${part(id)}`
const log = (session: string) => `/api/sessions/${part(session)}/log`

/** The name of one press of a button: the server answers a repeated press with the first one's result. */
export const pressKey = (): string => crypto.randomUUID()

export const getBead = (project: string, id: string, signal: AbortSignal) =>
  call<BeadView>(bead(project, id), { signal })
export const addProject = (body: AddProject) => call<ProjectView>('/api/projects', { method: 'POST', body })
export const addBead = (project: string, body: NewBead) =>
  call<BeadView>(`/api/projects/${part(project)}/beads`, { method: 'POST', body })
export const setAutopilot = (project: string, autopilot: boolean) =>
  call<ProjectView>(`/api/projects/${part(project)}`, { method: 'PATCH', body: { autopilot } })
export const pauseProject = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/pause`, { method: 'POST', repeatable: true })
export const resumeProject = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/resume`, { method: 'POST', repeatable: true })
export const syncProject = (project: string) =>
  call<unknown>(`/api/projects/${part(project)}/sync`, { method: 'POST', repeatable: true })

export const queueExecution = (project: string, id: string, body: QueueExecution, key: string) =>
  call<ExecutionView>(`${bead(project, id)}/executions`, { method: 'POST', body, key })
export const cancelExecution = (execution: string) =>
  call<unknown>(`/api/executions/${part(execution)}/cancel`, { method: 'POST', repeatable: true })

/** The newest executions of a project, so that cards can say how their last one ended. */
export const getExecutions = (project: string, signal: AbortSignal) =>
  call<Page<ExecutionView>>(`/api/executions?project=${part(project)}`, { signal })
export const getDiff = (execution: string, signal: AbortSignal) =>
  call<DiffView>(`/api/executions/${part(execution)}/diff`, { signal })
export const getPatch = (execution: string, path: string, signal: AbortSignal) =>
  call<PatchView>(`/api/executions/${part(execution)}/diff?path=${part(path)}`, { signal })

export const getLogMeta = (session: string, signal: AbortSignal) => call<LogMeta>(`${log(session)}/meta`, { signal })
export const getLogBlock = (session: string, block: number, signal: AbortSignal) =>
  callText(`${log(session)}/blocks/${block}`, signal)
export const rawLogUrl = (session: string) => `${log(session)}/raw?ansi=0`

export type LogQuery = { text: string; matchCase: boolean; regex?: boolean }
/** NDJSON of `[line, column, length]`; other lines (progress) are objects. */
export const searchLog = (session: string, query: LogQuery, signal: AbortSignal): Promise<Response> =>
  send(`${log(session)}/search?q=${part(query.text)}${query.matchCase ? '&case=1' : ''}${query.regex ? '&re=1' : ''}`, {
    signal,
  })
