import { provesNothing, type Opinion, type Verification } from '@beadloom/core/records/verification.ts'
import css from './check-step.module.css'
import { Chip } from '../../../components/bead/chip.tsx'
import { verdictWords } from '../../../components/bead/end-words.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { marks, type Mark } from '../../../components/bead/states.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { spanText } from '../../../ui/text/time-text.ts'

const passed = { ...marks.completed, word: 'passed' }
const unchecked = { ...marks.blocked, word: 'not checked' }
const failed = { ...marks.failed, word: 'failed' }

/** A model's opinion must not look like a check that passed. */
const opinions: Record<Opinion['answer'], Mark> = {
  yes: { ...marks.queued, word: 'says yes' },
  no: { ...marks.blocked, word: 'says no' },
  none: { ...marks.blocked, word: 'gave no answer' },
}

const opinionSays = ({ required }: Opinion): string =>
  required
    ? 'A model was asked after every command had passed. The work needs its yes.'
    : 'A model was asked after every command had passed. Its opinion decides nothing.'

/** One step of a verification: its command, its result, and its digest if it failed. */
export function CheckStep({ step, onLog }: { step: Verification; onLog: () => void }) {
  const { name, type, command, durationMs, tool, summary, digest, verdict, exitCode, collected, opinion } = step
  const facts = [
    durationMs < 1000 ? `${durationMs} ms` : spanText(durationMs),
    tool === 'generic' || tool === '' ? null : tool,
    collected === null ? null : `${countText(collected)} collected`,
    step.passed || exitCode === null || exitCode === 1 ? null : `exit ${exitCode}`,
  ].filter((fact) => fact !== null)
  return (
    <li className={css['step']}>
      <div className={css['head']}>
        <span className={css['name']}>
          <StateMark
            mark={opinion ? opinions[opinion.answer] : provesNothing(step) ? unchecked : step.passed ? passed : failed}
            bare
          />
          {shown(name)}
          {step.made && (
            <Chip tone="queued" title="The project had no tests: this bead made this check.">
              made by this bead
            </Chip>
          )}
          {opinion && (
            <Chip tone={step.passed ? 'queued' : 'failed'} title={opinionSays(opinion)}>
              opinion of {shown(opinion.model)}
            </Chip>
          )}
          {!opinion && name !== type && <span className={css['muted']}>{type}</span>}
        </span>
        <code className={css['command']} title={shown(command)}>
          {shown(command)}
        </code>
        <span className={css['facts']}>{facts.join(' · ')}</span>
      </div>
      <div className={css['said']}>
        <span>{shown(summary)}</span>
        {verdict !== null && (
          <Chip tone={verdictWords[verdict].tone} title={verdictWords[verdict].says}>
            {verdictWords[verdict].word}
          </Chip>
        )}
        <button type="button" className={css['log']} onClick={onLog}>
          Log<span className="visually-hidden"> of {shown(name)}</span>
        </button>
      </div>
      {digest !== '' && (
        <details className={css['digest']}>
          <summary>
            Digest<span className="visually-hidden"> of {shown(name)}</span>
          </summary>
          <pre role="group" tabIndex={0} aria-label={`Digest of ${shown(name)}`}>
            {shown(digest)}
          </pre>
        </details>
      )}
    </li>
  )
}
