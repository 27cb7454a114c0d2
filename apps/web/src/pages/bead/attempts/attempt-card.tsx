import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { causeOf, exitOf } from './attempt-compare.ts'
import { markOfAttempt } from './attempt-mark.ts'
import css from './attempt-card.module.css'
import { attemptTitle, type Attempt, type CheckRound } from './attempts.ts'
import { CheckStep } from './check-step.tsx'
import { pickSession } from '../tabs/pick-session.ts'
import { Chip } from '../../../components/bead/chip.tsx'
import { ContextFigure } from '../../../components/bead/context-figure.tsx'
import { contextNow, contextPeak } from '../../../components/bead/context-words.ts'
import { verdictWords } from '../../../components/bead/end-words.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { exactText, spanText, wallClockText } from '../../../ui/text/time-text.ts'

type Props = {
  attempt: Attempt
  of: ExecutionView
  live: boolean
  onSession: (session: string) => void
  /** Null if there is no other attempt to compare with. */
  onCompare: (() => void) | null
  /** Null if this attempt's changes are unknown. */
  onDiff: (() => void) | null
}

/** One attempt: its time and tokens, and its checks' results. Its sessions are in the pipeline. */
export function AttemptCard({ attempt, of, live, onSession, onCompare, onDiff }: Props) {
  const now = useServerNow()
  const { number, sessions, checks, passed, startedAt, endedAt, tokens, verdict, flaky } = attempt
  const mark = markOfAttempt(attempt, live)
  const running = live && sessions.some(({ state }) => state !== 'ended')
  const cause = running ? null : causeOf(attempt)
  const exit = running ? null : exitOf(attempt)
  const { session: log = null } = pickSession([{ ...of, sessions }], undefined) ?? {}
  const context = running ? contextNow({ sessions }) : contextPeak({ sessions })
  const models = [...new Set(sessions.flatMap(({ model }) => model ?? []))]
  const figures = [
    ...models.map(shown),
    startedAt === null ? null : wallClockText(startedAt),
    startedAt === null ? null : spanText((endedAt ?? now) - startedAt),
    tokens > 0 ? `${shortCount(tokens)} tok` : null,
    exit === null ? null : `exit ${exit}`,
  ].filter((one) => one !== null)
  return (
    <li className={css['attempt']}>
      <div className={css['head']}>
        <h3>{hasBegun(attempt) ? attemptTitle(attempt, of.inPhases) : 'Before the first attempt'}</h3>
        <span className={css['state']}>
          <StateMark mark={mark} live={mark.tone === 'running'} />
        </span>
        {verdict !== null && (
          <Chip tone={verdictWords[verdict].tone} title={verdictWords[verdict].says}>
            {verdictWords[verdict].word}
          </Chip>
        )}
        {flaky && (
          <Chip tone="blocked" title="Failed, then passed when re-checked on the same commit.">
            flaky
          </Chip>
        )}
        <span className={`${css['figures']} live-number`} title={startedAt === null ? undefined : exactText(startedAt)}>
          {figures.join(' · ')}
          {context && (
            <>
              {' · ctx '}
              <ContextFigure context={context} />
            </>
          )}
        </span>
        {log !== null && (
          <Button look="quiet" onClick={() => onSession(log.id)}>
            Log<span className="visually-hidden"> of attempt {number}</span>
          </Button>
        )}
        {onDiff && (
          <Button look="quiet" onClick={onDiff} title={`What attempt ${number} changed since the previous one`}>
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
          The same failure twice in a row: another attempt is unlikely to help without a change (a note, another model,
          a smaller bead).
        </p>
      )}
      {checks.map((round) => (
        <Checks key={`${round.purpose} ${round.run} ${round.commit}`} round={round} onSession={onSession} />
      ))}
    </li>
  )
}

function Checks({ round, onSession }: { round: CheckRound; onSession: (session: string) => void }) {
  const again = round.run > 1 ? 'Flakiness re-check' : null
  const title = round.purpose === 'merge' ? (again ? `${again} of the merge` : 'Merge check') : (again ?? 'Checks')
  return (
    <div className={css['checks']}>
      <h4>
        {title} <code>{round.commit.slice(0, 7)}</code>
      </h4>
      <ul aria-label={title}>
        {round.steps.map((step) => (
          <CheckStep key={step.step} step={step} onLog={() => onSession(step.session)} />
        ))}
      </ul>
    </div>
  )
}

/** A setup session alone is no attempt yet: it makes the image. */
const hasBegun = ({ sessions, checks }: Attempt): boolean =>
  checks.length > 0 || sessions.some(({ kind }) => kind !== 'setup')
