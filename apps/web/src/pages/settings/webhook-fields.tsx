import type { WebhookFormat } from '@beadloom/core/api/settings/webhook-api.ts'
import { useId, type ReactNode } from 'react'
import css from './webhook-dialog.module.css'
import { LEAST_SECRET } from './webhook-draft.ts'
import form from '../../ui/form.module.css'

const addressHints: Record<WebhookFormat, string> = {
  ntfy: 'The topic’s URL, such as https://ntfy.sh/my-topic.',
  slack: 'The URL of a Slack incoming webhook, or of a service that accepts the same format.',
  json: 'It gets a POST. Redirects are not followed.',
}
const hidden = { type: 'password', autoComplete: 'off', spellCheck: false } as const

type FieldProps = { value: string; placeholder: string | undefined; onChange: (value: string) => void }

/** `wrong`: the end of a sentence about it, or null. */
export function AddressField(props: FieldProps & { format: WebhookFormat; wrong: string | null }) {
  const { value, placeholder, onChange, format, wrong } = props
  const id = useId()
  return (
    <label>
      Address
      <input
        {...hidden}
        value={value}
        placeholder={placeholder}
        aria-invalid={wrong !== null || undefined}
        aria-describedby={id}
        onChange={({ target }) => onChange(target.value)}
      />
      <span id={id} className={form[wrong === null ? 'hint' : 'error']}>
        {wrong === null ? addressHints[format] : `The address ${wrong}.`}
      </span>
    </label>
  )
}

export function SecretField({ value, placeholder, onChange, disabled }: FieldProps & { disabled: boolean }) {
  const id = useId()
  return (
    <label>
      Secret
      <input
        {...hidden}
        value={value}
        disabled={disabled}
        placeholder={placeholder}
        aria-describedby={id}
        onChange={({ target }) => onChange(target.value)}
      />
      <span id={id} className={form['hint']}>
        Signs each notice, so that the receiver can tell who sent it. Optional; at least {LEAST_SECRET} characters.
      </span>
    </label>
  )
}

type ChoicesProps<T extends string> = {
  title: string
  /** A choice before the others. */
  first?: ReactNode
  all: readonly T[]
  chosen: readonly T[]
  word: (one: T) => string
  onChange: (chosen: T[]) => void
}

/** Several of a few; they stay in their order. */
export const Choices = <T extends string>({ title, first, all, chosen, word, onChange }: ChoicesProps<T>) => (
  <fieldset className={css['choices']}>
    <legend>{title}</legend>
    {first}
    {all.map((one) => (
      <Choice
        key={one}
        checked={chosen.includes(one)}
        onChange={(on) => onChange(all.filter((each) => (each === one ? on : chosen.includes(each))))}
      >
        {word(one)}
      </Choice>
    ))}
  </fieldset>
)

type ChoiceProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }
export const Choice = ({ checked, onChange, children }: ChoiceProps) => (
  <label className={css['choice']}>
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {children}
  </label>
)
