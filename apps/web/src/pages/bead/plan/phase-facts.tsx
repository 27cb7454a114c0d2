import { LateMarkdown } from '../../../components/markdown/late-markdown.tsx'
import type { PhaseCheckView, PhaseReview, PhaseTreeView, PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { typesOf } from '@beadloom/core/plan/plan-tree.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { Link } from '@tanstack/react-router'
import type { FactsProps } from './facts-props.ts'
import css from './item-facts.module.css'
import { LogLink } from './log-link.tsx'
import { lacksText, reviewMark, statusMarks } from './plan-marks.ts'
import { costOfPhase } from './plan-phases.ts'
import { RunFromPhase } from './run-from-phase.tsx'
import { marks } from '../../../components/bead/states.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { countText } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { elapsedText } from '../../../ui/text/time-text.ts'

/** A phase's proofs, attempt by attempt, and the resulting commit. */
export function PhaseFacts({ phase, plan, phases, execution, bead, refusal }: FactsProps & { phase: PhaseView }) {
  const now = useServerNow()
  const { number, status, subtasks, commit, prePhaseCommit, from, summary } = phase
  const { ms, tokens } = costOfPhase(phase, execution, now)
  const attempts = [...new Set(phase.trees.map(({ phaseAttempt }) => phaseAttempt))].toSorted((a, b) => b - a)
  const live = status === 'running' || status === 'retrying'
  return (
    <>
      <header className={css['head']}>
        <h2>
          Phase {number} <span className={css['kind']}>{typesOf(subtasks)}</span>
        </h2>
        <StateMark mark={statusMarks[status]} live={live} />
      </header>
      <dl className={css['pairs']}>
        {commit !== null && (
          <div>
            <dt>Commit</dt>
            <dd>
              <CommitLink commit={commit} bead={bead} /> <span className={css['muted']}>one commit, on the branch</span>
            </dd>
          </div>
        )}
        {prePhaseCommit !== null && (
          <div>
            <dt>Started from</dt>
            <dd>
              <code>{prePhaseCommit.slice(0, 7)}</code>
            </dd>
          </div>
        )}
        {from !== null && (
          <div>
            <dt>Done by</dt>
            <dd>an earlier execution, {from}</dd>
          </div>
        )}
        {ms !== null && (
          <div>
            <dt>{live ? 'Running for' : 'Took'}</dt>
            <dd className="live-number">{elapsedText(ms)}</dd>
          </div>
        )}
        {tokens > 0 && (
          <div>
            <dt>Tokens</dt>
            <dd className="live-number">{countText(tokens)}</dd>
          </div>
        )}
      </dl>
      {status === 'completed' && plan.version === plan.newest && isEnded(execution) && (
        <p>
          <RunFromPhase bead={bead} phase={phase} of={phases.length} refusal={refusal} />
        </p>
      )}
      {attempts.length === 0 && (
        <p className={css['muted']}>
          {status === 'pending'
            ? 'It begins when the phase before it is approved.'
            : live
              ? 'Its subtasks are running. Their results are joined into one tree, which is checked and reviewed.'
              : from === null
                ? 'Its subtasks left nothing that could be checked.'
                : ''}
        </p>
      )}
      {attempts.map((attempt) => (
        <section key={attempt} className={css['attempt']}>
          {attempts.length > 1 && (
            <h3>
              Attempt {attempt}
              {attempt < phase.attempt && <span className={css['muted']}> done again; kept on refs/beadloom</span>}
            </h3>
          )}
          {phase.trees
            .filter(({ phaseAttempt }) => phaseAttempt === attempt)
            .map((tree) => (
              <Tree key={tree.attempt} tree={tree} live={live && tree === phase.trees.at(-1)} bead={bead} />
            ))}
        </section>
      ))}
      {summary !== '' && (
        <details className={css['fold']}>
          <summary>Summary for later phases</summary>
          <pre tabIndex={0} role="group" aria-label="Summary of the phase">
            {shown(summary)}
          </pre>
        </details>
      )}
    </>
  )
}

/** A live execution is at work on a later phase. */
const isEnded = (execution: FactsProps['execution']): boolean => execution !== null && isTerminal(execution.state)

function Tree({ tree, live, bead }: { tree: PhaseTreeView; live: boolean; bead: FactsProps['bead'] }) {
  const { kind, commit, checks, review } = tree
  const lacks = <p className={css['muted']}>{lacksText(tree, live)}</p>
  if (commit === null) return lacks
  return (
    <div className={css['tree']}>
      {kind === 'fix' && <p className={css['muted']}>After a session that fixed the failed checks:</p>}
      {checks.length === 0 ? lacks : <Checks checks={checks} bead={bead} />}
      {review !== null && <Review review={review} />}
    </div>
  )
}

/** One line per check; with counts if its tool counts tests. */
export function Checks({ checks, bead }: { checks: readonly PhaseCheckView[]; bead: FactsProps['bead'] }) {
  return (
    <ul className={css['checks']} aria-label="Checks">
      {checks.map((check) => (
        <li key={check.name}>
          <StateMark mark={check.passed ? marks.completed : marks.failed} bare />
          <div>
            <p>
              <span className={css['name']}>{shown(check.name)}</span> <LogLink session={check.session} bead={bead} />
            </p>
            <p className={css['muted']}>{shown(check.summary)}</p>
            {check.tests !== null && <Tests {...check.tests} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

const Tests = ({ added, collected, passing, failing }: NonNullable<PhaseCheckView['tests']>) => (
  <dl className={css['tests']}>
    {added !== null && (
      <div>
        <dt>new</dt>
        <dd>{added > 0 ? `+${countText(added)}` : countText(added)}</dd>
      </div>
    )}
    <div>
      <dt>passing</dt>
      <dd>{countText(passing)}</dd>
    </div>
    <div>
      <dt>failing</dt>
      <dd>{countText(failing)}</dd>
    </div>
    <div>
      <dt>all</dt>
      <dd>{countText(collected)}</dd>
    </div>
  </dl>
)

export function Review({ review }: { review: PhaseReview }) {
  return (
    <div className={css['review']}>
      <p className={css['verdict']}>
        Review: <StateMark mark={reviewMark(review)} />
      </p>
      <LateMarkdown text={review.text} />
    </div>
  )
}

/** A link to a commit's changes on the branch. */
const CommitLink = ({ commit, bead: { project, id } }: { commit: string; bead: FactsProps['bead'] }) => (
  <Link
    to="/p/$project/b/$bead"
    params={{ project, bead: id }}
    search={{ tab: 'diff', commit: commit.slice(0, 12) }}
    aria-label={`Changes of the commit ${commit.slice(0, 7)}`}
  >
    <code>{commit.slice(0, 7)}</code>
  </Link>
)
