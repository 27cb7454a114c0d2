import type { Session } from '@beadloom/core/records/session.ts'
import type { Step } from '@beadloom/core/conversation/step.ts'
import { ArrowDown } from 'lucide-react'
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { rowsOf } from './rows.ts'
import { StepRows, type Rows } from './step-rows.tsx'
import type { StepTools } from './step-tools.ts'
import type { ThreadHead } from './thread-head.tsx'
import { useCalls } from './use-calls.ts'
import { useConversation } from './use-conversation.ts'
import { useConversationKeys } from './use-conversation-keys.ts'
import { DownloadMenu } from '../download-menu.tsx'
import type { FindAcross } from '../find/find-across.ts'
import { useLogFind } from '../find/use-log-find.ts'
import type { Lines } from '../lines/line-selection.ts'
import bar from '../log-bar.module.css'
import { FindField } from '../log-bar.tsx'
import { LogNotice } from '../log-notice.tsx'
import pane from '../log-pane.module.css'
import { counted } from '@beadloom/core/text/count-text.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

const goToLine = lazyPart(async () => (await import('../go-to-line.tsx')).GoToLine)

/** A line to bring into view once it is read. */
type Goal = { line: number; at?: 'head' | 'top' | undefined }

export type ConversationProps = {
  session: Session
  activity: string | null
  lines: Lines | null
  onLines: (lines: Lines | null) => void
  /** Shows the same lines in the log. */
  onLog: (lines: Lines) => void
  /** The switch between conversation and log. */
  lead: ReactNode
  /** All sessions of the same work, including this one. */
  threads?: readonly ThreadHead[] | undefined
  onThread?: ((session: string) => void) | undefined
  across?: FindAcross | null
  /** The start of reading: at the session's end, at its head, or at the top of all threads with its beginning below. */
  start?: 'end' | 'head' | 'top' | undefined
}

