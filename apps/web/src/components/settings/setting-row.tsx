import type { SettingField, SettingSource } from '@beadloom/core/api/settings/settings-api.ts'
import { useId } from 'react'
import { SettingInput } from './setting-input.tsx'
import { durationHint, shownText, valueText, type SettingsDraft } from './settings-draft.ts'
import css from './setting-row.module.css'
import { shown } from '../../ui/text/hostile-text.ts'

type Props = {
  field: SettingField
  /** This person may not change it. */
  locked: boolean
  draft: SettingsDraft
  problem: string | undefined
  changed: boolean
  onChange: (text: string) => void
  /** Removes the override. */
  onReset: () => void
}

const words: Record<SettingSource, string> = {
  default: 'Default',
  detected: 'Detected',
  file: 'File',
  environment: 'Environment',
  flag: 'Flag',
  server: 'Server',
  here: 'Override',
}

/** One setting: its meaning, its value and source, and how to change it. */
export function SettingRow({ field, locked, draft, problem, changed, onChange, onReset }: Props) {
  const id = useId()
  const text = shownText(field, draft)
  const hint = durationHint(field, text)
  const editable = field.editable && !locked
  const resettable = editable && field.here !== null && (draft[field.key] ?? 'x') !== ''
  return (
    <div className={css['row']} data-changed={changed || undefined}>
      <div className={css['words']}>
        <label htmlFor={id} className={css['label']}>
          {field.label}
        </label>
        <p className={css['help']}>{field.help}</p>
        {field.note !== undefined && <p className={css['machine']}>{field.note}</p>}
      </div>
      <div className={css['control']}>
        <div className={css['line']}>
          <SettingInput
            field={{ ...field, editable }}
            id={id}
            text={editable ? text : shown(text)}
            describedBy={`${id}-note`}
            invalid={problem !== undefined}
            onChange={onChange}
          />
          {field.kind === 'number' && field.unit !== '' && <span className={css['unit']}>{field.unit}</span>}
          {hint !== null && <span className={css['unit']}>{hint}</span>}
          {resettable && (
            <button type="button" className={css['reset']} onClick={onReset}>
              Reset
            </button>
          )}
        </div>
        <p id={`${id}-note`} className={problem === undefined ? css['source'] : css['problem']}>
          {problem !== undefined ? (
            `must be ${problem}`
          ) : (
            <>
              {field.source !== 'default' && (
                <>
                  <span className={css['chip']} data-source={field.source}>
                    {words[field.source]}
                  </span>{' '}
                </>
              )}
              {field.source !== 'default' &&
                field.source !== 'detected' &&
                field.source !== 'here' &&
                shown(field.where)}
              {field.here !== null && field.source === 'here' && (
                <>otherwise {shown(valueText(field, field.otherwise))}</>
              )}
              {field.applies === 'at the next start' && field.here !== null && field.source !== 'file' && (
                <>config.json says {shown(valueText(field, field.here))}</>
              )}
              {!field.editable && !locked && (field.source === 'default' || field.source === 'detected') && (
                <>
                  set <code>{field.key}</code> in beadloom.json to change it
                </>
              )}
              {!field.editable && !locked && field.source === 'file' && <> (change it there)</>}
            </>
          )}
        </p>
      </div>
    </div>
  )
}
