import { parseDuration, spokenDuration } from '@beadloom/core/text/duration.ts'
import { retryBackoffs, type RetryBackoff } from '@beadloom/core/records/retry.ts'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { type RetryDraft, type RetryField, type RetryProblems } from './retry-draft.ts'
import css from './retry-fields.module.css'
import form from '../../ui/form.module.css'
import { shown } from '../../ui/text/hostile-text.ts'

type Props = {
  draft: RetryDraft
  problems: RetryProblems
  onChange: (draft: RetryDraft) => void
}

const backoffWords: Record<RetryBackoff, string> = {
  fixed: 'fixed (same delay every time)',
  exponential: 'exponential (doubles)',
  linear: 'linear (grows by the same amount)',
}

/** The five fields of a retry policy. A problem is shown below its field; screen readers read it with the field. */
export function RetryFields({ draft, problems, onChange }: Props) {
  const set = (field: RetryField) => (event: { target: { value: string } }) =>
    onChange({ ...draft, [field]: event.target.value })
  return (
    <div className={css['fields']}>
      <Field label="Retries" hint="0 to 10, after the first start" problem={problems.retryCount}>
        {(props) => (
          <input
            {...props}
            name="retryCount"
            inputMode="numeric"
            value={draft.retryCount}
            onChange={set('retryCount')}
          />
        )}
      </Field>
      <Field
        label="Delay"
        hint={meaning(draft.retryDelay) ?? 'milliseconds, or with a unit: 30s; at most 60s'}
        problem={problems.retryDelay}
      >
        {(props) => <input {...props} name="retryDelay" value={draft.retryDelay} onChange={set('retryDelay')} />}
      </Field>
      <Field label="Backoff" problem={problems.retryBackoff}>
        {(props) => (
          <select {...props} name="retryBackoff" value={draft.retryBackoff} onChange={set('retryBackoff')}>
            {retryBackoffs.map((one) => (
              <option key={one} value={one}>
                {backoffWords[one]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Stop retrying after"
        hint={
          draft.retryMaxTime.trim() === ''
            ? '30s, 5m or 2h; empty: no limit'
            : (meaning(draft.retryMaxTime, 'no limit') ?? 'milliseconds, or with a unit: 30s, 5m, 2h')
        }
        problem={problems.retryMaxTime}
      >
        {(props) => (
          <input
            {...props}
            name="retryMaxTime"
            placeholder="no limit"
            value={draft.retryMaxTime}
            onChange={set('retryMaxTime')}
          />
        )}
      </Field>
      <Field
        wide
        label="Only if the error contains"
        hint="One text per line, case ignored: part of the error, or “rate limit”, “timeout”, “network error”. Empty: retry every failure that can be retried."
        problem={problems.retryOn}
      >
        {(props) => <textarea {...props} name="retryOn" rows={3} value={draft.retryOn} onChange={set('retryOn')} />}
      </Field>
    </div>
  )
}

function meaning(text: string, zero = 'no delay'): string | null {
  const ms = parseDuration(text)
  return ms === null ? null : ms === 0 ? zero : `= ${spokenDuration(ms)}`
}

type Described = { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }
type FieldProps = {
  label: string
  hint?: string
  problem: string | undefined
  wide?: boolean
  children: (props: Described) => ReactNode
}

function Field({ label, hint, problem, wide, children }: FieldProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className={wide ? css['wide'] : undefined}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={problem === undefined ? form['hint'] : form['error']}>
          {shown(note)}
        </p>
      )}
    </div>
  )
}
