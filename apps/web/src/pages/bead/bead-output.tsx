import type { ExecutionView } from '@beadloom/core/api/api.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import { getRouteApi } from '@tanstack/react-router'
import css from './bead-output.module.css'
import { SessionChip } from './session-chip.tsx'
import { pickSession, stepSession } from './pick-session.ts'
import type { Lines } from '../../components/log/lines/line-selection.ts'
import { LogPane } from '../../components/log/log-pane.tsx'
import { useHome } from '../../feed/feed-context.tsx'
import type { Lane } from '../../feed/board-card.ts'
import { shown } from '../../ui/hostile-text.ts'
import { useKeys } from '../../ui/keys.ts'
import { PanelMessage } from '../../ui/panel-message.tsx'

const route = getRouteApi('/p/$project/b/$bead')

/** The log of the chosen session, and the sessions of its execution to choose from. */
export function BeadOutput({ lane, executions }: { lane: Lane; executions: ExecutionView[] }) {
  const { session: wanted, line, to } = route.useSearch()
  const navigate = route.useNavigate()
  const picked = pickSession(executions, wanted)
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
    { keys: ['<'], does: 'Log of the session before, also of an earlier run', run: () => step(-1) },
    { keys: ['>'], does: 'Log of the session after', run: () => step(1) },
  ])
  if (picked === null) return <NothingYet lane={lane} execution={executions[0] ?? null} />
  const linked = line === undefined || line < 1 ? null : { first: line - 1, last: Math.max(line, to ?? line) - 1 }
  return (
    <div className={css['output']}>
      <div className={css['sessions']}>
        {picked.execution.sessions.map((one) => (
          <SessionChip
            key={one.id}
            session={one}
            of={picked.execution}
            chosen={one.id === picked.session.id}
            onChoose={() => choose(one)}
          />
        ))}
      </div>
      <div className={css['pane']}>
        <LogPane
          key={picked.session.id}
          session={picked.session}
          activity={picked.execution.activity}
          lines={linked}
          onLines={(lines) => goTo(picked.session, lines)}
        />
      </div>
    </div>
  )
}

/** Why there is no log, with what it waits for as the server tells it now. */
function NothingYet({ lane, execution }: { lane: Lane; execution: ExecutionView | null }) {
  const { view } = useHome()
  if (execution?.state === 'RUNNING')
    return (
      <PanelMessage title="It is being prepared" role="status">
        <p>
          {execution.activity === null
            ? 'Its branch, its image and its container come first.'
            : shown(execution.activity)}
        </p>
      </PanelMessage>
    )
  const waiting = view?.status?.queue.find((one) => one.execution === execution?.id)
  if (waiting)
    return (
      <PanelMessage
        title={waiting.position === 1 ? 'Next in the queue' : `Number ${waiting.position} in the queue`}
        role="status"
      >
        <p>{waiting.reason === null ? 'It starts as soon as there is a slot.' : shown(waiting.reason.text)}</p>
      </PanelMessage>
    )
  return (
    <PanelMessage title="Nothing has run here yet">
      <p>
        {lane === 'queued' || lane === 'running'
          ? 'What its agent says and does will be here.'
          : 'After Run, what its agent says and does is here, line by line.'}
      </p>
    </PanelMessage>
  )
}
