import { useState } from 'react'
import { ERROR_LINES, errorPattern, stepTo } from './error-lines.ts'
import type { ScanResult } from './use-log-scan.ts'
import { useLogScan } from './use-log-scan.ts'
import type { LogFeed } from '../../feed/log-feed.ts'
import { countText } from '../../ui/time-text.ts'

const query = { text: ERROR_LINES, matchCase: true, word: false, regex: true }
/** The log itself comes first. */
const LATER_MS = 300

export type LogErrors = Omit<ScanResult, 'state'> & {
  /** "error 2 of 5", or why there is none; empty until a person has asked. */
  text: string
  /** The line of the next one in a direction. */
  step(by: 1 | -1, from: number): number | null
}

/** Lines that look like errors, of the whole log and as it grows. */
export function useLogErrors(log: LogFeed | null): LogErrors {
  const scan = useLogScan(log, { query, delayMs: LATER_MS, linesOnly: true, local: errorPattern })
  const [text, setText] = useState('')
  return {
    ...scan,
    text,
    step: (by, from) => {
      const line = stepTo(scan.hits, from, by)
      setText(
        line !== null
          ? `error ${countText(scan.hits.from(line) + 1)} of ${countText(scan.hits.length)}`
          : typeof scan.state === 'object'
            ? scan.state.failed
            : scan.state === 'searching'
              ? 'looking for errors'
              : 'no errors',
      )
      return line
    },
  }
}
