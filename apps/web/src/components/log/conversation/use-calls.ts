import type { Step } from '@beadloom/core/conversation/step.ts'
import { useEffect, useState } from 'react'
import { getLogCalls } from '../../../api/endpoints.ts'

/** What calls were given, by line, where the log has shortened it. What the server does not know is not asked for twice. */
export function useCalls(session: string, steps: readonly Step[]): ReadonlyMap<number, string> {
  const [known, setKnown] = useState<ReadonlyMap<number, string>>(new Map())
  const missing = steps.filter((step) => step.is === 'call' && step.given.endsWith('…') && !known.has(step.first))
  const [from, to] = [missing[0]?.first ?? 0, (missing.at(-1)?.first ?? -1) + 1]
  useEffect(() => {
    if (to === 0) return
    const stop = new AbortController()
    getLogCalls(session, { from, to }, stop.signal).then(
      ({ items }) => setKnown((old) => new Map([...old, ...items.map((call) => [call.line, call.arguments] as const)])),
      () => {}, // the log's own words stay
    )
    return () => stop.abort()
  }, [session, from, to])
  return known
}
