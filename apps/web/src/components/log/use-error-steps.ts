import { useRef, useState } from 'react'
import { searchLog } from '../../api/endpoints.ts'
import { ERROR_LINES, stepTo } from './error-lines.ts'
import { readHits } from './log-search.ts'

export type ErrorSteps = {
  /** "error 2 of 5", or why there is none; empty until it was asked. */
  text: string
  step(by: 1 | -1, from: number): void
}

/** Goes from error to error of a whole log. The server is asked when it is first wanted, and when the log has grown. */
export function useErrorSteps(session: string, lines: number, onLine: (line: number) => void): ErrorSteps {
  const known = useRef<{ session: string; lines: number; at: number[] } | null>(null)
  const [text, setText] = useState('')
  const step = async (by: 1 | -1, from: number) => {
    if (known.current?.session !== session || known.current.lines !== lines) {
      const found = new Set<number>()
      const { body } = await searchLog(session, { text: ERROR_LINES, matchCase: true, regex: true }, never)
      if (body) await readHits(body, (hits) => hits.forEach(({ line }) => found.add(line)))
      known.current = { session, lines, at: [...found] }
    }
    const { at } = known.current
    const line = stepTo(at, from, by)
    setText(line === null ? 'no errors' : `error ${at.indexOf(line) + 1} of ${at.length}`)
    if (line !== null) onLine(line)
  }
  return {
    text,
    step: (by, from) =>
      void step(by, from).catch((error: unknown) => setText(error instanceof Error ? error.message : String(error))),
  }
}

const never = new AbortController().signal
