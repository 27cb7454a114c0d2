import { useEffect, useMemo, useState } from 'react'
import { around, LineMap } from '../folds/line-map.ts'
import type { FindAcross } from './find-across.ts'
import type { LogHits } from './log-hits.ts'
import { hitsElsewhere, sessionWithHits, type SessionHits } from './session-hits.ts'
import { useSessionHits } from './use-session-hits.ts'
import { noFind } from '../view/log-rows.ts'
import type { Find } from '../view/log-rows.ts'
import { patternOf, patternProblem } from './log-search.ts'
import type { FindQuery } from './log-search.ts'
import { useLogScan } from './use-log-scan.ts'
import type { LogFeed } from '../../../feed/log-feed.ts'

const TYPING_MS = 150
/** Choices for the number of lines around each match that Filter shows. */
export const CONTEXTS = [0, 3, 10] as const

export type LogFind = {
  query: FindQuery
  /** Filter: shows only matching lines and those around them. */
  filtering: boolean
  context: number
  hits: LogHits
  /** Index into `hits`; -1 if there is none. */
  at: number
  state: 'idle' | 'searching' | 'done' | 'more' | { failed: string }
  /** Hits in other sessions of the execution; null if there are no others. */
  elsewhere: { hits: number; sessions: number; state: SessionHits['state'] } | null
  /** Hits by session id. */
  counts: ReadonlyMap<string, number>
  /** The person was typing when Find moved here from another session. */
  typing: boolean
  /** Find, as the view draws it. */
  find: Find
  filter: LineMap | null
  change(query: Partial<FindQuery>): void
  setFiltering(on: boolean): void
  setContext(lines: number): void
  step(by: 1 | -1): void
}

const nothing: FindQuery = { text: '', matchCase: false, word: false, regex: false }

/**
 * Search over the whole log, on the server; the count grows while it runs. `from` is the line that the person looks at.
 * `across`: stepping continues in the other sessions.
 */
export function useLogFind(
  log: LogFeed | null,
  from: () => number,
  session: string,
  across: FindAcross | null = null,
): LogFind {
  const [came] = useState(() => across?.kept.of(session) ?? null)
  const [arrival, setArrival] = useState(came?.arrival ?? null)
  const [query, setQuery] = useState(came?.query ?? nothing)
  const [filtering, setFiltering] = useState(false)
  const [context, setContext] = useState<number>(CONTEXTS[0])
  const [chosen, setAt] = useState(-1)
  const problem = patternProblem(query)
  const asked = useMemo(() => (query.text === '' || patternProblem(query) !== null ? null : query), [query])
  const { hits, state, version, stale } = useLogScan(log, { query: asked, delayMs: came === null ? TYPING_MS : 0 })
  const others = useSessionHits(across, session, asked)
  const at = stale ? -1 : Math.min(chosen, hits.length - 1)

  const { kept } = across ?? {}
  useEffect(() => kept?.arrived(session), [kept, session])

  // Start with the first hit below the line that the person looks at; if there is none, with the first of all. After a
  // step from another session, start at the nearer end.
  useEffect(() => {
    if (stale || chosen >= 0 || hits.length === 0) return
    if (arrival !== null) {
      if (arrival.at === 'last' && state === 'searching') return
      setArrival(null)
      return setAt(arrival.at === 'first' ? 0 : hits.length - 1)
    }
    const below = hits.from(from())
    if (below < hits.length) setAt(below)
    else if (state !== 'searching') setAt(0)
  }, [version, stale, chosen, hits, state, from, arrival])

  const find = useMemo<Find>(() => {
    if (asked === null) return noFind
    const current = at < 0 || hits.length === 0 ? null : { line: hits.line(at), column: hits.column(at) }
    return { pattern: patternOf(asked), hits: asked.regex ? hits : null, current }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a server's hits are drawn from the list that grows
  }, [asked, hits, at, asked?.regex === true ? version : 0])
  const filter = useMemo(
    () =>
      filtering && asked !== null
        ? new LineMap(
            around(hits.length, (n) => hits.line(n), context, Number.POSITIVE_INFINITY),
            context > 0,
          )
        : null,
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `version` stands for what is in `hits`
    [filtering, asked, hits, version, context],
  )

  return {
    query,
    filtering,
    context,
    hits,
    at,
    state: problem === null ? state : { failed: problem },
    elsewhere:
      across === null || across.order.length < 2 || asked === null
        ? null
        : { ...hitsElsewhere(across.order, session, others.counts), state: others.state },
    counts: others.counts,
    typing: came?.arrival.typing ?? false,
    find,
    filter,
    change: (change) => {
      setArrival(null)
      setAt(-1)
      setQuery({ ...query, ...change })
    },
    setFiltering,
    setContext,
    step: (by) => {
      const isEnd = hits.length === 0 || at + by < 0 || (at + by >= hits.length && state !== 'searching')
      const next = across === null || !isEnd ? null : sessionWithHits(across.order, session, others.counts, by)
      if (across === null || next === null) return setAt(hits.length === 0 ? -1 : (at + by + hits.length) % hits.length)
      const typing = document.activeElement instanceof HTMLInputElement
      across.kept.keep(next, query, { at: by === 1 ? 'first' : 'last', typing })
      across.onSession(next)
    },
  }
}
