import { useState } from 'react'
import type { SettingField, SettingsHistory, SettingValue } from '@beadloom/core/api/settings-api.ts'
import css from './settings-page.module.css'
import { same, valueText } from '../../components/settings/settings-draft.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { exactText, sinceText } from '../../ui/time-text.ts'
import { toastError } from '../../ui/toast.tsx'

type Props = {
  history: readonly SettingsHistory[]
  fields: readonly SettingField[]
  onTakeBack: (changes: Record<string, SettingValue>) => Promise<void>
}

/** What was chosen here and when. Taking a change back is a change itself, so nothing is ever lost. */
export function HistorySection({ history, fields, onTakeBack }: Props) {
  const now = useServerNow()
  const [busy, setBusy] = useState<number | null>(null)
  const takeBack = async ({ revision, changes }: SettingsHistory) => {
    setBusy(revision)
    try {
      await onTakeBack(Object.fromEntries(changes.map(({ key, from }) => [key, from])))
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(null)
    }
  }
  return (
    <section id="history" className={css['section']} aria-labelledby="history-title">
      <h2 id="history-title">Changes made here</h2>
      {history.length === 0 ? (
        <p className={css['muted']}>
          Nothing was chosen here yet; everything is as beadloom.json and the defaults say.
        </p>
      ) : (
        <ol className={css['card']}>
          {history.map((entry) => (
            <li key={entry.revision} className={css['entry']}>
              <span className={css['when']} title={exactText(entry.at)}>
                {sinceText(now - entry.at)}
              </span>
              <ul className={css['what']}>
                {entry.changes.map(({ key, from, to }) => {
                  const field = fields.find((one) => one.key === key)
                  const words = (value: SettingValue) =>
                    value === null ? 'not chosen' : field ? valueText(field, value) : String(value)
                  return (
                    <li key={key}>
                      {field?.label ?? key}: {shown(words(from))} → <strong>{shown(words(to))}</strong>
                    </li>
                  )
                })}
                {entry.changes.length === 0 && <li className={css['muted']}>no change</li>}
              </ul>
              {canTakeBack(entry, fields) && (
                <Button busy={busy === entry.revision} onClick={() => void takeBack(entry)}>
                  Take back
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** Only what still holds can be taken back; what was changed again since is taken back there. */
const canTakeBack = ({ changes }: SettingsHistory, fields: readonly SettingField[]): boolean =>
  changes.length > 0 &&
  changes.every(({ key, to }) => same(fields.find((field) => field.key === key)?.here ?? null, to))
