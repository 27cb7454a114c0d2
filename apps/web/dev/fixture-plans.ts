import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { bead, execution, now, project, type FixtureProject } from './fixture-data.ts'
import { phasesFor } from './fixture-phases.ts'
import { huge, planView, search } from './fixture-plan-texts.ts'

/* Beads that are done by a plan: one that waits, one at work, one that failed, one that is done, and a large one. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const p = 'plans'

export type FixturePlans = { plans: Map<string, PlanView[]>; phases: Map<string, PhaseView[]> }

const progress = (
  phase: number,
  given: Partial<NonNullable<ExecutionView['progress']>>,
): NonNullable<ExecutionView['progress']> => ({
  phase,
  of: 4,
  status: 'running',
  activity: 'subtasks',
  attempt: 1,
  done: 1,
  subtasks: 2,
  ...given,
})

export function planned(): FixtureProject & FixturePlans {
  const head = (version = 1, approved = false) => ({ version, phased: true, approved })
  const beads = [
    bead(p, {
      id: 'pn-run',
      title: 'Search the catalogue',
      type: 'feature',
      status: 'in_progress',
      plan: head(2, true),
    }),
    bead(p, { id: 'pn-architect', title: 'Lend books to other libraries', type: 'feature' }),
    bead(p, {
      id: 'pn-wait',
      title: 'Reserve a book that is lent',
      type: 'feature',
      ready: true,
      reason: { code: 'plan_waits', text: 'its plan waits for your approval: beadloom plan pn-wait' },
      plan: head(),
    }),
    bead(p, {
      id: 'pn-failed',
      title: 'Search by author, too',
      type: 'feature',
      status: 'in_progress',
      failed: true,
      plan: head(),
    }),
    bead(p, {
      id: 'pn-paused',
      title: 'Search by year',
      type: 'feature',
      status: 'in_progress',
      reason: { code: 'phase_waits', text: 'phase 2 is done: waits for you (beadloom plan pn-paused --continue)' },
      plan: head(1, true),
    }),
    bead(p, { id: 'pn-done', title: 'Search by place', type: 'feature', status: 'done', plan: head(1, true) }),
    bead(p, { id: 'pn-big', title: 'Dates with their offset everywhere', type: 'epic', ready: true, plan: head() }),
    bead(p, { id: 'pn-odd', title: 'Make everything better', type: 'feature', ready: true }),
  ]
  const startedAt = now - 760 * SECOND
  const run = execution(p, 'pn-run', 'RUNNING', {
    planVersion: 2,
    attempt: 5,
    startedAt,
    deadlineAt: now + 40 * MINUTE,
    tokens: { input: 402_000, output: 31_000 },
    progress: progress(3, {}),
    activity: 'editing src/pages/search.tsx',
  })
  const planning = execution(p, 'pn-architect', 'RUNNING', {
    kind: 'plan',
    branch: 'beadloom/work',
    maxAttempts: 2,
    activity: 'reading src/catalogue/index.ts',
  })
  const ended = { startedAt: now - 30 * MINUTE, endedAt: now - 12 * MINUTE, planVersion: 1 }
  const failed = execution(p, 'pn-failed', 'FAILED', {
    ...ended,
    reason: 'subtask_failed',
    detail:
      'The subtask “Build the search page” failed: the agent ended with code 1. Approved phases stay on the branch; run the bead again to continue after them.',
    progress: progress(3, { status: 'failed', activity: null }),
  })
  const completed = execution(p, 'pn-done', 'COMPLETED', {
    ...ended,
    endedAt: now - 10 * MINUTE,
    progress: progress(4, { status: 'completed', activity: null, subtasks: 1 }),
  })
  const odd = execution(p, 'pn-odd', 'FAILED', {
    kind: 'plan',
    reason: 'plan_invalid',
    detail:
      "The architect gave no plan that can be used, even when asked again: Subtask 'a' touches no files. Plan it again: beadloom run pn-odd --planning always",
  })
  const paused = execution(p, 'pn-paused', 'RUNNING', {
    ...ended,
    endedAt: null,
    waits: { kind: 'phase', after: 2, since: now - 6 * MINUTE, continued: false },
    progress: progress(3, { status: 'pending', activity: null, done: 0, attempt: 0 }),
    activity: 'phase 2 is done: waits for you',
  })
  const plans = new Map<string, PlanView[]>([
    [
      'pn-run',
      [
        planView('pn-run', { ...search, subtasks: search.subtasks.slice(0, 5) }),
        planView('pn-run', search, {
          version: 2,
          source: 'person',
          madeAt: now - 20 * MINUTE,
          approvedAt: now - 14 * MINUTE,
        }),
      ],
    ],
    ['pn-wait', [planView('pn-wait', search)]],
    ['pn-failed', [planView('pn-failed', search)]],
    ['pn-paused', [planView('pn-paused', search, { approvedAt: now - 31 * MINUTE })]],
    ['pn-done', [planView('pn-done', search, { approvedAt: now - 31 * MINUTE })]],
    ['pn-big', [planView('pn-big', huge, { source: 'tracker' })]],
  ])
  const newest = (id: string) => plans.get(id)?.at(-1) ?? planView(id, search)
  const phases = new Map([
    [run.id as string, phasesFor(run, newest('pn-run'), 'running')],
    [failed.id as string, phasesFor(failed, newest('pn-failed'), 'failed')],
    [paused.id as string, phasesFor(paused, newest('pn-paused'), 'paused')],
    [completed.id as string, phasesFor(completed, newest('pn-done'), 'done')],
  ])
  for (const one of [run, paused, failed, completed])
    one.inPhases = (phases.get(one.id) ?? []).flatMap(({ number, sessions }) =>
      sessions.map((session) => ({ ...session, phase: number })),
    )
  const made = project(p, { name: 'Library', autopilot: false }, beads, [run, planning, paused, failed, completed, odd])
  return { ...made, plans, phases }
}
