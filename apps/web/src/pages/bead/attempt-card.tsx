import type { RunChoice } from '@beadloom/core/execution/execution.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import { causeOf, exitOf } from './attempt-compare.ts'
import css from './attempt-card.module.css'
import type { Attempt, CheckRun } from './attempts.ts'
import { CheckStep } from './check-step.tsx'
import { SessionChip } from './session-chip.tsx'
import { Chip } from '../../components/bead/chip.tsx'
import { verdictWords } from '../../components/bead/end-words.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { marks, type Mark } from '../../components/bead/states.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { shortCount } from '../../ui/count-text.ts'
import { exactText, spanText, wallClockText } from '../../ui/time-text.ts'

type Props = {
  attempt: Attempt
  /** What its run has that its project has not. */
  choice: RunChoice | undefined
  live: boolean
  chosen: string | undefined
  onSession: (session: string) => void
  /** Null where there is no other attempt to compare with. */
  onCompare: (() => void) | null
  /** Null where it is not known what this attempt changed. */
  onDiff: (() => void) | null
}

/** One attempt: its sessions, and what the checks said of its commit. */
export function AttemptCard({ attempt, choice, live, chosen, onSession, onCompare, onDiff }: Props) {
  const now = useServerNow()
  const { number, sessions, checks, passed, startedAt, endedAt, tokens, verdict, flaky } = attempt
  const mark = markOf(attempt, live)
  const running = live && sessions.some(({ state }) => state !== 'ended')
  const cause = running ? null : causeOf(attempt)
  const exit = running ? null : exitOf(attempt)
  const figures = [
    startedAt === null ? null : wallClockText(startedAt),
    startedAt === null ? null : spanText((endedAt ?? now) - startedAt),
    tokens > 0 ? `${shortCount(tokens)} tok` : null,
    exit === null ? null : `exit ${exit}`,
  ].filter((one) => one !== null)
  return (
    <li className={css['attempt']}>
      <div className={css['head']}>
        <h3>Attempt {number}</h3>
        <span className={css['state']}>
          <StateMark mark={mark} live={mark.tone === 'running'} />
        </span>
        {verdict !== null && (
          <Chip tone={verdictWords[verdict].tone} title={verdictWords[verdict].says}>
            {verdictWords[verdict].word}
          </Chip>
        )}
        {flaky && (
          <Chip tone="blocked" title="It failed, and passed when it was repeated on the same commit.">
            flaky
          </Chip>
        )}
        <span className={`${css['figures']} live-number`} title={startedAt === null ? undefined : exactText(startedAt)}>
          {figures.join(' · ')}
        </span>
        {onDiff && (
          <Button look="quiet" onClick={onDiff} title={`What attempt ${number} changed after the one before`}>
            Diff<span className="visually-hidden"> of attempt {number}</span>
          </Button>
        )}
        {onCompare && (
          <Button look="quiet" onClick={onCompare}>
            Compare<span className="visually-hidden"> attempt {number}</span>
          </Button>
        )}
      </div>
      {cause !== null && <p className={css['cause']}>{shown(cause)}</p>}
      {verdict === 'same' && passed !== true && (
        <p className={css['hint']}>
          The same failure twice in a row: a third attempt without a change (a note, another model, a smaller bead) is
          unlikely to help.
        </p>
      )}
      {sessions.length > 0 && (
        <div className={css['sessions']}>
          {sessions.map((session: Session) => (
            <SessionChip
              key={session.id}
              session={session}
              of={{ sessions, verifications: checks.flatMap(({ steps }) => steps), ...(choice && { chosen: choice }) }}
              inAttempt
              chosen={session.id === chosen}
              onChoose={() => onSession(session.id)}
            />
          ))}
        </div>
      )}
      {checks.map((run) => (
        <Checks key={`${run.purpose} ${run.run} ${run.commit}`} run={run} onSession={onSession} />
      ))}
    </li>
  )
}

function Checks({ run, onSession }: { run: CheckRun; onSession: (session: string) => void }) {
  const title =
    run.purpose === 'merge'
      ? 'Checks of the merge with the work branch'
      : run.run > 1
        ? 'Checks of the same commit, repeated to see whether the failure is steady'
        : 'Checks'
  return (
    <div className={css['checks']}>
      <h4>
        {title} <code>{run.commit.slice(0, 7)}</code>
        {run.purpose === 'merge' && run.run > 1 && ', repeated to see whether the failure is steady'}
      </h4>
      <ul aria-label={title}>
        {run.steps.map((step) => (
          <CheckStep key={step.step} step={step} onLog={() => onSession(step.session)} />
        ))}
      </ul>
    </div>
  )
}

function markOf({ passed, sessions }: Attempt, live: boolean): Mark {
  if (live && sessions.some(({ state }) => state !== 'ended')) return marks.running
  if (passed !== null)
    return passed ? { ...marks.completed, word: 'verified' } : { ...marks.failed, word: 'not verified' }
  if (live) return marks.running
  const bad = sessions.findLast(({ outcome }) => outcome !== null && outcome !== 'success')
  return bad ? { ...marks.failed, word: 'not finished' } : { ...marks.queued, word: 'not verified' }
}
