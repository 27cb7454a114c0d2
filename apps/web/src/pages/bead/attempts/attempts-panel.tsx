import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { describePolicy } from '@beadloom/core/execution/retry-words.ts'
import { progressText } from '@beadloom/core/views/progress-text.ts'
import { getRouteApi } from '@tanstack/react-router'
import { GalleryHorizontalEnd } from 'lucide-react'
import { Suspense, useState } from 'react'
import { AttemptCard } from './attempt-card.tsx'
import { AttemptDialog } from './attempt-dialog.tsx'
import css from './attempts-panel.module.css'
import { attemptsOf } from './attempts.ts'
import { EvidenceCard } from '../tabs/evidence-card.tsx'
import { chosenText } from '../../../components/bead/run/agent-words.ts'
import { attemptRanges } from '../../../components/diff/diff-ranges.ts'
import { ATTEMPTS_AND_RETRIES, reasonText, retriesText } from '../../../components/bead/end-words.ts'
import { ExecutionMarks, FollowUps } from '../../../components/bead/execution-marks.tsx'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { laneOfExecution, marks } from '../../../components/bead/states.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Loading } from '../../../ui/loading.tsx'
import { PanelMessage } from '../../../ui/panel-message.tsx'
import { exactText, sinceText } from '../../../ui/text/time-text.ts'

// Loaded later, because it brings the log and the diff.
const theatre = lazyPart(async () => (await import('../theatre/attempt-theatre.tsx')).AttemptTheatre)

const route = getRouteApi('/p/$project/b/$bead')

/** Every execution of the bead, attempt by attempt; the newest is open. */
export function AttemptsPanel({ title, executions }: { title: string; executions: ExecutionView[] }) {
  const { attempt } = route.useSearch()
  const [newest, ...older] = executions
  if (newest === undefined)
    return (
      <PanelMessage title="This bead has not run yet">
        <p>Attempts appear here once you press Run: their sessions, and the results of checks for each commit.</p>
      </PanelMessage>
    )
  if (attempt !== undefined)
    return (
      <Suspense fallback={<Loading what="the attempt" />}>
        <theatre.Part executions={executions} number={attempt} />
      </Suspense>
    )
  return (
    <div className={css['panel']}>
      <ExecutionAttempts execution={newest} title={title} newest />
      {older.length > 0 && <h2 className={css['older']}>Earlier executions</h2>}
      {older.map((one) => (
        <OlderExecution key={one.id} execution={one} title={title} />
      ))}
    </div>
  )
}

/** A folded execution is not drawn: a bead may have a hundred of them. */
function OlderExecution({ execution, title }: { execution: ExecutionView; title: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className={css['fold']}>
      <summary>
        <Head execution={execution} />
      </summary>
      {open && <ExecutionAttempts execution={execution} title={title} headless />}
    </details>
  )
}

type AttemptsProps = {
  execution: ExecutionView
  /** The bead's title. */
  title: string
  headless?: boolean
  /** The diff shows this execution. */
  newest?: boolean
}

function ExecutionAttempts({ execution, title, headless, newest }: AttemptsProps) {
  const navigate = route.useNavigate()
  const attempts = attemptsOf(execution)
  const [compared, setCompared] = useState<number | null>(null)
  const ranges = attemptRanges(execution.verifications)
  const stepThrough = (attempt: number) =>
    void navigate({
      search: (old) => ({
        ...old,
        tab: 'attempts',
        attempt,
        session: newest ? undefined : execution.sessions.find((one) => Math.max(1, one.attempt) === attempt)?.id,
        line: undefined,
      }),
      replace: true,
    })
  const proved = execution.kind === 'work' && isTerminal(execution.state) && attempts.length > 0
  const policy = execution.retryCount > 0 ? describePolicy(execution.retry) : null
  return (
    <section className={css['execution']} aria-label={`Execution ${execution.id}`}>
      {!headless && (
        <h2>
          <Head execution={execution} />
        </h2>
      )}
      {attempts.length > 0 && execution.kind === 'work' && (
        <Button
          className={css['step']}
          icon={<GalleryHorizontalEnd size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => stepThrough(attempts.at(-1)?.number ?? 1)}
        >
          Step through{' '}
          {attempts.length === 1
            ? 'the attempt'
            : attempts.length === 2
              ? 'both attempts'
              : `all ${attempts.length} attempts`}
        </Button>
      )}
      {policy !== null && <p className={css['muted']}>{shown(policy)}</p>}
      {execution.retryCount > 0 && execution.maxAttempts > 1 && <p className={css['muted']}>{ATTEMPTS_AND_RETRIES}</p>}
      <ExecutionMarks execution={execution} proved={proved} />
      {headless && <FollowUps execution={execution} />}
      {attempts.length === 0 && (
        <p className={css['muted']}>
          {isTerminal(execution.state) ? 'It ended before its first session.' : 'It has not started yet.'}
        </p>
      )}
      {proved && (
        <EvidenceCard
          execution={execution}
          title={title}
          onSession={(session) =>
            void navigate({ search: (old) => ({ ...old, tab: 'output', session, line: undefined }), replace: true })
          }
        />
      )}
      <ol className={css['attempts']} aria-label="Attempts, newest first">
        {attempts.map((attempt) => (
          <AttemptCard
            key={attempt.number}
            attempt={attempt}
            of={execution}
            live={!isTerminal(execution.state) && attempt === attempts[0]}
            onCompare={
              attempts.some(({ number }) => number < attempt.number) ? () => setCompared(attempt.number) : null
            }
            onDiff={
              newest && ranges.some((one) => one.attempt === attempt.number)
                ? () =>
                    void navigate({
                      search: (old) => ({ ...old, tab: 'diff', range: attempt.number, file: undefined, at: undefined }),
                      replace: true,
                    })
                : null
            }
            onSession={(session) =>
              void navigate({ search: (old) => ({ ...old, tab: 'output', session, line: undefined }), replace: true })
            }
          />
        ))}
      </ol>
      {compared !== null && <AttemptDialog attempts={attempts} number={compared} onClose={() => setCompared(null)} />}
    </section>
  )
}

function Head({ execution }: { execution: ExecutionView }) {
  const now = useServerNow()
  const { state, attempt, maxAttempts, progress, queuedAt, chosen } = execution
  const reason = reasonText(execution)
  const facts = [
    execution.startedAt === null || (attempt === 0 && isTerminal(state))
      ? null
      : progress
        ? progressText(progress)
        : `attempt ${Math.max(1, attempt)} of ${maxAttempts}`,
    retriesText(execution),
    chosenText(chosen),
    sinceText(now - queuedAt),
  ].filter((one) => one !== null)
  return (
    <span className={css['head']}>
      <StateMark mark={marks[laneOfExecution[state]]} live={state === 'RUNNING'} />
      {reason !== null && <span>{reason}</span>}
      <span className={css['muted']} title={exactText(queuedAt)}>
        {shown(facts.join(' · '))}
      </span>
    </span>
  )
}
