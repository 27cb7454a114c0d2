import { AllowTests, QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { route, type Route } from '../../http/routing/route.ts'
import { abandon, allowTests, cancel, queue, retryNow, type ExecutionCommandDeps } from './execution-commands.ts'

export const commandRoutes = (deps: ExecutionCommandDeps): Route[] => [
  route({
    method: 'post',
    path: '/api/projects/:project/beads/:bead/executions',
    summary: 'Queues a bead',
    body: QueueExecution,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView, queued' },
    handle: ({ params, body, once }) => queue(deps, params.project, params.bead, body, once),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/cancel',
    summary: 'Cancels an execution that is queued or running',
    description: 'One that waits at a limit of tokens or money ends as budget_exhausted: the answer is no.',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; a running one ends a little later' },
    handle: ({ params, once }) => cancel(deps, params.execution, once),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/abandon',
    summary: 'Gives back the slot of an execution whose container cannot be stopped',
    description: 'The container stays with the engine, and its unsaved work is kept. Refused unless a stop is held up.',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; it ends a moment later' },
    handle: ({ params }) => abandon(deps, params.execution),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/retry-now',
    summary: 'Starts the retry that an execution waits for now',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; its retry starts a moment later' },
    handle: ({ params, once }) => retryNow(deps, params.execution, once),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/allow-tests',
    summary: 'Allows refused work: weaker tests, unchecked work, a possible secret',
    description:
      'Recorded with who and why. If the execution has ended, its work is checked again without an agent, by an execution that is queued now. Refused while nothing was refused.',
    body: AllowTests,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView of the one that continues the work' },
    handle: ({ params, body, once, person }) =>
      // A signed-in person's name is known, and cannot be replaced.
      allowTests(deps, params.execution, person.by === 'token' ? body : { ...body, by: person.name }, once),
  }),
]
