import { useEffect, useMemo, useState } from 'react'
import { searchLog } from '../../api/endpoints.ts'
import { firstHitFrom, patternOf, readHits } from './log-search.ts'
import type { SearchHit } from './log-search.ts'
import type { Find } from './log-rows.ts'

const TYPING_MS = 150
const SHOW_MS = 100

export type LogFind = {
  text: string
  matchCase: boolean
  hits: readonly SearchHit[]
  /** Index into `hits`, -1 while there is none. */
  at: number
  state: 'idle' | 'searching' | 'done' | 'more' | { failed: string }
  find: Find
  setText(text: string): void
  setMatchCase(on: boolean): void
  step(by: 1 | -1): void
}

const none: readonly SearchHit[] = []

/** Search over the whole log, on the server; the count grows while it runs. `from` is the line the person looks at. */
export function useLogFind(session: string, lines: number, from: () => number): LogFind {
  const [text, setText] = useState('')
  const [matchCase, setMatchCase] = useState(false)
  const [hits, setHits] = useState<readonly SearchHit[]>(none)
  const [at, setAt] = useState(-1)
  const [state, setState] = useState<LogFind['state']>('idle')
  // A log that grows is searched again, but not with every line.
  const grown = Math.floor(lines / 5000)

  useEffect(() => {
    if (text === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => void search(), TYPING_MS)
    const search = async () => {
      setState('searching')
      const found: SearchHit[] = []
      let shownAt = 0
      // The first hit below what the person looks at; when there is none, the first of all.
      const show = (final: boolean) => {
        shownAt = performance.now()
        setHits([...found])
        const start = from()
        const below = (found.at(-1)?.line ?? -1) >= start
        if (found.length > 0 && (below || final)) setAt((old) => (old >= 0 ? old : firstHitFrom(found, start)))
      }
      try {
        const { body } = await searchLog(session, { text, matchCase }, stop.signal)
        const end = body
          ? await readHits(body, (more) => {
              for (const hit of more) found.push(hit)
              if (performance.now() - shownAt > SHOW_MS) show(false) // copying with every batch would be quadratic
            })
          : { more: false }
        show(true)
        setState(end.more ? 'more' : 'done')
      } catch (error) {
        if (!stop.signal.aborted) setState({ failed: error instanceof Error ? error.message : String(error) })
      }
    }
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [session, text, matchCase, grown, from])

  const find = useMemo<Find>(() => {
    const hit = hits[at]
    return { pattern: patternOf(text, matchCase), current: hit ? { line: hit.line, column: hit.column } : null }
  }, [text, matchCase, hits, at])

  return {
    text,
    matchCase,
    hits,
    at,
    state,
    find,
    setText: (next) => {
      setAt(-1)
      setText(next)
      if (next !== '') return
      setHits(none)
      setState('idle')
    },
    setMatchCase,
    step: (by) => setAt((old) => (hits.length === 0 ? -1 : (old + by + hits.length) % hits.length)),
  }
}
