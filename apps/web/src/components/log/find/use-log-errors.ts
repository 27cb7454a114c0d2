import { useEffect, useState } from 'react'
import { ERROR_LINES, errorPattern, stepTo } from './error-lines.ts'
import type { ScanResult } from './use-log-scan.ts'
import { useLogScan } from './use-log-scan.ts'
import type { LogFeed } from '../../../feed/log-feed.ts'
import { countText } from '@beadloom/core/text/count-text.ts'

const query = { text: ERROR_LINES, matchCase: true, word: false, regex: true }
/** Loading the log itself comes first. */
const LATER_MS = 300

export type LogErrors = Omit<ScanResult, 'state'> & {
  /** "error 2 of 5", or why there is no error; empty until a person has asked. */
  text: string
  /** Goes to the next error from a line on, as soon as the errors are known. */
  step(by: 1 | -1, from: number): void
}

/** Lines of the whole log that look like errors, kept up to date as it grows. */
export function useLogErrors(log: LogFeed | null, onLine: (line: number) => void): LogErrors {
  const { hits, version, state } = useLogScan(log, {
    query,
    delayMs: LATER_MS,
    linesOnly: true,
    local: errorPattern,
  })
  const [text, setText] = useState('')
  const [wish, setWish] = useState<{ by: 1 | -1; from: number } | null>(null)
  const step = (by: 1 | -1, from: number) => {
    if (state === 'searching') {
      setText('looking for errors…')
      setWish({ by, from })
      return
    }
    const line = stepTo(hits, from, by)
    if (line !== null) setText(`error ${countText(hits.from(line) + 1)} of ${countText(hits.length)}`)
    else setText(typeof state === 'object' ? state.failed : 'no errors')
    if (line !== null) onLine(line)
  }
  // Runs a step that was requested before the search was over.
  useEffect(() => {
    if (wish === null || state === 'searching') return
    setWish(null)
    step(wish.by, wish.from)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `step` is a new function in every rendering
  }, [wish, state])
  return { hits, version, text, step }
}
