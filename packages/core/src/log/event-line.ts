import { z } from 'zod/mini'

/**
 * The stdout of the process in a container: one JSON object a line, at most `MAX_LINE_BYTES` long.
 *
 * Any program in the container can forge these lines, so they are claims. None changes state except `result` (the end
 * of a session) and a `BLOCKED:` line in `message`, which can only stop work.
 */
export const MAX_LINE_BYTES = 64 * 1024

/**
 * Why a session ended badly, if code has to know. Code decides by this word and never by `text`, which is for people
 * and may be reworded.
 *
 * - `agent_failed`: the agent's program failed, or reported its own failure.
 * - `model_failed`: the built-in agent's model could not be reached, refused, or gave no usable answer.
 * - `agent_repeats`: the built-in agent kept looping after it had been warned.
 * - `output_limit`: stopped because it printed more than a record may hold.
 * - `stopped`: the container was told to stop.
 * - `repository_damaged`: the agent removed or damaged the repository.
 * - `disk_full`: the agent's changes could not be committed or saved, because its container's disk was full.
 * - `push_conflict`: the hub's branch has moved, and the one rebase did not help.
 */
export const resultReasons = [
  'agent_failed',
  'model_failed',
  'agent_repeats',
  'output_limit',
  'stopped',
  'repository_damaged',
  'disk_full',
  'push_conflict',
] as const
export type ResultReason = (typeof resultReasons)[number]

/** The events of a sub-agent. `begin` is its task, `end` is its end. */
export const subAgentEvents = [
  'begin',
  'step',
  'message',
  'tool_call',
  'tool_result',
  'usage',
  'warning',
  'handover',
  'end',
] as const
export type SubAgentEvent = (typeof subAgentEvents)[number]

/** `n` counts from 1 in each session without holes; `at` is milliseconds UTC by the container's clock. */
const numbered = { n: z.int().check(z.positive()), at: z.int().check(z.nonnegative()) }
const text = z.string()
const count = z.int().check(z.nonnegative())

export const EventLine = z.discriminatedUnion('type', [
  /** Output of a command that the session runs, as it comes; chunks need not end at a line's end. */
  z.object({ ...numbered, type: z.literal('output'), stream: z.enum(['stdout', 'stderr']), text }),
  /**
   * A line that an agent printed, unchanged, after the events into which it was translated. A long one comes in pieces.
   */
  z.object({ ...numbered, type: z.literal('raw'), text }),
  /** Text of the agent itself (assistant text): the only place where `BLOCKED:` counts. */
  z.object({ ...numbered, type: z.literal('message'), text }),
  /** A tool call of the built-in agent; `arguments` is JSON as the model wrote it. */
  z.object({ ...numbered, type: z.literal('tool_call'), call: text, tool: text, arguments: text }),
  z.object({
    ...numbered,
    type: z.literal('tool_result'),
    call: text,
    tool: text,
    ok: z.boolean(),
    text,
    durationMs: count,
  }),
  /**
   * One model call as the agent saw it; the gateway's own count is the one that matters. From the built-in agent also:
   * its session's use so far and the rest of its budget (null: no budget), the fill of its context, and whether the
   * numbers are estimated because the model does not count.
   */
  z.object({
    ...numbered,
    type: z.literal('usage'),
    model: text,
    input: count,
    output: count,
    cumulativeTokens: z.optional(count),
    remainingBudget: z.optional(z.nullable(z.int())),
    contextTokens: z.optional(count),
    windowTokens: z.optional(count),
    estimated: z.optional(z.boolean()),
  }),
  /**
   * An event of a sub-agent of the built-in agent, by its number in the session, from 1. These are not the session's
   * agent's words: a blocked sub-agent does not block the bead.
   */
  z.object({
    ...numbered,
    type: z.literal('sub_agent'),
    sub: z.int().check(z.positive()),
    agent: text,
    what: z.enum(subAgentEvents),
    text,
  }),
  /** The built-in agent's context was nearly full, and it continues in a fresh one with this text about the old one. */
  z.object({ ...numbered, type: z.literal('handover'), contextTokens: count, windowTokens: count, text }),
  /**
   * The built-in agent begins: for the first time, or again in a fresh context that is told why. Only if it may begin
   * more than once; `attempt` counts from 1. Each attempt numbers its steps anew.
   */
  z.object({
    ...numbered,
    type: z.literal('fresh_start'),
    attempt: z.int().check(z.positive()),
    maxAttempts: z.int().check(z.positive()),
  }),
  /** A new round of the built-in agent, from 1. */
  z.object({ ...numbered, type: z.literal('step'), step: count, maxSteps: count }),
  /** A titled part of the log: checkout, setup, test, commit, push. `command`: the command line, if one runs. */
  z.object({ ...numbered, type: z.literal('section'), title: text, command: z.optional(text) }),
  z.object({
    ...numbered,
    type: z.literal('section_end'),
    title: text,
    exitCode: z.nullable(z.int()),
    durationMs: count,
  }),
  z.object({ ...numbered, type: z.literal('warning'), text }),
  /** A piece of a reviewer's answer; `last` ends it. Only pieces with the order's `nonce` count. */
  z.object({ ...numbered, type: z.literal('review'), nonce: text, text, last: z.boolean() }),
  /**
   * The last line of a session. `commit` is HEAD of the workspace, `dirty` whether it has changes that HEAD does not
   * have (which are then on `savedRef`, if saving worked), `exitCode` the command's, if the session ran one. Without a
   * `reason`, as in all lines of older agents, only `text` is known.
   */
  z.object({
    ...numbered,
    type: z.literal('result'),
    outcome: z.enum(['success', 'failed', 'turn_limit']),
    reason: z.optional(z.enum(resultReasons)),
    text,
    commit: z.nullable(text),
    dirty: z.boolean(),
    savedRef: z.nullable(text),
    exitCode: z.nullable(z.int()),
  }),
])
export type EventLine = z.infer<typeof EventLine>

/** An event line without the fields that the writer adds. */
export type EventBody = EventLine extends infer L ? (L extends EventLine ? Omit<L, 'n' | 'at'> : never) : never

/** The event behind one line of stdout, or null: then the line is raw output and is recorded as such. */
export function parseEventLine(line: string): EventLine | null {
  if (!line.startsWith('{"n":')) return null // cheap test first: ordinary output is not worth parsing
  if (line.length > MAX_LINE_BYTES) return null // our writer splits; characters are a lower bound of bytes
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  const output = outputOf(value)
  if (output !== null) return output
  const parsed = EventLine.safeParse(value)
  return parsed.success ? parsed.data : null
}

/** Output, the one type that comes in floods, is read by hand; everything else goes to the schema. */
function outputOf(value: unknown): EventLine | null {
  if (typeof value !== 'object' || value === null) return null
  const { type, n, at, stream, text: said } = value as Record<string, unknown>
  if (type !== 'output' || (stream !== 'stdout' && stream !== 'stderr') || typeof said !== 'string') return null
  if (!Number.isSafeInteger(n) || !Number.isSafeInteger(at)) return null
  const [number, time] = [n as number, at as number]
  return number > 0 && time >= 0 ? { n: number, at: time, type, stream, text: said } : null
}
