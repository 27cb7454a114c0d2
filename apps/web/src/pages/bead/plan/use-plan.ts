import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { pendingPhases } from './plan-phases.ts'
import { ApiFailure } from '../../../api/client.ts'
import { getPhases, getPlan } from '../../../api/plans.ts'

export type LivePlan =
  | { is: 'loading' }
  | { is: 'none' }
  | { is: 'error'; error: Error; retry: () => void }
  | {
      is: 'known'
      plan: PlanView
      /** The newest execution of exactly this version; null: none. */
      execution: ExecutionView | null
      /** Null until loaded. */
      phases: PhaseView[] | null
      phasesError: Error | null
    }

/**
 * Reads a version of a bead's plan with its progress, and again whenever the feed says that it has changed.
 *
 * @param wanted the version in the address; by default the one that a live execution uses, or the newest
 */
export function usePlan(bead: BeadView, executions: readonly ExecutionView[], wanted: number | undefined): LivePlan {
  const live = executions.find(({ state, planVersion }) => planVersion !== undefined && !isTerminal(state))
  const version = wanted ?? live?.planVersion
  const { plan: head, project, id } = bead
  const asked = useQuery({
    queryKey: ['plan', project, id, version ?? 'newest', head?.version ?? 0, head?.approved ?? false] as const,
    queryFn: ({ signal }) => getPlan(project, id, version, signal),
    enabled: head !== undefined,
    placeholderData: (previous, query) =>
      query?.queryKey[2] === id && query.queryKey[3] === (version ?? 'newest') ? keepPreviousData(previous) : undefined,
    retry: (count, error) => !(error instanceof ApiFailure && error.status === 404) && count < 2,
  })
  const plan = asked.data
  const execution = executions.find(({ planVersion }) => planVersion !== undefined && planVersion === plan?.version)
  const ran = usePhases(execution ?? null)
  if (head === undefined) return { is: 'none' }
  if (asked.error !== null && plan === undefined)
    return asked.error instanceof ApiFailure && asked.error.code === 'no_plan' && wanted === undefined
      ? { is: 'none' }
      : { is: 'error', error: asked.error, retry: () => void asked.refetch() }
  if (plan === undefined) return { is: 'loading' }
  return {
    is: 'known',
    plan,
    execution: execution ?? null,
    phases: execution === undefined ? pendingPhases(plan) : (ran.data?.items ?? null),
    phasesError: ran.data === undefined ? ran.error : null,
  }
}

/** Reads the progress of an execution's phases; requests nothing without an execution. */
export const usePhases = (execution: ExecutionView | null) =>
  useQuery({
    queryKey: ['phases', execution?.id ?? '', execution ? newsOf(execution) : ''] as const,
    queryFn: ({ signal }) => getPhases(execution?.id ?? '', signal),
    enabled: execution !== null,
    placeholderData: (previous, query) =>
      query?.queryKey[1] === execution?.id ? keepPreviousData(previous) : undefined,
  })

/** Changes only when an execution's phases may have changed. Its figures grow all the time, but do not matter here. */
const newsOf = ({ state, progress, sessions, verifications }: ExecutionView): string =>
  JSON.stringify([
    state,
    progress,
    verifications.length,
    sessions.map((one) => `${one.id} ${one.state} ${one.outcome ?? ''}`),
  ])
