import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'

/** The first session of an execution's agent. */
const firstWork = ({ sessions }: ExecutionView) => sessions.find(({ kind }) => kind === 'work')

/** The id of that session. */
export const workOf = (execution: ExecutionView): string => firstWork(execution)?.id ?? ''
/** The engine's id of its container. */
export const containerOf = (execution: ExecutionView): string | null => firstWork(execution)?.container ?? null

export const textsOf = (events: readonly EventView[], type: string): string[] =>
  events.filter((event) => event.type === type).map(({ data }) => (data as { text: string }).text)
