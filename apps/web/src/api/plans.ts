import type { Page } from '@beadloom/core/api/api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { Plan } from '@beadloom/core/records/plan.ts'
import { call } from './client.ts'

const part = encodeURIComponent
const planOf = (project: string, bead: string) => `/api/projects/${part(project)}/beads/${part(bead)}/plan`

/** Without a version: the newest. */
export const getPlan = (project: string, bead: string, version: number | undefined, signal?: AbortSignal) =>
  call<PlanView>(`${planOf(project, bead)}${version === undefined ? '' : `?version=${version}`}`, {
    ...(signal !== undefined && { signal }),
  })
/** Refused with 409 unless `onto` is the newest version (0: there is none yet). */
export const putPlan = (project: string, bead: string, body: Plan, onto: number) =>
  call<PlanView>(`${planOf(project, bead)}?onto=${onto}`, { method: 'PUT', body })
export const approvePlan = (project: string, bead: string, version: number) =>
  call<PlanView>(`${planOf(project, bead)}/approve`, { method: 'POST', body: { version }, repeatable: true })

const execution = (id: string) => `/api/executions/${part(id)}`
export const getPhases = (id: string, signal: AbortSignal) =>
  call<Page<PhaseView>>(`${execution(id)}/phases`, { signal })
