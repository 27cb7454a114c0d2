import type { Session } from '@beadloom/core/records/session.ts'
import { Suspense, useEffect, useRef } from 'react'
import { OutputModes, useOutputMode } from './conversation/output-mode.tsx'
import type { ThreadHead } from './conversation/thread-head.tsx'
import type { FindAcross } from './find/find-across.ts'
import type { Lines } from './lines/line-selection.ts'
import { LogPane } from './log-pane.tsx'
import { useKeys } from '../../ui/keys/keys.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Loading } from '../../ui/loading.tsx'

const conversation = lazyPart(async () => (await import('./conversation/conversation-pane.tsx')).ConversationPane)

type Props = {
  session: Session
  activity: string | null
  /** The lines of the permalink, counted from 0. */
  lines: Lines | null
  onLines: (lines: Lines | null) => void
  /** Its agent is a person's own command, which may print anything: it is shown as the log at first. */
  command?: boolean
  /** The sessions of the same work, if they are read as one conversation. */
  threads?: readonly ThreadHead[] | undefined
  onThread?: (session: string) => void
  start?: 'end' | 'head' | 'top'
  /** Lets Find continue in other sessions of the execution. */
  across?: FindAcross | null
}

/** A session's output: as a conversation if it has an agent, otherwise as the log. */
export function SessionOutput(props: Props) {
  const { session } = props
  const isThread = props.threads !== undefined
  const [mode, choose] = useOutputMode(session, props.command ?? false, isThread)
  const other = mode === 'log' ? 'conversation' : 'log'
  const both = session.kind === 'work' || isThread
  useKeys('Output view', both ? [{ keys: ['c'], does: 'Conversation, or the log', run: () => choose(other) }] : [])
  // A log takes the lines it opens with for the person's choice, so they go into the address before it opens.
  const asked = useRef<Lines | null>(null)
  const { lines } = props
  useEffect(() => {
    if (asked.current === null || !isSame(lines, asked.current)) return
    asked.current = null
    choose('log')
  }, [lines, choose])
  const showInLog = (chosen: Lines) => {
    if (isSame(lines, chosen)) return choose('log')
    asked.current = chosen
    props.onLines(chosen)
  }
  const lead = both && <OutputModes mode={mode} onMode={choose} />
  if (mode === 'log') return <LogPane {...props} lead={lead} />
  return (
    <Suspense fallback={<Loading what="the conversation" />}>
      <conversation.Part {...props} lead={lead} onLog={showInLog} />
    </Suspense>
  )
}

const isSame = (a: Lines | null, b: Lines): boolean => a !== null && a.first === b.first && a.last === b.last