/** The conversation of one session: its steps, and everything around them. */
export function ConversationPane(props: ConversationProps) {
  const { session, activity, lines: linked, onLines, onLog, lead, across = null, start = 'end' } = props
  const rows = useRef<Rows>(null)
  const input = useRef<HTMLInputElement>(null)
  const said = useConversation(session, linked?.first ?? (start === 'end' ? null : 0))
  const { steps, window, lines, log, phase, complete } = said
  const given = useCalls(session.id, steps)
  const [following, setFollowing] = useState(linked === null && start === 'end')
  const [current, setCurrent] = useState<number | null>(null)
  const [flipped, setFlipped] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [download, setDownload] = useState(false)
  const [asksLine, setAsksLine] = useState(false)
  const [seen, setSeen] = useState(0)
  const from = useCallback(() => current ?? 0, [current])
  const find = useLogFind(log, from, session.id, across)
  const threads = useMemo(
    () => props.threads?.map((head) => ({ ...head, matches: find.counts.get(head.session ?? '') ?? 0 })) ?? null,
    [props.threads, find.counts],
  )

  const follow = (on: boolean) => {
    setFollowing(on)
    setSeen(lines)
  }
  const flip = useCallback((first: number, open: boolean) => {
    setFollowing(false)
    setFlipped((old) => new Map(old).set(first, open))
  }, [])
  const latest = useRef(onLog)
  useEffect(() => {
    latest.current = onLog
  })
  const toLog = useCallback((first: number, last: number) => latest.current({ first, last }), [])
  const live = session.state !== 'ended' && !complete
  const mark = find.find.pattern
  const tools = useMemo<StepTools>(
    () => ({
      line: (n) => log?.line(n),
      given: (n) => given.get(n),
      isOpen: (first) => flipped.get(first),
      flip,
      toLog,
      mark,
      live,
    }),
    [log, given, flipped, flip, toLog, mark, live],
  )

  // A permalink or a match opens the step with its line. With `at` it only scrolls there, as the scroll bar does.
  const goal = useRef<Goal | null>(linked ? { line: linked.first } : start === 'head' ? { line: 0, at: 'head' } : null)
  const { reach } = said
  const goTo = useCallback(
    (line: number, at?: Goal['at']) => {
      goal.current = { line, at }
      setFollowing(false)
      reach(line)
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it acts on what is read now
    [lines],
  )
  const [jumped, setJumped] = useState(0)
  const hit = find.find.current?.line
  useEffect(() => {
    if (hit !== undefined) goTo(hit)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each match
  }, [hit])
  useEffect(() => {
    if (linked) goTo(linked.first)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each permalink
  }, [linked?.first])
  useEffect(() => {
    if (goal.current === null) return
    const { line, at } = goal.current
    const step = stepAt(steps, line)
    if (!step || step.is === 'gap') return
    goal.current = null
    if (at !== undefined) return rows.current?.show(at === 'head' && threads !== null ? 'head' : step.first, true)
    setCurrent(step.first)
    if (line > step.first) setFlipped((old) => new Map(old).set(step.first, true))
    rows.current?.show(step.first)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- heads that change move nothing
  }, [steps, hit, linked?.first, jumped])

  const at = steps.findIndex(({ first }) => first === current)
  const choose = (step: Step | undefined) => {
    if (!step) return
    setFollowing(false)
    setCurrent(step.first)
    rows.current?.show(step.first)
  }
  useConversationKeys({
    find,
    input,
    rows,
    step: (by) => choose(at < 0 ? steps.at(by === 1 && !following ? 0 : -1) : steps[Math.max(0, at + by)]),
    fold: () =>
      current !== null && document.querySelector<HTMLElement>(`[data-step="${current}"] [aria-expanded]`)?.click(),
    showInLog: () => steps[at] && toLog(steps[at].first, steps[at].last),
    toStart: () => goTo(0),
    askLine: () => setAsksLine(true),
    toEnd: () => {
      said.toEnd()
      setCurrent(null)
      follow(true)
    },
    clear: () => {
      if (find.query.text !== '') find.change({ text: '' })
      else {
        setCurrent(null)
        onLines(null)
      }
    },
    download: () => setDownload(true),
  })

  const working = live && steps.length > 0
  const list = useMemo(
    () => rowsOf({ session: session.id, steps, window, lines, working, threads }),
    [session.id, steps, window, lines, working, threads],
  )
  const unseen = following ? 0 : Math.max(0, lines - Math.max(seen, 0))
  return (
    <div className={pane['pane']}>
      <div className={bar['bar']} role="search" aria-label="Find in the log">
        {lead}
        <FindField find={find} input={input} onDone={() => rows.current?.focus()} />
        <span className={bar['end']}>
          <span className={bar['lines']}>{lines > 0 && counted(lines, 'line')}</span>
          <DownloadMenu session={session.id} lines={lines} open={download} onOpen={setDownload} />
        </span>
      </div>
      <div className={pane['body']}>
        <StepRows
          ref={rows}
          {...list}
          session={session.id}
          lines={lines}
          tools={tools}
          label={`Conversation of session ${session.id}`}
          current={current}
          following={following}
          onFollow={follow}
          onOlder={said.older}
          onNewer={said.newer}
          onChoose={(step) => {
            choose(step)
            onLines({ first: step.first, last: step.last })
          }}
          onLog={(step) => toLog(step.first, step.last)}
          onThread={(id) => props.onThread?.(id)}
          onLine={(line) => {
            goTo(line, 'top')
            setJumped((times) => times + 1)
          }}
        />
        {asksLine && (
          <Suspense fallback={null}>
            <goToLine.Part
              lines={lines}
              onLine={(n) => onLines({ first: n, last: n })}
              onClose={() => {
                setAsksLine(false)
                rows.current?.focus()
              }}
            />
          </Suspense>
        )}
        <LogNotice
          session={session}
          activity={activity}
          lines={lines}
          phase={phase}
          complete={complete}
          partial={false}
          filteredOut={false}
          onRetry={() => void log?.start()}
        />
        {!following && lines > 0 && ((unseen > 0 && seen > 0) || live) && (
          <button
            type="button"
            className={pane['pill']}
            onClick={() => {
              said.toEnd()
              follow(true)
            }}
          >
            <ArrowDown size={16} strokeWidth={1.5} aria-hidden />
            {unseen > 0 && seen > 0 ? counted(unseen, 'new line') : 'Follow'}
          </button>
        )}
      </div>
    </div>
  )
}

/** The smallest step that contains a line: parallel calls have each other's lines between their own. */
function stepAt(steps: readonly Step[], line: number): Step | undefined {
  let found: Step | undefined
  for (const step of steps)
    if (step.first <= line && step.last >= line && (!found || step.last - step.first <= found.last - found.first))
      found = step
  return found
}
