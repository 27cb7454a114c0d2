import type { SettingField, SettingsHistory } from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingValue } from '@beadloom/core/project/setting-value.ts'
import css from './settings-page.module.css'
import { same, valueText } from '../../components/settings/settings-draft.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { exactText, sinceText } from '../../ui/text/time-text.ts'
import { toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

type Props = {
  history: readonly SettingsHistory[]
  fields: readonly SettingField[]
  onRevert: (changes: Record<string, SettingValue>) => Promise<void>
}

/** Past changes of settings. A revert is a change itself, so nothing is ever lost. */
export function HistorySection({ history, fields, onRevert }: Props) {
  const now = useServerNow()
  const { doing, send } = useSending(toastError)
  const revert = ({ revision, changes }: SettingsHistory) =>
    send(() => onRevert(Object.fromEntries(changes.map(({ key, from }) => [key, from]))), `${revision}`)
  return (
    <section id="history" className={css['section']} aria-labelledby="history-title">
      <h2 id="history-title">Changes made here</h2>
      {history.length === 0 ? (
        <p className={css['muted']}>No changes yet; everything is as beadloom.json and the defaults say.</p>
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
                    value === null ? 'not set' : field ? valueText(field, value) : String(value)
                  return (
                    <li key={key}>
                      {field?.label ?? key}: {shown(words(from))} → <strong>{shown(words(to))}</strong>
                    </li>
                  )
                })}
                {entry.changes.length === 0 && <li className={css['muted']}>no changes</li>}
              </ul>
              {canRevert(entry, fields) && (
                <Button needs="admin" busy={doing === `${entry.revision}`} onClick={() => void revert(entry)}>
                  Revert
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** Only values still in effect can be reverted; a setting changed again later is reverted there. */
const canRevert = ({ changes }: SettingsHistory, fields: readonly SettingField[]): boolean =>
  changes.length > 0 &&
  changes.every(({ key, to }) => same(fields.find((field) => field.key === key)?.here ?? null, to))
