import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StepPlace, WhyView } from '@beadloom/core/api/executions/diff-api.ts'
import { LineWriter, type CallAt } from '@beadloom/core/conversation/why-line.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Problem } from '../../ports/problem.ts'
import type { EventRow } from '../../ports/store/events.ts'
import type { Store } from '../../ports/store.ts'
import { eventParts } from '../../app/stored/event-parts.ts'
import { noExecution } from '../../app/stored/refusals.ts'

export type WhyReads = Pick<Store, 'execution' | 'executions' | 'eventPart' | 'sessions'>

/** A hostile agent makes calls whose diff alone takes more than a millisecond. */
const CALLS_AT_ONCE = 32
/** For one answer: no working agent edits one file so often, and these take two seconds at most. */
const MOST_DIFFS = 1_000
/** A branch is continued by later executions of its bead, so a line may be older than the newest one. */
const MOST_EXECUTIONS = 10

/** The agent's step that wrote this text into this file: of this execution, else of an earlier one of its bead. */
export async function whyOf(store: WhyReads, id: ExecutionId, path: string, text: string): Promise<WhyView | Problem> {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  const { project, bead } = execution
  const line = store.executions({ project, bead, limit: MOST_EXECUTIONS }).filter(({ kind }) => kind === 'work')
  let perhaps: StepPlace[] = []
  let diffs = MOST_DIFFS
  for (const one of line.slice(
    Math.max(
      0,
      line.findIndex((other) => other.id === id),
    ),
  )) {
    const writer = new LineWriter<StepPlace>(path, text, diffs)
    await readCalls(store, one, writer)
    diffs -= writer.diffs
    const { found } = writer
    perhaps = [...perhaps, ...found.perhaps]
    // If a later execution may have written it, the earlier one is not sure.
    if (found.by) return { ...found, sure: found.sure && perhaps.length === found.perhaps.length, perhaps: [] }
  }
  return { by: null, sure: false, perhaps: perhaps.slice(0, 5) }
}

async function readCalls(store: WhyReads, one: Execution, writer: LineWriter<StepPlace>): Promise<void> {
  const attempts = new Map(store.sessions(one.id).map(({ id, attempt }) => [id, Math.max(1, attempt)]))
  for await (const events of eventParts(store, one.id, { types: ['tool_call'] }))
    for (const [at, event] of events.entries()) {
      if (at % CALLS_AT_ONCE === CALLS_AT_ONCE - 1) await nextTurn()
      const call = callOf(event, attempts)
      if (call) writer.take(call)
    }
}

function callOf(
  { execution, session, line, data }: EventRow,
  attempts: ReadonlyMap<SessionId, number>,
): CallAt<StepPlace> | null {
  if (session === null || line === null || !isObject(data)) return null
  const { tool, arguments: given } = data
  if (typeof tool !== 'string' || typeof given !== 'string') return null
  return { at: { execution, session, attempt: attempts.get(session) ?? 1, line }, tool, given }
}
