import type { LogLine } from '@beadloom/core/conversation/log-lines.ts'
import { readSteps } from '@beadloom/core/conversation/read-steps.ts'
import type { Step } from '@beadloom/core/conversation/step.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { around, atEnd, blocksOf, holds, newer, older, trimmed, type Window } from './conversation-window.ts'
import { throttled } from '../view/throttled.ts'
import { useFeed, useOnReturn } from '../../../feed/feed-context.tsx'
import type { LogFeed } from '../../../feed/log-feed.ts'

/** Nobody reads faster. In a flood of lines, each update reads the whole window again. */
const GROWN_MS = 120

export type Shown = {
  steps: readonly Step[]
  window: Window
  lines: number
  phase: LogFeed['phase']
  complete: boolean
  grewAt: number
}
export type Conversation = Shown & {
  log: LogFeed | null
  older(): void
  newer(): void
  toEnd(): void
  /** Reads around a line, unless it is read already. */
  reach(line: number): void
}
const nothing: Shown = {
  steps: [],
  window: { from: 0, to: null },
  lines: 0,
  phase: { is: 'loading' },
  complete: false,
  grewAt: 0,
}

/** The steps in a bounded part of a log, which moves as the log grows and the person moves. `start`: the first line. */
export function useConversation(session: Session, start: number | null): Conversation {
  const feed = useFeed()
  const [log, setLog] = useState<LogFeed | null>(null)
  const [shown, setShown] = useState(nothing)
  const window = useRef<Window | null>(null)
  const read = useRef(() => {})
  const first = useRef({ line: start, begun: session.logLines > 0 })

  useEffect(() => {
    const source = feed.openLog(session.id, first.current.begun)
    const kept = new Map<string, Step>()
    const show = () => {
      const { lines, phase, complete, grewAt } = source
      if (phase.is === 'open' && window.current === null)
        window.current = first.current.line === null ? atEnd(lines) : around(first.current.line, lines)
      const now = trimmed(window.current ?? nothing.window, lines)
      if (window.current !== null) window.current = now
      source.want(blocksOf(now, lines))
      const steps = same(readSteps(linesIn(source, now)), kept)
      setShown({ steps, window: now, lines, phase, complete, grewAt })
    }
    const grown = throttled(GROWN_MS, show)
    let stage = ''
    const stop = source.onChange(() => {
      const next = `${source.phase.is} ${source.complete} ${source.version} ${source.lines > 0}`
      if (next === stage) grown.call()
      else grown.now()
      stage = next
    })
    read.current = show
    setLog(source)
    show()
    return () => {
      stop()
      grown.stop()
      source.close()
      window.current = null
      setLog(null)
      setShown(nothing)
    }
  }, [feed, session.id])

  useOnReturn(() => {
    if (log?.phase.is === 'failed') void log.start()
    else read.current() // requests the lines again that could not be fetched
  })

  const move = useCallback((to: (window: Window, lines: number) => Window, lines: number) => {
    if (window.current === null) return
    window.current = to(window.current, lines)
    read.current()
  }, [])
  return {
    ...shown,
    log,
    older: () => move(older, shown.lines),
    newer: () => move(newer, shown.lines),
    toEnd: () => move(() => atEnd(shown.lines), shown.lines),
    reach: (line) => {
      first.current.line = line
      if (window.current !== null && !holds(window.current, line)) move(() => around(line, shown.lines), shown.lines)
    },
  }
}

function linesIn(log: LogFeed, { from, to }: Window): LogLine[] {
  const lines: LogLine[] = []
  const end = Math.min(to ?? log.lines, log.lines)
  for (let n = from; n < end; n++) lines.push({ n, text: log.line(n) ?? null })
  return lines
}

/** Lines never change: a step of the same kind and lines is the same step, and need not be drawn again. */
function same(steps: Step[], kept: Map<string, Step>): Step[] {
  const now = steps.map((step) => {
    const key = keyOf(step)
    const old = kept.get(key)
    return old !== undefined && settled(old) === settled(step) ? old : step
  })
  kept.clear()
  for (const step of now) kept.set(keyOf(step), step)
  return now
}

export const keyOf = ({ is, first, last }: Step): string => `${is}:${first}:${last}`
/** The part of a step that may change while its lines stay the same. */
const settled = (step: Step): unknown =>
  step.is === 'call'
    ? step.result === null
    : step.is === 'section'
      ? step.end === null
      : step.is === 'thread'
        ? step.steps.length
        : true
