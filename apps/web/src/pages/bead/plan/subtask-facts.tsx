import { LateMarkdown } from '../../../components/markdown/late-markdown.tsx'
import type { PhaseSubtaskView, PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { allTokens } from '@beadloom/core/budget/token-use.ts'
import type { FactsProps } from './facts-props.ts'
import css from './item-facts.module.css'
import { LogLink } from './log-link.tsx'
import { Checks, Review } from './phase-facts.tsx'
import { roleWords, statusMarks, stepMark } from './plan-marks.ts'
import { sessionsOf, type PhaseSession } from './plan-phases.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { elapsedText } from '../../../ui/text/time-text.ts'

/** A subtask's task, its files, and each session that worked on it. */
export function SubtaskFacts({
  phase,
  subtask,
  plan,
  execution,
  bead,
  onChoose,
}: FactsProps & { phase: PhaseView; subtask: PhaseSubtaskView }) {
  const { id, title, type, status, error } = subtask
  const { description = '', filesTouched = [], dependsOn = [] } = plan.subtasks.find((one) => one.id === id) ?? {}
  const sessions = sessionsOf(phase, execution).filter((one) => one.subtask === id)
  return (
    <>
      <header className={css['head']}>
        <h2>{shown(title)}</h2>
        <StateMark mark={statusMarks[status]} live={status === 'running'} />
      </header>
      {error !== null && error !== '' && <p className={css['error']}>{shown(error)}</p>}
      <dl className={css['pairs']}>
        <div>
          <dt>Subtask</dt>
          <dd>
            {shown(id)}{' '}
            <span className={css['muted']}>
              {type}, phase {phase.number}
            </span>
          </dd>
        </div>
        {dependsOn.length > 0 && (
          <div>
            <dt>After</dt>
            <dd className={css['ids']}>
              {dependsOn.map((one) => (
                <button key={one} type="button" className={css['link']} onClick={() => onChoose(`subtask ${one}`)}>
                  {shown(one)}
                </button>
              ))}
            </dd>
          </div>
        )}
        <div>
          <dt>Files</dt>
          <dd>
            <ul className={css['files']}>
              {filesTouched.map((path) => (
                <li key={path}>
                  <code>{shown(path)}</code>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      </dl>
      <Sessions phase={phase} sessions={sessions} bead={bead} />
      {description !== '' && <LateMarkdown text={description} />}
    </>
  )
}

/** A step after the subtasks: checks, a fix, a review. */
export function StepFacts({ phase, step, bead }: FactsProps & { phase: PhaseView; step: PhaseSession }) {
  const tree = phase.trees.find(({ attempt }) => attempt === step.session.attempt)
  const checks = tree?.checks.filter(({ session }) => session === step.id) ?? []
  return (
    <>
      <header className={css['head']}>
        <h2>
          {roleWords[step.role]} <span className={css['kind']}>of phase {phase.number}</span>
        </h2>
        <StateMark mark={stepMark(phase, step)} live={step.session.state !== 'ended'} />
      </header>
      {step.cameTo !== 'success' && step.session.detail !== '' && <p>{shown(step.session.detail)}</p>}
      <Sessions phase={phase} sessions={[step]} bead={bead} />
      {checks.length > 0 && <Checks checks={checks} bead={bead} />}
      {step.role === 'review' && tree?.review && <Review review={tree.review} />}
    </>
  )
}

type SessionsProps = { phase: PhaseView; sessions: readonly PhaseSession[]; bead: FactsProps['bead'] }

function Sessions({ phase, sessions, bead }: SessionsProps) {
  const now = useServerNow()
  if (sessions.length === 0) return null
  return (
    <ul className={css['sessions']} aria-label="Sessions">
      {sessions.toReversed().map((one) => (
        <li key={one.id}>
          <StateMark mark={stepMark(phase, one)} bare live={one.session.state !== 'ended'} />
          <LogLink session={one.id} bead={bead}>
            {one.session.state === 'ended' ? 'Log' : 'Watch its log'}
            <span className="visually-hidden"> of attempt {one.phaseAttempt}</span>
          </LogLink>
          <span className={`${css['muted']} live-number`}>
            {[
              ...(sessions.length > 1 || one.phaseAttempt > 1 ? [`attempt ${one.phaseAttempt}`] : []),
              elapsedText(lastedBy(one.session, now) ?? 0),
              ...(allTokens(one.session.tokens) > 0 ? [`${shortCount(allTokens(one.session.tokens))} tok`] : []),
              ...(one.session.model === null ? [] : [shown(one.session.model)]),
            ].join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  )
}
