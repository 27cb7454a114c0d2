import type { Session } from '@beadloom/core/records/session.ts'
import type { Step } from '@beadloom/core/conversation/step.ts'
import { Suspense, useCallback, useMemo, useReducer, useRef, useState, type ReactNode } from 'react'
import { movedTo, placeAt, unseenLines } from './reading-place.ts'
import { rowsOf } from './rows.ts'
import { StepRows } from './step-rows.tsx'
import type { ThreadHead } from './thread-head.tsx'
import { useConversation } from './use-conversation.ts'
import { useConversationKeys } from './use-conversation-keys.ts'
import { useReadingPlace } from './use-reading-place.ts'
import type { Rows } from './use-step-scroll.ts'
import { useStepTools } from './use-step-tools.ts'
import { DownloadMenu } from '../download-menu.tsx'
import type { FindAcross } from '../find/find-across.ts'
import { useLogFind } from '../find/use-log-find.ts'
import { FollowButton } from '../follow-button.tsx'
import type { Lines } from '../lines/line-selection.ts'
import bar from '../log-bar.module.css'
import { FindField } from '../log-bar.tsx'
import { LogNotice } from '../log-notice.tsx'
import pane from '../log-pane.module.css'
import { counted } from '@beadloom/core/text/count-text.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

const goToLine = lazyPart(async () => (await import('../go-to-line.tsx')).GoToLine)

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
  const { session, activity, lines: linked, onLines, across = null, start = 'end' } = props
  const first = linked?.first ?? null
  const rows = useRef<Rows>(null)
  const input = useRef<HTMLInputElement>(null)
  const conversation = useConversation(session, first ?? (start === 'end' ? null : 0))
  const { steps, window, lines, log, phase, complete } = conversation
  const [place, move] = useReducer(movedTo, null, () => placeAt(first, start))
  const { current, following } = place
  const [download, setDownload] = useState(false)
  const [asksLine, setAsksLine] = useState(false)
  const from = useCallback(() => current ?? 0, [current])
  const find = useLogFind(log, from, session.id, across)
  const threads = useMemo(
    () => props.threads?.map((head) => ({ ...head, matches: find.counts.get(head.session ?? '') ?? 0 })) ?? null,
    [props.threads, find.counts],
  )
  const { pattern, current: match } = find.find
  const isHeaded = threads !== null
  const reading = useReadingPlace({ place, move, conversation, rows, linked: first, hit: match?.line, isHeaded })
  const live = session.state !== 'ended' && !complete
  const tools = useStepTools({ session, conversation, place, move, mark: pattern, live, onLog: props.onLog })
  const showInLog = (step: Step) => tools.toLog(step.first, step.last)
  useConversationKeys({
    find,
    input,
    rows,
    reading,
    showInLog,
    askLine: () => setAsksLine(true),
    clear: () => {
      move({ is: 'clear' })
      onLines(null)
    },
    download: () => setDownload(true),
  })

  const working = live && steps.length > 0
  const list = useMemo(
    () => rowsOf({ session: session.id, steps, window, lines, working, threads }),
    [session.id, steps, window, lines, working, threads],
  )
  return (
    <div className={pane['pane']}>
      <div className={bar['bar']} role="search" aria-label="Find in the log">
        {props.lead}
        <FindField find={find} input={input} onDone={() => rows.current?.focus()} />
        <BarEnd session={session.id} lines={lines} download={download} onDownload={setDownload} />
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
          onFollow={(on) => move({ is: 'follow', on, lines })}
          onOlder={conversation.older}
          onNewer={conversation.newer}
          onChoose={(step) => {
            reading.choose(step)
            onLines({ first: step.first, last: step.last })
          }}
          onLog={showInLog}
          onThread={(id) => props.onThread?.(id)}
          onLine={(line) => reading.goTo(line, 'top')}
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
        {!following && lines > 0 && (
          <FollowButton unseen={unseenLines(place, lines)} live={live} onFollow={reading.follow} />
        )}
      </div>
    </div>
  )
}

type BarEndProps = { session: string; lines: number; download: boolean; onDownload: (open: boolean) => void }
const BarEnd = ({ session, lines, download, onDownload }: BarEndProps) => (
  <span className={bar['end']}>
    <span className={bar['lines']}>{lines > 0 && counted(lines, 'line')}</span>
    <DownloadMenu session={session} lines={lines} open={download} onOpen={onDownload} />
  </span>
)
