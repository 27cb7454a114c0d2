import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import css from './bead-output.module.css'
import { usePhaseThreads } from './phase-threads.ts'
import { readingOrder, stepSession, type Picked } from './pick-session.ts'
import { MessagesBelow } from '../messages/messages-below.tsx'
import { KeptFind } from '../../../components/log/find/find-across.ts'
import type { Lines } from '../../../components/log/lines/line-selection.ts'
import { SessionOutput } from '../../../components/log/session-output.tsx'
import { useHome } from '../../../feed/feed-context.tsx'
import type { Lane } from '@beadloom/core/board/board-card.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { useKeys } from '../../../ui/keys/keys.ts'
import { PanelMessage } from '../../../ui/panel-message.tsx'

const route = getRouteApi('/p/$project/b/$bead')

type Props = {
  lane: Lane
  /** Executions of the kinds work and plan, newest first. */
  executions: ExecutionView[]
  /** The session shown; null: there is none yet. */
  picked: Picked | null
  /** The other bead, if this one is only its reminder. */
  reminderOf: string | undefined
}

/** The log of the session selected in the pipeline above. */
export function BeadOutput({ lane, executions, picked, reminderOf }: Props) {
  const { session: wanted, line, to } = route.useSearch()
  const navigate = route.useNavigate()
  /** A session opened for reading from its start. */
  const [begun, setBegun] = useState<string | null>(null)
  const goTo = (session: Session, lines: Lines | null) =>
    void navigate({
      search: (old) => ({
        ...old,
        session: session.id,
        line: lines === null ? undefined : lines.first + 1,
        to: lines === null || lines.last === lines.first ? undefined : lines.last + 1,
      }),
      replace: true,
    })
  const choose = (session: Session) =>
    void navigate({ search: (old) => ({ ...old, session: session.id, line: undefined, to: undefined }), replace: true })
  const step = (by: 1 | -1) => {
    const next = picked === null ? null : stepSession(executions, picked.session, by)
    if (next !== null) choose(next)
  }
  useKeys('Sessions', [
    { keys: ['<'], does: 'Log of the previous session, also of an earlier execution', run: () => step(-1) },
    { keys: ['>'], does: 'Log of the next session', run: () => step(1) },
  ])
  const threads = usePhaseThreads(picked?.execution ?? null)
  const [kept] = useState(() => new KeptFind())
  const [first = null] = executions
  if (picked === null)
    return (
      <div className={css['output']}>
        <div className={css['pane']}>
          <NothingYet lane={lane} execution={first} reminderOf={reminderOf} />
        </div>
        {first && <MessagesBelow execution={first} />}
      </div>
    )
  // A finished plan opens as a whole.
  const overview = threads !== undefined && wanted === undefined && isTerminal(picked.execution.state)
  const linked = line === undefined || line < 1 ? null : { first: line - 1, last: Math.max(line, to ?? line) - 1 }
  return (
    <div className={css['output']}>
      <div className={css['pane']}>
        <SessionOutput
          key={picked.session.id}
          session={picked.session}
          activity={picked.execution.activity}
          lines={linked}
          onLines={(lines) => goTo(picked.session, lines)}
          command={picked.execution.chosen?.agent === 'command'}
          threads={threads}
          onThread={(id) => {
            const opened = picked.execution.sessions.find((one) => one.id === id)
            if (!opened) return
            setBegun(opened.state === 'ended' ? id : null)
            choose(opened)
          }}
          across={{
            execution: picked.execution.id,
            order: readingOrder(picked.execution.sessions, threads),
            growing: picked.execution.sessions.some(({ id, state }) => state !== 'ended' && id !== picked.session.id),
            kept,
            onSession: (id) => {
              const opened = picked.execution.sessions.find((one) => one.id === id)
              if (opened) choose(opened)
            },
          }}
          start={begun === picked.session.id ? 'head' : overview ? 'top' : 'end'}
        />
      </div>
      <MessagesBelow execution={picked.execution} />
    </div>
  )
}

const ofSlots: readonly Reason['code'][] = ['slots_in_use', 'behind_others', 'share_used', 'starting']

/** The reason why there is no log yet, with the server's reason to wait. */
function NothingYet({
  lane,
  execution,
  reminderOf,
}: Omit<Props, 'executions' | 'picked'> & { execution: ExecutionView | null }) {
  const { view } = useHome()
  if (execution?.state === 'RUNNING')
    return (
      <PanelMessage title="Preparing" role="status">
        <p>
          {execution.activity === null
            ? 'Creating the branch, the image and the container.'
            : shown(execution.activity)}
        </p>
      </PanelMessage>
    )
  const waiting = view?.status?.queue.find((one) => one.execution === execution?.id)
  // A bead that waits for something other than a slot is not next.
  const { reason = null } = waiting ?? {}
  const waits = reason !== null && !ofSlots.includes(reason.code)
  if (waiting)
    return (
      <PanelMessage
        title={
          waits
            ? 'In the queue'
            : waiting.position === 1
              ? 'Next in the queue'
              : `Number ${waiting.position} in the queue`
        }
        role="status"
      >
        <p>{waiting.reason === null ? 'Starts as soon as a slot is free.' : shown(waiting.reason.text)}</p>
      </PanelMessage>
    )
  if (reminderOf !== undefined)
    return (
      <PanelMessage title="Nothing to run">
        <p>This bead is only a reminder. Run {shown(reminderOf)} instead.</p>
      </PanelMessage>
    )
  return (
    <PanelMessage title="This bead has not run yet">
      <p>
        {lane === 'queued' || lane === 'running'
          ? 'Agent output will appear here.'
          : 'Agent output appears here once you press Run.'}
      </p>
    </PanelMessage>
  )
}
