import type { SettingField } from '@beadloom/core/api/settings/settings-api.ts'
import { titleOf } from '../bead/run/agent-words.ts'

type Props = {
  field: SettingField
  id: string
  text: string
  describedBy: string
  invalid: boolean
  onChange: (text: string) => void
}

/** The control of one setting; an empty one removes the override. */
export function SettingInput({ field, id, text, describedBy, invalid, onChange }: Props) {
  const common = {
    id,
    value: text,
    'aria-describedby': describedBy,
    'aria-invalid': invalid || undefined,
    readOnly: !field.editable,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (!field.editable) return <output id={id}>{text === '' ? 'none' : text}</output>
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const choices = field.kind === 'boolean' ? ['true', 'false'] : field.choices
    const { readOnly: _, ...rest } = common
    return (
      <select {...rest}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {field.kind === 'boolean' ? (choice === 'true' ? 'on' : 'off') : wordOf(choice)}
          </option>
        ))}
      </select>
    )
  }
  if (field.kind === 'list') return <textarea {...common} rows={3} spellCheck={false} />
  return (
    <input
      {...common}
      inputMode={field.kind === 'number' ? (field.fraction === true ? 'decimal' : 'numeric') : undefined}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** An agent's title, with its name in the settings file. */
const wordOf = (choice: string): string => (titleOf(choice) === choice ? choice : `${titleOf(choice)} (${choice})`)
