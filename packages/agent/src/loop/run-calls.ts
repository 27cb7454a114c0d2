import type { MadeCall } from '@beadloom/core/execution/loop-watch.ts'
import type { ToolCall } from './model-call.ts'
import type { Clock } from '../process/clock.ts'
import type { LoopRecord } from './loop.ts'
import type { Observation, Tool, ToolContext } from '../tools/tool.ts'

/** The most calls made in one turn; for more, the model asks again. */
const MAX_CALLS = 32
/** This many results of one turn may each be as long as the limit; more results share that room. */
const LONG_RESULTS = 4
/** The most calls that may run at the same time, if they only read. */
const AT_ONCE = 4

export type CallsOfTurn = {
  record: Pick<LoopRecord, 'write'>
  calls: readonly ToolCall[]
  tools: readonly Tool[]
  context: ToolContext
  /** Called in the order of the calls, once for each. */
  onResult: (call: ToolCall, text: string) => Promise<void>
}

/**
 * Makes the calls of one turn. Neighbouring read-only calls run at the same time; a call that may change something
 * waits for all before it, and all after it wait for it. Every call gets its result, in the record and for the model,
 * in the order in which the model asked, even if the session is stopped meanwhile.
 */
export async function runCalls({ record, calls, tools, context, onResult }: CallsOfTurn): Promise<MadeCall[]> {
  const { clock } = context
  const tell = ({ id, name, arguments: args }: ToolCall) =>
    record.write({ type: 'tool_call', call: id, tool: name, arguments: args })
  const share = Math.min(1, LONG_RESULTS / Math.min(calls.length, MAX_CALLS))
  const bounded = { ...context, outputLimit: Math.max(1, Math.floor(context.outputLimit * share)) }
  const made: MadeCall[] = []
  for (const group of groupsOf(calls, tools)) {
    await tell(group[0]!)
    const before = made.length
    const running = group.map((call, index) =>
      timed(clock, () => observe(call, tools, bounded, before + index >= MAX_CALLS)),
    )
    for (const [index, call] of group.entries()) {
      if (index > 0) await tell(call)
      const { observation, durationMs } = await running[index]!.then(unwrap)
      const { ok, text, print } = observation
      await record.write({ type: 'tool_result', call: call.id, tool: call.name, ok, text, durationMs })
      await onResult(call, text)
      made.push({ tool: call.name, arguments: call.arguments, result: `${ok} ${print ?? text}` })
    }
  }
  return made
}

/** Groups of calls that run together: up to four that only read, or a single other one. */
function* groupsOf(calls: readonly ToolCall[], tools: readonly Tool[]): Generator<ToolCall[]> {
  const reads = readersAmong(calls, tools)
  let group: ToolCall[] = []
  for (const call of calls) {
    const joins = reads(call) && group.length < AT_ONCE && group.every(reads)
    if (!joins && group.length > 0) {
      yield group
      group = []
    }
    group.push(call)
  }
  if (group.length > 0) yield group
}

function readersAmong(calls: readonly ToolCall[], tools: readonly Tool[]): (call: ToolCall) => boolean {
  const readers = tools.filter(({ name, readOnly }) =>
    typeof readOnly === 'boolean' ? readOnly : calls.every((call) => call.name !== name || readOnly(call.arguments)),
  )
  const names = new Set(readers.map(({ name }) => name))
  return ({ name }) => names.has(name)
}

async function observe(
  call: ToolCall,
  tools: readonly Tool[],
  context: ToolContext,
  isTooMany: boolean,
): Promise<Observation> {
  if (context.stop.aborted) return { ok: false, text: '[not run: the session is ending]' }
  if (isTooMany)
    return { ok: false, text: `Error: not run: a turn has at most ${MAX_CALLS} calls; ask for the others in the next` }
  const tool = tools.find(({ name }) => name === call.name)
  if (tool) return tool.run(call.arguments, context)
  const names = tools.map(({ name }) => name).join(', ')
  return { ok: false, text: `Error: there is no tool ${call.name}; the tools are ${names}` }
}

type Timed = { observation: Observation; durationMs: number }

/**
 * Returns an error instead of throwing it: nobody awaits the call before its turn, and an uncaught error would end the
 * process.
 */
async function timed(clock: Clock, run: () => Promise<Observation>): Promise<Timed | { error: unknown }> {
  const startedAt = clock.monotonic()
  try {
    const observation = await run()
    return { observation, durationMs: Math.round(clock.monotonic() - startedAt) }
  } catch (error) {
    return { error }
  }
}

function unwrap(end: Timed | { error: unknown }): Timed {
  if ('error' in end) throw end.error
  return end
}
