import { ApprovePlan } from '@beadloom/core/api/plans/plan-requests.ts'
import { PlanForm } from '@beadloom/core/records/plan.ts'
import { z } from 'zod'
import { createPlans, type PlanDeps } from './plans.ts'
import { optionalWhole } from '../../http/routing/query-params.ts'
import { route, type Route } from '../../http/routing/route.ts'

const { $schema: _, ...planSchema } = z.toJSONSchema(PlanForm)

/**
 * Described as a plan but accepted as anything, so that the answer names every problem at once, not only those of the
 * form.
 */
const AnyPlan = z.unknown().meta(planSchema)

export const planRoutes = (deps: PlanDeps): Route[] => {
  const plans = createPlans(deps)
  return [
    route({
      method: 'get',
      path: '/api/projects/:project/beads/:bead/plan',
      summary: 'The plan of a bead: subtasks and the phases that follow from what they depend on',
      query: z.strictObject({ version: optionalWhole().describe('Default: the newest') }),
      answer: { status: 200, description: 'PlanView' },
      handle: ({ params, query }) => plans.get(params.project, params.bead, query.version),
    }),
    route({
      method: 'put',
      path: '/api/projects/:project/beads/:bead/plan',
      summary: 'Stores a plan as a new version',
      description:
        'A version never changes: executions that work by an older one keep it. The same plan again makes no version. 422 names every problem at once, in `details`.',
      query: z.strictObject({
        onto: optionalWhole().describe('Refuse with 409 unless this is the newest version (0: there is no plan yet)'),
      }),
      body: AnyPlan,
      refusals: [409, 422],
      answer: { status: 200, description: 'PlanView of the newest version' },
      handle: ({ params, query, body }) => plans.put(params.project, params.bead, body, query.onto),
    }),
    route({
      method: 'post',
      path: '/api/projects/:project/beads/:bead/plan/approve',
      summary: 'Approves the newest version of a plan',
      idempotent: true,
      body: ApprovePlan,
      refusals: [409],
      answer: { status: 200, description: 'PlanView' },
      handle: ({ params, body }) => plans.approve(params.project, params.bead, body),
    }),
    route({
      method: 'get',
      path: '/api/executions/:execution/phases',
      summary: 'The phases of an execution that works by a plan, with their subtasks, checks and reviews',
      answer: { status: 200, description: 'Page of PhaseView' },
      handle: ({ params }) => plans.phases(params.execution),
    }),
  ]
}
