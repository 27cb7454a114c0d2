import type { Session } from '@beadloom/core/session.ts'
import { ArrowDown, CaseSensitive, ChevronDown, ChevronUp, FileText, Search, WrapText, X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { LogNotice } from './log-notice.tsx'
import css from './log-pane.module.css'
import { LogView } from './log-view.ts'
import type { LogViewState } from './log-view.ts'
import { useLogFind } from './use-log-find.ts'
import { useErrorSteps } from './use-error-steps.ts'
import { rememberWrap, wrapChoice } from './wrap-choice.ts'
import { rawLogUrl } from '../../api/endpoints.ts'
import { useFeed } from '../../feed/feed-context.tsx'
import type { LogFeed } from '../../feed/log-feed.ts'
import { announce } from '../../ui/announcer.tsx'
import { IconButton } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { countText, spanText } from '../../ui/time-text.ts'

type Props = {
  session: Session
  /** The line of the permalink, from 0. */
  line: number | null
  onLine: (line: number) => void
}

type Figures = { lines: number; phase: LogFeed['phase']; complete: boolean; partial: boolean }
const atFirst: Figures = { lines: 0, phase: { is: 'loading' }, complete: false, partial: false }
const SAY_MS = 10_000

/** The log of one session: the view and the bar above it. Nothing in here renders with every line. */
export function LogPane({ session, line, onLine }: Props) {
  const feed = useFeed()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<LogView | null>(null)
  const log = useRef<LogFeed | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const permalink = useRef(onLine)
  const begun = useRef(session.logLines > 0)
  useEffect(() => {
    permalink.current = onLine
  })
  const [place, setPlace] = useState<LogViewState>({
    following: true,
    unseen: 0,
    firstLine: 0,
    lastLine: 0,
    atStart: true,
  })
  const [figures, setFigures] = useState(atFirst)
  const [wrap, setWrap] = useState(wrapChoice)
  const firstLine = useRef(0)
  const from = useCallback(() => firstLine.current, [])
  const find = useLogFind(session.id, figures.lines, from)

  useEffect(() => {
    if (!host.current) return
    const source = feed.openLog(session.id, begun.current)
    const pane = new LogView(host.current, source, {
      label: `Log of session ${session.id}`,
      ofAgent: session.kind === 'work',
      onState: (state) => {
        firstLine.current = state.firstLine
        setPlace(state)
      },
      onPermalink: (n) => permalink.current(n),
    })
    view.current = pane
    log.current = source
    const changed = () => {
      pane.refresh()
      setFigures((old) => {
        const now = {
          lines: source.lines,
          phase: source.phase,
          complete: source.complete,
          partial: source.partial !== null,
        }
        const same =
          old.lines === now.lines &&
          old.phase === now.phase &&
          old.complete === now.complete &&
          old.partial === now.partial
        return same ? old : now
      })
    }
    const stop = source.onChange(throttled(changed, () => pane.refresh()))
    changed()
    return () => {
      stop()
      pane.destroy()
      source.close()
      view.current = null
      log.current = null
    }
  }, [feed, session.id, session.kind])

  const isOpen = figures.phase.is === 'open'
  useEffect(() => {
    if (isOpen) view.current?.mark(line)
  }, [line, session.id, isOpen])
  useEffect(() => view.current?.setFind(find.find), [find.find, session.id])
  useEffect(() => view.current?.setWrap(wrap), [wrap, session.id])
  const errors = useErrorSteps(session.id, figures.lines, onLine)
  const toggleWrap = () => {
    setWrap(!wrap)
    rememberWrap(!wrap)
  }
  useEffect(() => {
    view.current?.setEnd(figures.complete ? endText(session, figures.lines, log.current?.exit ?? null) : null)
  }, [figures.complete, figures.lines, session])
  useSayNews(place.unseen)

  useKeys('Output', [
    { keys: ['/'], does: 'Find in the log', run: () => input.current?.focus() },
    { keys: ['n'], does: 'Next hit', run: () => find.step(1) },
    { keys: ['N'], does: 'Previous hit', run: () => find.step(-1) },
    {
      keys: ['e'],
      does: 'Next error',
      run: () => errors.step(1, line ?? (place.following ? -1 : place.firstLine - 1)),
    },
    { keys: ['E'], does: 'Previous error', run: () => errors.step(-1, line ?? place.lastLine) },
    { keys: ['w'], does: 'Wrap long lines, or not', run: toggleWrap },
    { keys: ['j', 'ArrowDown'], does: 'Line down', run: () => view.current?.moveLines(1) },
    { keys: ['k', 'ArrowUp'], does: 'Line up', run: () => view.current?.moveLines(-1) },
    { keys: ['d'], does: 'Half a page down', run: () => view.current?.movePages(0.5) },
    { keys: ['u'], does: 'Half a page up', run: () => view.current?.movePages(-0.5) },
    { keys: [' ', 'PageDown'], does: 'Page down', run: (event) => view.current?.movePages(event.shiftKey ? -1 : 1) },
    { keys: ['PageUp'], does: 'Page up', run: () => view.current?.movePages(-1) },
    { keys: ['g g', 'Home'], does: 'Start of the log', run: () => view.current?.toStart() },
    { keys: ['G', 'End'], does: 'End of the log, and follow it', run: () => view.current?.toEnd() },
  ])

  return (
    <div className={css['pane']}>
      <div className={css['bar']} role="search">
        <Search size={16} strokeWidth={1.5} aria-hidden />
        <input
          ref={input}
          value={find.text}
          onChange={(event) => find.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') find.step(event.shiftKey ? -1 : 1)
            if (event.key !== 'Escape') return
            find.setText('')
            view.current?.focus()
          }}
          placeholder="Find in the log"
          aria-label="Find in the log"
          spellCheck={false}
        />
        {find.text === '' && errors.text !== '' && (
          <span className={css['hits']} role="status">
            {errors.text}
          </span>
        )}
        {find.text !== '' && (
          <>
            <span className={css['hits']} role="status">
              {hitsText(find.at, find.hits.length, find.state)}
            </span>
            <IconButton label="Previous hit" keys="N" onClick={() => find.step(-1)}>
              <ChevronUp size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
            <IconButton label="Next hit" keys="n" onClick={() => find.step(1)}>
              <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
            <IconButton label="Clear" onClick={() => find.setText('')}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton
          label="Match upper and lower case"
          aria-pressed={find.matchCase}
          className={find.matchCase ? css['on'] : undefined}
          onClick={() => find.setMatchCase(!find.matchCase)}
        >
          <CaseSensitive size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <IconButton
          label="Wrap long lines"
          keys="w"
          aria-pressed={wrap}
          className={wrap ? css['on'] : undefined}
          onClick={toggleWrap}
        >
          <WrapText size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <span className={css['lines']}>{figures.lines > 0 && `${countText(figures.lines)} lines`}</span>
        <a className={css['raw']} href={rawLogUrl(session.id)} target="_blank" rel="noreferrer">
          <FileText size={16} strokeWidth={1.5} aria-hidden />
          <span>Open as plain text</span>
        </a>
      </div>
      <div className={css['body']}>
        <div ref={host} className={css['host']} />
        <LogNotice session={session} {...figures} onRetry={() => void log.current?.start()} />
        {!place.following && figures.lines > 0 && (place.unseen > 0 || !figures.complete) && (
          <button type="button" className={css['pill']} onClick={() => view.current?.toEnd()}>
            <ArrowDown size={16} strokeWidth={1.5} aria-hidden />
            {place.unseen > 0 ? `${countText(place.unseen)} new ${place.unseen === 1 ? 'line' : 'lines'}` : 'Follow'}
          </button>
        )}
      </div>
    </div>
  )
}

function hitsText(at: number, count: number, state: ReturnType<typeof useLogFind>['state']): string {
  if (typeof state === 'object') return state.failed
  if (count === 0) return state === 'searching' ? 'searching' : 'no hits'
  return `${countText(at + 1)} of ${countText(count)}${state === 'more' ? '+' : ''}`
}

function endText(session: Session, lines: number, exit: number | null): string {
  const code = exit ?? session.exitCode
  const took = session.endedAt === null ? null : spanText(session.endedAt - session.startedAt)
  return ['■ ended', code === null ? null : `exit ${code}`, took, `${countText(lines)} lines`, 'complete ✓']
    .filter(Boolean)
    .join(' · ')
}

/** Figures around the log change at most ten times a second; the log itself is drawn with every frame. */
function throttled(run: () => void, each: () => void): () => void {
  let waiting = false
  return () => {
    each()
    if (waiting) return
    waiting = true
    setTimeout(() => {
      waiting = false
      run()
    }, 100)
  }
}

/** At most every 10 s assistive technology hears how far the log has gone on. */
function useSayNews(unseen: number): void {
  const latest = useRef(unseen)
  useEffect(() => {
    latest.current = unseen
  })
  useEffect(() => {
    const timer = setInterval(() => {
      if (latest.current > 0) announce(`${latest.current} new lines`)
    }, SAY_MS)
    return () => clearInterval(timer)
  }, [])
}
