import type { PauseExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { describeProblems, readPlan } from '@beadloom/core/plan/read-plan.ts'
import type { FixtureBead, FixtureProject } from './fixture-data.ts'
import { planView } from './fixture-plan-texts.ts'
import { pauseBy } from './fixture-messages.ts'
import type { FixtureWorld } from './fixture-world.ts'

type Answer = (status: number, value: unknown) => void
type Asked = {
  world: FixtureWorld
  project: FixtureProject
  bead: FixtureBead
  method: string
  path: string[]
  url: URL
  body: unknown
}

/** `GET` and `PUT …/plan`, `POST …/plan/approve`. */
export function handlePlan({ world, project, bead, method, path, url, body }: Asked, answer: Answer): void {
  const refuse = (status: number, code: string, message: string, details?: unknown) =>
    answer(status, { error: { code, message, details } })
  const versions = project.plans?.get(bead.id) ?? []
  const newest = versions.at(-1)
  const tell = (plan: PlanView) => {
    bead.plan = { version: plan.version, phased: plan.phased, approved: plan.approvedAt !== null }
    world.tellBead(project, bead)
    answer(200, plan)
  }
  if (method === 'PUT') {
    const onto = Number(url.searchParams.get('onto') ?? newest?.version ?? 0)
    const read = readPlan(body)
    if ('problems' in read) return refuse(422, 'plan_invalid', describeProblems(read.problems), read.problems)
    if (onto !== (newest?.version ?? 0))
      return refuse(409, 'changed', `the plan was changed meanwhile: its newest version is ${newest?.version}.`)
    return tell(
      world.addPlan(
        project,
        bead,
        planView(bead.id, read.plan, { source: 'person', version: onto + 1, madeAt: Date.now() }),
      ),
    )
  }
  const wanted = url.searchParams.get('version')
  const plan = wanted === null ? newest : versions.find(({ version }) => version === Number(wanted))
  if (!plan) return refuse(404, 'no_plan', `the bead ${bead.id} has no plan`)
  if (path[5] === 'approve') {
    plan.approvedAt = Date.now()
    if (bead.reason?.code === 'plan_waits') bead.reason = null
    return tell(plan)
  }
  answer(200, { ...plan, newest: newest?.version ?? plan.version })
}

type Found = { project: FixtureProject; run: ExecutionView }

export function pauseOrResume(
  world: FixtureWorld,
  { project, run }: Found,
  wish: 'pause' | 'resume',
  { at }: PauseExecution,
): ExecutionView {
  const { pauseAsked: _, paused, ...rest } = run
  const next =
    wish === 'resume'
      ? { ...rest, ...(run.waits?.kind === 'phase' && { waits: { ...run.waits, continued: true } }) }
      : at === 'phase'
        ? { ...run, pauseAsked: true as const }
        : { ...run, paused: paused ?? pauseBy('', Date.now()) }
  world.tellExecution(project, next)
  return next
}
