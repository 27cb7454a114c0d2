import { useEffect, useState } from 'react'
import { LogHits } from './log-hits.ts'
import { patternOf } from './log-search.ts'
import { LogScan } from './log-scan.ts'
import type { ScanState } from './log-scan.ts'
import { throttled } from '../view/throttled.ts'
import { searchLog } from '../../../api/endpoints.ts'
import type { LogQuery } from '../../../api/endpoints.ts'
import type { LogFeed } from '../../../feed/log-feed.ts'

const SHOW_MS = 100

/** `version` changes with every new hit: `hits` is one object that grows. */
export type ScanResult = { hits: LogHits; state: ScanState | 'idle'; version: number }
const idle: ScanResult = { hits: new LogHits(), state: 'idle', version: 0 }

export type ScanOptions = {
  /** The query; null: none. The same object until it changes. */
  query: LogQuery | null
  /** Delay before asking the server: a person may still be typing. */
  delayMs: number
  linesOnly?: boolean
  /** Finds the same in lines in memory; by default, derived from the query. */
  local?: () => RegExp
}

/** The hits of a query in a log that may grow. `stale`: the hits still belong to the previous query. */
export function useLogScan(log: LogFeed | null, options: ScanOptions): ScanResult & { stale: boolean } {
  const { query, delayMs, linesOnly, local } = options
  const [result, setResult] = useState<ScanResult & { query: LogQuery | null }>({ ...idle, query: null })

  useEffect(() => {
    if (log === null || query === null) return
    const show = throttled(SHOW_MS, () => {
      shown = scan.state
      setResult((old) => ({ hits: scan.hits, state: scan.state, version: old.version + 1, query }))
    })
    const scan = new LogScan({
      source: log,
      local: local ? local() : patternOf(query),
      linesOnly: linesOnly ?? false,
      ask: (from, signal) => searchLog(log.session, query, from, signal),
      after: (ms, run) => {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      onChange: () => {
        // A person waits for the end of a search, so it shows at once.
        if (scan.state === shown) show.call()
        else show.now()
      },
    })
    let shown: ScanState = scan.state
    const grow = throttled(SHOW_MS, () => scan.grow())
    const begin = setTimeout(() => {
      setResult((old) => ({ hits: scan.hits, state: scan.state, version: old.version + 1, query }))
      scan.grow()
      stopHearing = log.onChange(grow.call)
    }, delayMs)
    let stopHearing: (() => void) | null = null
    return () => {
      clearTimeout(begin)
      stopHearing?.()
      scan.stop()
      show.stop()
      grow.stop()
    }
  }, [log, query, delayMs, linesOnly, local])

  if (query === null) return { ...idle, stale: false }
  return result.query === query ? { ...result, stale: false } : { ...result, state: 'searching', stale: true }
}
