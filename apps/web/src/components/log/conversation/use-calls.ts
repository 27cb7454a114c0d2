import type { Step, StepOf } from '@beadloom/core/conversation/step.ts'
import { useEffect, useState } from 'react'
import { getLogCalls } from '../../../api/endpoints.ts'

/** Tries for one call: if the server was just writing it down, the next answer has it; otherwise it never will. */
const MOST_ASKED = 3

/** Arguments of calls, by line, and the number of requests in vain. */
type Calls = { given: ReadonlyMap<number, string>; inVain: ReadonlyMap<number, number> }

/** Arguments of calls, by line, if the log has shortened them; includes calls of sub-agents. */
export function useCalls(session: string, steps: readonly Step[]): ReadonlyMap<number, string> {
  const [{ given, inVain }, setCalls] = useState<Calls>({ given: new Map(), inVain: new Map() })
  const missing = callsIn(steps)
    .filter((call) => call.given.endsWith('…'))
    .map(({ first }) => first)
    .filter((line) => !given.has(line) && (inVain.get(line) ?? 0) < MOST_ASKED)
  const [from, to] = [missing[0] ?? 0, (missing.at(-1) ?? -1) + 1]
  useEffect(() => {
    if (to === 0) return
    const stop = new AbortController()
    getLogCalls(session, { from, to }, stop.signal).then(
      ({ items }) =>
        setCalls((old) => answered(old, missing, new Map(items.map((call) => [call.line, call.arguments])))),
      () => {}, // the log's shortened text stays
    )
    return () => stop.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the first and the last of those that are missing stand for all
  }, [session, from, to])
  return given
}

const answered = ({ given, inVain }: Calls, asked: readonly number[], found: ReadonlyMap<number, string>): Calls => ({
  given: new Map([...given, ...found]),
  inVain: new Map([
    ...inVain,
    ...asked.filter((line) => !found.has(line)).map((line) => [line, (inVain.get(line) ?? 0) + 1] as const),
  ]),
})

const callsIn = (steps: readonly Step[]): StepOf<'call'>[] =>
  steps.flatMap((step) => (step.is === 'call' ? [step] : step.is === 'thread' ? callsIn(step.steps) : []))
