import { useEffect, useMemo, useState } from 'react'
import { around, LineMap } from '../folds/line-map.ts'
import type { LogHits } from './log-hits.ts'
import { noFind } from '../view/log-rows.ts'
import type { Find } from '../view/log-rows.ts'
import { patternOf, patternProblem } from './log-search.ts'
import type { FindQuery } from './log-search.ts'
import { useLogScan } from './use-log-scan.ts'
import type { LogFeed } from '../../../feed/log-feed.ts'

const TYPING_MS = 150
/** Lines around each match that Filter shows, from choice to choice. */
export const CONTEXTS = [0, 3, 10] as const

export type LogFind = {
  query: FindQuery
  /** Filter: only matching lines and those around them. */
  filtering: boolean
  context: number
  hits: LogHits
  /** Index into `hits`, -1 while there is none. */
  at: number
  state: 'idle' | 'searching' | 'done' | 'more' | { failed: string }
  /** What is drawn of it. */
  find: Find
  filter: LineMap | null
  change(query: Partial<FindQuery>): void
  setFiltering(on: boolean): void
  setContext(lines: number): void
  step(by: 1 | -1): void
}

const nothing: FindQuery = { text: '', matchCase: false, word: false, regex: false }

/** Search over the whole log, on the server; the count grows while it runs. `from` is the line a person looks at. */
export function useLogFind(log: LogFeed | null, from: () => number): LogFind {
  const [query, setQuery] = useState(nothing)
  const [filtering, setFiltering] = useState(false)
  const [context, setContext] = useState<number>(CONTEXTS[0])
  const [chosen, setAt] = useState(-1)
  const problem = patternProblem(query)
  const asked = useMemo(() => (query.text === '' || patternProblem(query) !== null ? null : query), [query])
  const { hits, state, version, stale } = useLogScan(log, { query: asked, delayMs: TYPING_MS })
  const at = stale ? -1 : Math.min(chosen, hits.length - 1)

  // The first hit below what the person looks at; when there is none, the first of all.
  useEffect(() => {
    if (stale || chosen >= 0 || hits.length === 0) return
    const below = hits.from(from())
    if (below < hits.length) setAt(below)
    else if (state !== 'searching') setAt(0)
  }, [version, stale, chosen, hits, state, from])

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
    find,
    filter,
    change: (change) => {
      setAt(-1)
      setQuery({ ...query, ...change })
    },
    setFiltering,
    setContext,
    step: (by) => setAt(hits.length === 0 ? -1 : (at + by + hits.length) % hits.length),
  }
}
