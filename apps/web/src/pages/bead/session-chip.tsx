import type { ExecutionView } from '@beadloom/core/api/api.ts'
import { checkOfSession, WHY_REPEATED } from '@beadloom/core/execution/check-session.ts'
import type { Session, SessionKind } from '@beadloom/core/execution/session.ts'
import css from './session-chip.module.css'
import { titleOf } from '../../components/bead/agent-words.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks, outcomeMark } from '../../components/bead/states.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { elapsedText } from '../../ui/time-text.ts'

export const kindWords: Record<SessionKind, string> = {
  setup: 'Set-up',
  work: 'Agent',
  verify: 'Verification',
  save: 'Saving',
}

export function SessionChip({
  session,
  of,
  inAttempt,
  chosen,
  onChoose,
}: {
  session: Session
  /** Tells a verification that repeats another one, and an agent that is another than the project's. */
  of: Pick<ExecutionView, 'sessions' | 'verifications' | 'chosen'>
  /** It stands with its attempt's number, and there is room for its model. */
  inAttempt?: boolean
  chosen: boolean
  onChoose: () => void
}) {
  const now = useServerNow()
  const check = checkOfSession(session, of)
  const live = session.state !== 'ended'
  const mark = session.outcome ? outcomeMark[session.outcome] : live ? marks.running : marks.completed
  return (
    <button
      type="button"
      className={css['chip']}
      aria-pressed={chosen}
      onClick={onChoose}
      title={session.detail || (check?.repeated ? WHY_REPEATED : undefined)}
    >
      <StateMark mark={mark} bare live={live} />
      <span>
        {check?.purpose === 'merge' ? 'Verification of the merge' : kindWords[session.kind]}
        {session.kind === 'work' && of.chosen?.agent !== undefined && ` ${titleOf(of.chosen.agent)}`}
        {session.attempt > 1 && inAttempt !== true && `, attempt ${session.attempt}`}
        {check?.repeated && (
          <span>
            , repeated<span className="visually-hidden">{WHY_REPEATED.replace('repeated', '')}</span>
          </span>
        )}
      </span>
      {inAttempt === true && session.model !== null && <span className={css['time']}>{shown(session.model)}</span>}
      <span className={`${css['time']} live-number`}>{elapsedText((session.endedAt ?? now) - session.startedAt)}</span>
    </button>
  )
}
