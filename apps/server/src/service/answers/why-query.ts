import type { StepPlace, WhyView } from '@beadloom/core/api/diff-api.ts'
import { whyLine, type CallAt } from '@beadloom/core/conversation/why-line.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import type { Problem } from '../../http/ports.ts'
import type { Store } from '../../ports/store.ts'
import { noExecution } from './refusals.ts'

type Part = Pick<Store, 'execution' | 'executions' | 'events' | 'sessions'>

const PAGE = 5_000
/** As for the outline of a log: whoever floods it with events floods no answer. */
const MOST_EVENTS = 20_000
/** A branch is continued by later executions of its bead, so a line may be older than the newest one. */
const MOST_EXECUTIONS = 10

/** Which step of an agent wrote this text into this file: of this execution, else of an earlier one of its bead. */
export function whyOf(store: Part, id: ExecutionId, path: string, text: string): WhyView | Problem {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  const { project, bead } = execution
  const line = store.executions({ project, bead, limit: MOST_EXECUTIONS }).filter(({ kind }) => kind === 'work')
  let perhaps: StepPlace[] = []
  for (const one of line.slice(
    Math.max(
      0,
      line.findIndex((other) => other.id === id),
    ),
  )) {
    const found = whyLine(callsIn(store, one), path, text)
    perhaps = [...perhaps, ...found.perhaps]
    // What a later execution may have written is a doubt about an earlier one.
    if (found.by) return { ...found, sure: found.sure && perhaps.length === found.perhaps.length, perhaps: [] }
  }
  return { by: null, sure: false, perhaps: perhaps.slice(0, 5) }
}

/** The tool calls of an execution, in their order, as far as the events keep them. */
function* callsIn(store: Part, { id }: Execution): Generator<CallAt<StepPlace>> {
  const attempts = new Map(store.sessions(id).map((one) => [one.id, Math.max(1, one.attempt)]))
  for (let after = 0, seen = 0; seen < MOST_EVENTS; seen += PAGE) {
    const events = store.events(id, after, PAGE)
    for (const { session, type, line, data, seq } of events) {
      after = seq
      if (type !== 'tool_call' || session === null || line === null || !isObject(data)) continue
      const { tool, arguments: given } = data
      if (typeof tool !== 'string' || typeof given !== 'string') continue
      yield { at: { execution: id, session, attempt: attempts.get(session) ?? 1, line }, tool, given }
    }
    if (events.length < PAGE) return
  }
}
