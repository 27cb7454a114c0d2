import {
  ChangeExecution,
  PauseExecution,
  SayMessage,
  StopTurn,
} from '@beadloom/core/api/executions/execution-requests.ts'
import { route, type Route } from '../../http/routing/route.ts'
import { changeCourse, type CourseDeps } from './courses.ts'
import { messagesOf, say, type MessageDeps } from './messages.ts'
import { pause, resume, stopTurn, type PauseDeps } from './pauses.ts'

export const steeringRoutes = (deps: PauseDeps & MessageDeps & CourseDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/executions/:execution/messages',
    summary: 'What people have said to the agents of an execution',
    answer: { status: 200, description: 'Page of Message, oldest first' },
    handle: ({ params }) => messagesOf(deps, params.execution),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/messages',
    summary: 'Says something to the agent of a running execution',
    description:
      'It is stored before this is answered. Its agent gets it with its next request to its model, or, with `when: "turn"`, once it has ended its turn; `when: "now"` also ends its command or its model\'s answer. Work with a message that no agent has read is not complete.',
    body: SayMessage,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'Message, waiting' },
    handle: ({ params, body, person, once }) => say(deps, params.execution, body, { person, once }),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/pause',
    summary: 'Pauses a running execution, or lets work by a plan wait after its current phase',
    description:
      'The next call of its agent to a model waits, and so does its next step. Only `at: "now"` ends something: what its agents are doing. Its slot is lent, and its clocks stop. It survives a restart of the server.',
    body: PauseExecution,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; `paused` at once, `waits` once something waits for it' },
    handle: ({ params, body, person, once }) => pause(deps, params.execution, body, { person, once }),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/stop-turn',
    summary: 'Ends what the agents of a running execution are doing, but not the agents',
    description:
      'Their commands end, or the answers of their models. Then they wait as in a pause, and the next message to them resumes it.',
    body: StopTurn,
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; `paused` at once, with `forWord`' },
    handle: ({ params, body, person, once }) => stopTurn(deps, params.execution, body, { person, once }),
  }),
  route({
    method: 'patch',
    path: '/api/executions/:execution',
    summary: 'Changes a running execution: its model, its time limit',
    description:
      "The model applies from its agents' next call on, even to a call that is waiting. The time limit is that of the whole execution.",
    body: ChangeExecution,
    idempotent: true,
    refusals: [409],
    answer: { status: 200, description: 'ExecutionView, with `course`' },
    handle: ({ params, body, person, once }) => changeCourse(deps, params.execution, body, { person, once }),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/resume',
    summary: 'Resumes an execution that is paused, or that waits between two phases',
    description: 'Before it waits after a phase, this withdraws the request.',
    idempotent: true,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; it continues as soon as a slot is free' },
    handle: ({ params, person, once }) => resume(deps, params.execution, { person, once }),
  }),
]
