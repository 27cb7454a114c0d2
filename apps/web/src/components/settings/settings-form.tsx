import type { SettingField } from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingValue } from '@beadloom/core/project/setting-value.ts'
import type { SettingSection } from '@beadloom/core/project/settings-sections.ts'
import { SettingRow } from './setting-row.tsx'
import { changesOf, valueText, type SettingsDraft } from './settings-draft.ts'
import css from './settings-form.module.css'
import { useRefusal } from '../../ui/allowed.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { useSending } from '../../ui/use-sending.ts'

export const sectionNames: Record<SettingSection, string> = {
  general: 'General',
  repository: 'Repository and checks',
  runner: 'Containers',
  limits: 'Limits',
  models: 'Model and agent',
  retries: 'Retries',
  planning: 'Planning',
  review: 'Review',
}

type Props = {
  section: SettingSection
  fields: readonly SettingField[]
  draft: SettingsDraft
  onDraft: (draft: SettingsDraft) => void
  /** Rejects with the server's sentence. */
  onSave: (changes: Record<string, SettingValue>) => Promise<void>
}

/** The settings of one section, saved together after a list of changes is shown. */
export function SettingsForm({ section, fields, draft, onDraft, onSave }: Props) {
  const refusal = useRefusal('admin')
  const { busy, problem, setProblem, send } = useSending()
  const { changes, problems } = changesOf(fields, draft)
  const changed = fields.filter(({ key }) => key in changes)
  const wrong = Object.keys(problems).length
  const touched = fields.some(({ key }) => draft[key] !== undefined)
  const set = (key: string, text: string) => {
    onDraft({ ...draft, [key]: text })
    setProblem(null)
  }
  const drop = () =>
    onDraft(Object.fromEntries(Object.entries(draft).filter(([key]) => !fields.some((one) => one.key === key))))
  return (
    <section id={section} className={css['section']} aria-labelledby={`${section}-title`}>
      <h2 id={`${section}-title`}>{sectionNames[section]}</h2>
      <form
        className={css['card']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (changed.length > 0 && wrong === 0) void send(() => onSave(changes))
        }}
      >
        {fields.map((field) => (
          <SettingRow
            key={field.key}
            field={field}
            locked={refusal !== null}
            draft={draft}
            problem={problems[field.key]}
            changed={field.key in changes}
            onChange={(text) => set(field.key, text)}
            onReset={() => set(field.key, '')}
          />
        ))}
        {(changed.length > 0 || wrong > 0 || touched) && (
          <footer className={css['save']}>
            <ul className={css['changes']} aria-label="Changes">
              {changed.map((field) => {
                const to = changes[field.key] ?? null
                return (
                  <li key={field.key}>
                    {field.label}: <s>{shown(valueText(field, field.here ?? field.value))}</s> →{' '}
                    <strong>
                      {to === null
                        ? `back to ${shown(valueText(field, field.otherwise))}`
                        : shown(valueText(field, to))}
                    </strong>
                  </li>
                )
              })}
              {changed.length === 0 && <li>{wrong > 0 ? 'Fix the errors above to save.' : 'No changes.'}</li>}
            </ul>
            <p className={css['applies']}>
              {fields[0]?.applies === 'at the next start'
                ? 'Takes effect when the server restarts.'
                : 'Applies to executions that start from now on; running ones keep their settings.'}
            </p>
            {problem !== null && (
              <p role="alert" className={css['error']}>
                {shown(problem)}
              </p>
            )}
            <div className={css['buttons']}>
              <Button
                needs="admin"
                look="primary"
                type="submit"
                busy={busy}
                blockedBy={
                  wrong > 0 ? 'fix the errors above first' : changed.length === 0 ? 'there are no changes' : null
                }
              >
                {busy ? 'Saving…' : changed.length > 1 ? `Save ${changed.length} changes` : 'Save'}
              </Button>
              <Button onClick={drop}>Discard</Button>
            </div>
          </footer>
        )}
      </form>
    </section>
  )
}
