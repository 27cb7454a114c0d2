import type { ChangeExecution, PauseExecution, SayMessage } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { call } from './client.ts'

const execution = (id: string) => `/api/executions/${encodeURIComponent(id)}`

/** Its next call to a model and its next step wait; with `at: 'phase'` it waits after its present phase. */
export const pauseExecution = (id: string, body: PauseExecution, key: string) =>
  call<ExecutionView>(`${execution(id)}/pause`, { method: 'POST', body, key })
/** Ends what its agents are doing; the next message to them resumes it. */
export const stopTurn = (id: string, key: string) =>
  call<ExecutionView>(`${execution(id)}/stop-turn`, { method: 'POST', body: {}, key })
/** Another model for its next calls, or another time limit. */
export const changeExecution = (id: string, body: ChangeExecution, key: string) =>
  call<ExecutionView>(execution(id), { method: 'PATCH', body, key })
/** Ends a pause, or the wait after a phase, or takes back the wish to wait there. */
export const resumeExecution = (id: string, key: string) =>
  call<ExecutionView>(`${execution(id)}/resume`, { method: 'POST', key })

/** Everything that people have said to its agents, oldest first. */
export const getMessages = (id: string, signal: AbortSignal) =>
  call<{ items: Message[] }>(`${execution(id)}/messages`, { signal })
/** Its agent has it with its next step, or after its turn. */
export const sayMessage = (id: string, body: SayMessage, key: string) =>
  call<Message>(`${execution(id)}/messages`, { method: 'POST', body, key })
