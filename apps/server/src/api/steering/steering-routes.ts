import { PauseExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { route, type Route } from '../../http/routing/route.ts'
import { pause, resume, type PauseDeps } from './pauses.ts'

export const steeringRoutes = (deps: PauseDeps): Route[] => [
  route({
    method: 'post',
    path: '/api/executions/:execution/pause',
    summary: 'Pauses a running execution, or lets work by a plan wait after its present phase',
    description:
      'Nothing is stopped: the next call of its agent to a model waits, and so does its next step. Its slot is lent, and no clock of it runs. It survives a restart of the server.',
    body: PauseExecution,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; `paused` at once, `waits` once something waits for it' },
    handle: ({ params, body, person, once }) => pause(deps, params.execution, body, { person, once }),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/resume',
    summary: 'Resumes an execution that is paused, or that waits between two phases',
    description: 'Before it waits after a phase, this takes the wish back.',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; it continues as soon as a slot is free' },
    handle: ({ params, person, once }) => resume(deps, params.execution, { person, once }),
  }),
]
