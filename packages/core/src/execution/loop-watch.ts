import { isObject } from '../text/json-object.ts'
import { oneLine } from '../text/one-line.ts'

/** One call of a tool and what came of it. `result` is compared as it is: where it changes, there is no loop. */
export type MadeCall = { tool: string; arguments: string; result: string }

/** This many times in a row the same call with the same result is a loop. */
const SAME_CALLS = 4
/** Two calls that take turns this many times, each with the same result, are one too. */
const ALTERNATIONS = 3
const REMEMBERED = Math.max(SAME_CALLS, 2 * ALTERNATIONS)
/** How much of a call is shown in a sentence, in characters. */
const MAX_SHOWN = 160

/** What a session remembers of its calls, newest last. */
export type LoopWatch = { recent: readonly MadeCall[]; warned: boolean }
export const NO_CALLS_YET: LoopWatch = { recent: [], warned: false }

/** `warning` is for people, `nudge` for the model. `end` is why the session is over. */
export type LoopVerdict = 'go-on' | { warning: string; nudge: string } | { end: string }

/**
 * What to do after a turn in which an agent made these calls. A loop is one call that has the same result four times in
 * a row, or two calls that take turns three times. The model is told of the first one in a session, so that it can try
 * something else; another one, or more of the first, ends the session. A turn is judged as a whole: calls that a model
 * asked for together, it asked for before it could be warned.
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
      nudge: `You repeat yourself: ${loop}. The result will not change. Do something else, or say what keeps you from it; if you go on like this, the session ends.`,
    },
  ]
}

/** What the newest calls repeat, as part of a sentence; null: nothing. */
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

/** The same for texts that mean the same: the order of names and white space do not count. What is no JSON stays. */
function canonicalJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_name, value: unknown) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
    )
  } catch {
    return text.trim() // also what is nested too deeply
  }
}
