import type { EventView, ExecutionView } from '@beadloom/core/api/api.ts'

/** The session of an execution's agent. */
export const workOf = ({ sessions }: ExecutionView): string => sessions.find(({ kind }) => kind === 'work')?.id ?? ''

export const textsOf = (events: readonly EventView[], type: string): string[] =>
  events.filter((event) => event.type === type).map(({ data }) => (data as { text: string }).text)
