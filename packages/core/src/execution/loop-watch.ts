import { isObject } from '../text/json-object.ts'
import { oneLine } from '../text/one-line.ts'

/** One call of a tool with its result. `result` is compared as it is: if it changes, there is no loop. */
export type MadeCall = { tool: string; arguments: string; result: string }

/** This many times in a row the same call with the same result is a loop. */
const SAME_CALLS = 4
/** Two calls that alternate this many times, each with the same result, are a loop, too. */
const ALTERNATIONS = 3
const REMEMBERED = Math.max(SAME_CALLS, 2 * ALTERNATIONS)
/** The part of a call that a sentence shows, in characters. */
const MAX_SHOWN = 160

/** The calls that a session remembers, newest last. */
export type LoopWatch = { recent: readonly MadeCall[]; warned: boolean }
export const NO_CALLS_YET: LoopWatch = { recent: [], warned: false }

/** `warning` is for people, `nudge` for the model. `end`: why the session is over. */
export type LoopVerdict = 'go-on' | { warning: string; nudge: string } | { end: string }

/**
 * The verdict after a turn in which an agent made these calls. A loop is one call with the same result four times in a
 * row, or two calls that alternate three times. An agent that loops is warned once in a session, so that it can try
 * something else; if it loops again or continues, the session ends. A turn is judged as a whole: a model asks for its
 * calls before it can be warned about any of them.
 */
export function watchTurn({ recent, warned }: LoopWatch, turn: readonly MadeCall[]): [LoopWatch, LoopVerdict] {
  let known: readonly MadeCall[] = recent
  let loop: string | null = null
  for (const call of turn) {
    known = [...known, { ...call, arguments: canonicalJson(call.arguments) }].slice(-REMEMBERED)
    loop ??= loopIn(known)
  }
  if (loop === null) return [{ recent: known, warned }, 'go-on']
  if (warned)
    return [{ recent: known, warned }, { end: `the agent kept repeating itself after it was warned: ${loop}` }]
  return [
    { recent: known, warned: true },
    {
      warning: `the agent is repeating itself: ${loop}. It has been warned; if it carries on, the session ends`,
      nudge: `You are repeating yourself: ${loop}. The result will not change. Do something else, or say what is stopping you; if you continue like this, the session ends.`,
    },
  ]
}

/** The loop of the newest calls, as part of a sentence; null: none. */
function loopIn(calls: readonly MadeCall[]): string | null {
  const last = calls.at(-1)
  const before = calls.at(-2)
  if (!last || !before) return null
  const same = calls.slice(-SAME_CALLS)
  if (same.length === SAME_CALLS && same.every((call) => isSame(call, last)))
    return `${SAME_CALLS} times the same call with the same result, ${nameOf(last)}`
  const turns = calls.slice(-2 * ALTERNATIONS).toReversed()
  if (turns.length < 2 * ALTERNATIONS || isSameCall(last, before)) return null
  return turns.every((call, at) => isSame(call, at % 2 === 0 ? last : before))
    ? `${ALTERNATIONS} times the same two calls in turn with the same results, ${nameOf(before)} and ${nameOf(last)}`
    : null
}

const isSameCall = (a: MadeCall, b: MadeCall): boolean => a.tool === b.tool && a.arguments === b.arguments
const isSame = (a: MadeCall, b: MadeCall): boolean => isSameCall(a, b) && a.result === b.result

function nameOf({ tool, arguments: args }: MadeCall): string {
  const text = oneLine(`${tool} ${args}`)
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1).toWellFormed()}…`
}

/** One form for equal arguments: the order of names and white space do not count. Text that is no JSON stays. */
function canonicalJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_name, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
    )
  } catch {
    return text.trim() // also for JSON that is nested too deeply
  }
}
