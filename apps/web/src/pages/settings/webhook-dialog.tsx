import { useState, type FormEvent } from 'react'
import {
  webhookEvents,
  webhookFormats,
  type SaveWebhook,
  type WebhookEvent,
  type WebhookFormat,
  type WebhookView,
} from '@beadloom/core/api/settings/webhook-api.ts'
import { draftOf, draftProblem, wishOf, wrongAddress, type WebhookDraft } from './webhook-draft.ts'
import { AddressField, Choice, Choices, SecretField } from './webhook-fields.tsx'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import form from '../../ui/form.module.css'
import { shown } from '../../ui/text/hostile-text.ts'
import { useSending } from '../../ui/use-sending.ts'
import { FormProblem } from '../../ui/form-problem.tsx'

export const eventWords: Record<WebhookEvent, string> = {
  needs_you: 'needs you',
  failed: 'failed',
  merged: 'merged',
  budget: 'waits at a limit',
}
const formatWords: Record<WebhookFormat, string> = { json: 'JSON', ntfy: 'ntfy', slack: 'Slack' }

type Props = {
  /** Null: adds a new one. */
  hook: WebhookView | null
  taken: readonly string[]
  onClose: () => void
  onSave: (name: string, wish: SaveWebhook) => Promise<void>
}

/** Adds or changes a webhook. */
export function WebhookDialog({ hook, taken, onClose, onSave }: Props) {
  const known = useHome().view?.projects
  const [draft, setDraft] = useState(() => draftOf(hook))
  const { busy, problem: failure, send } = useSending()
  const { name, url, format, secret, unsigned, events, projects } = draft
  const change = (some: Partial<WebhookDraft>) => setDraft({ ...draft, ...some })
  const all = [...new Set([...(known?.keys() ?? []), ...(projects ?? [])])].sort()
  const problem = draftProblem(draft, hook, taken)
  const wrong = wrongAddress(draft)
  const touched = url.trim() !== '' || (hook === null ? name : secret) !== ''
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (problem === null) void send(() => onSave(name, wishOf(draft)))
  }

  return (
    <Dialog title={hook === null ? 'Add a webhook' : `Edit ${shown(hook.name)}`} onClose={onClose}>
      <form className={form['form']} onSubmit={save}>
        {hook === null && (
          <label>
            Name
            <input
              value={name}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => change({ name: target.value })}
            />
          </label>
        )}
        <AddressField
          value={url}
          placeholder={hook === null ? undefined : `${hook.origin}/… stays`}
          onChange={(typed) => change({ url: typed })}
          format={format}
          wrong={wrong}
        />
        <label>
          Format
          <select value={format} onChange={({ target }) => change({ format: target.value as WebhookFormat })}>
            {webhookFormats.map((one) => (
              <option key={one} value={one}>
                {formatWords[one]}
              </option>
            ))}
          </select>
        </label>
        {format === 'json' && (
          <SecretField
            value={secret}
            placeholder={hook?.signed ? 'stays as it is' : undefined}
            onChange={(typed) => change({ secret: typed })}
            disabled={unsigned}
          />
        )}
        {format === 'json' && hook?.signed && (
          <Choice checked={unsigned} onChange={(on) => change({ unsigned: on })}>
            Remove the secret
          </Choice>
        )}
        <Choices
          title="Events"
          all={webhookEvents}
          chosen={events}
          word={(one) => eventWords[one]}
          onChange={(chosen) => change({ events: chosen })}
        />
        <Choices
          title="Projects"
          first={
            <Choice checked={projects === null} onChange={(on) => change({ projects: on ? null : [] })}>
              all, also later ones
            </Choice>
          }
          all={projects === null ? [] : all}
          chosen={projects ?? []}
          word={shown}
          onChange={(chosen) => change({ projects: chosen })}
        />
        {touched && problem !== null && wrong === null && <p className={form['hint']}>{problem}.</p>}
        <FormProblem text={failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy} blockedBy={problem}>
            {hook === null ? 'Add' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
