import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { cameTo, checkOfSession } from '@beadloom/core/execution/check-session.ts'
import type { Session, SessionKind } from '@beadloom/core/records/session.ts'
import css from './session-chip.module.css'
import { titleOf } from '../../components/bead/run/agent-words.ts'
import { phaseSessionText } from '@beadloom/core/views/progress-text.ts'
import { isRejectedReview } from '@beadloom/core/views/rejected-review.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks, outcomeMark, rejectedMark } from '../../components/bead/states.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { elapsedText } from '../../ui/text/time-text.ts'

export const kindWords: Record<SessionKind, string> = {
  setup: 'Setup',
  work: 'Agent',
  verify: 'Check',
  save: 'Save',
  service: 'Service',
}

const WHY_RED = 'They fail without the change, as they should.'
const WHY_RED_YET = 'Some tests fail, as they should: a later phase makes them pass.'
const WHY_AGAIN = 'The same commit is checked again, to see whether the failure is flaky.'

export function SessionChip({
  session,
  of,
  chosen,
  onChoose,
}: {
  session: Session
  /** Distinguishes a re-check from a check, and an agent chosen for this execution from the project's. */
  of: Pick<ExecutionView, 'sessions' | 'verifications' | 'redGreen' | 'chosen' | 'inPhases' | 'reason'>
  chosen: boolean
  onChoose: () => void
}) {
  const now = useServerNow()
  const check = checkOfSession(session, of)
  const inPhase = of.inPhases?.find(({ id }) => id === session.id)
  const name = inPhase ? shown(phaseSessionText(inPhase)) : nameOf(session, check, of.chosen?.agent)
  const live = session.state !== 'ended'
  const outcome = cameTo(session, of)
  const asMeant = outcome === 'success' && session.outcome === 'failed'
  const mark = isRejectedReview(session.id, of)
    ? rejectedMark
    : outcome
      ? outcomeMark[outcome]
      : live
        ? marks.running
        : marks.completed
  return (
    <button
      type="button"
      className={css['chip']}
      aria-pressed={chosen}
      onClick={onChoose}
      title={
        (asMeant ? (inPhase ? WHY_RED_YET : WHY_RED) : session.detail) || (check?.repeated ? WHY_AGAIN : undefined)
      }
    >
      <StateMark mark={mark} bare live={live} />
      <span>
        {name}
        {check?.repeated && <span className="visually-hidden"> {WHY_AGAIN}</span>}
      </span>
      <span className={`${css['time']} ${live ? css['runs'] : ''} live-number`}>
        {elapsedText(lastedBy(session, now) ?? 0)}
      </span>
    </button>
  )
}

/** "Agent (Codex)", "Service postgres", "Check", "Re-check", "Merge check", "Merge re-check", "Tests without the change", "Tests as they were". */
function nameOf(
  { kind, service }: Session,
  check: ReturnType<typeof checkOfSession>,
  agent: string | undefined,
): string {
  if (service !== undefined) return `${kindWords.service} ${shown(service)}`
  if (kind === 'work' && agent !== undefined) return `${kindWords.work} (${titleOf(agent)})`
  if (check === null) return kindWords[kind]
  if (check.purpose === 'start') return 'Tests without the change'
  if (check.purpose === 'original') return 'Tests as they were'
  const word = check.repeated ? 'Re-check' : kindWords.verify
  return check.purpose === 'merge' ? `Merge ${word.toLowerCase()}` : word
}
