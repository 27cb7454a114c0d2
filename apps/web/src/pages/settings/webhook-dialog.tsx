import { useId, useState, type FormEvent } from 'react'
import {
  addressProblem,
  parseWebhookName,
  webhookEvents,
  webhookFormats,
  type SaveWebhook,
  type WebhookEvent,
  type WebhookFormat,
  type WebhookView,
} from '@beadloom/core/api/settings/webhook-api.ts'
import css from './webhook-dialog.module.css'
import { useHome } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import form from '../../ui/form.module.css'
import { shown } from '../../ui/text/hostile-text.ts'
import { useSending } from '../../ui/use-sending.ts'

export const eventWords: Record<WebhookEvent, string> = {
  needs_you: 'needs you',
  failed: 'failed',
  merged: 'merged',
  budget: 'waits at a limit',
}
const formatWords: Record<WebhookFormat, string> = { json: 'JSON', ntfy: 'ntfy', slack: 'Slack' }
/** The server's minimum length. */
const LEAST_SECRET = 16

type Props = {
  /** Null: adds a new one. */
  hook: WebhookView | null
  taken: readonly string[]
  onClose: () => void
  onSave: (name: string, wish: SaveWebhook) => Promise<void>
}

/** Adds or changes a webhook. Fields for secrets start empty, and an empty one changes nothing. */
export function WebhookDialog({ hook, taken, onClose, onSave }: Props) {
  const id = useId()
  const known = useHome().view?.projects
  const [name, setName] = useState(hook?.name ?? '')
  const [url, setUrl] = useState('')
  const [format, setFormat] = useState<WebhookFormat>(hook?.format ?? 'json')
  const [secret, setSecret] = useState('')
  const [unsigned, setUnsigned] = useState(false)
  const [events, setEvents] = useState<readonly WebhookEvent[]>(hook?.events ?? webhookEvents)
  const [projects, setProjects] = useState<readonly string[] | null>(hook?.projects ?? null)
  const { busy, problem: failure, send } = useSending()
  const all = [...new Set([...(known?.keys() ?? []), ...(projects ?? [])])].sort()
  const address = url.trim()
  const wrongAddress = address === '' ? null : addressProblem(address)

  const problem = ((): string | null => {
    if (hook === null) {
      const wrong = nameProblem(name, taken)
      if (wrong !== null) return wrong
      if (address === '') return 'Type or paste the address'
    }
    if (wrongAddress !== null) return `The address ${wrongAddress}`
    if (format === 'json' && secret !== '' && secret.length < LEAST_SECRET)
      return `The secret must have at least ${LEAST_SECRET} characters`
    if (events.length === 0) return 'Choose at least one event'
    if (projects?.length === 0) return 'Choose a project, or all of them'
    return null
  })()
  const touched = hook === null ? name !== '' || address !== '' : address !== '' || secret !== ''

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (problem !== null) return
    const isUnsigned = format !== 'json' || unsigned
    void send(() =>
      onSave(name, {
        ...(address !== '' && { url: address }),
        format,
        events: [...events],
        projects: projects && [...projects],
        ...(isUnsigned ? { secret: null } : secret !== '' && { secret }),
      }),
    )
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
              onChange={({ target }) => setName(target.value)}
            />
          </label>
        )}
        <label>
          Address
          <input
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={url}
            placeholder={hook === null ? undefined : `${hook.origin}/… stays`}
            aria-invalid={wrongAddress !== null || undefined}
            aria-describedby={`${id}-address`}
            onChange={({ target }) => setUrl(target.value)}
          />
          <span id={`${id}-address`} className={form[wrongAddress === null ? 'hint' : 'error']}>
            {wrongAddress !== null
              ? `The address ${wrongAddress}.`
              : format === 'ntfy'
                ? 'The topic’s URL, such as https://ntfy.sh/my-topic.'
                : format === 'slack'
                  ? 'The URL of a Slack incoming webhook, or of a service that accepts the same format.'
                  : 'It gets a POST. Redirects are not followed.'}
          </span>
        </label>
        <label>
          Format
          <select value={format} onChange={({ target }) => setFormat(target.value as WebhookFormat)}>
            {webhookFormats.map((one) => (
              <option key={one} value={one}>
                {formatWords[one]}
              </option>
            ))}
          </select>
        </label>
        {format === 'json' && (
          <label>
            Secret
            <input
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={secret}
              disabled={unsigned}
              placeholder={hook?.signed ? 'stays as it is' : undefined}
              aria-describedby={`${id}-secret`}
              onChange={({ target }) => setSecret(target.value)}
            />
            <span id={`${id}-secret`} className={form['hint']}>
              Signs each notice, so that the receiver can tell who sent it. Optional; at least {LEAST_SECRET}{' '}
              characters.
            </span>
          </label>
        )}
        {format === 'json' && hook?.signed && (
          <label className={css['choice']}>
            <input type="checkbox" checked={unsigned} onChange={({ target }) => setUnsigned(target.checked)} />
            Remove the secret
          </label>
        )}
        <fieldset className={css['choices']}>
          <legend>Events</legend>
          {webhookEvents.map((one) => (
            <label key={one} className={css['choice']}>
              <input
                type="checkbox"
                checked={events.includes(one)}
                onChange={({ target }) =>
                  setEvents(webhookEvents.filter((each) => (each === one ? target.checked : events.includes(each))))
                }
              />
              {eventWords[one]}
            </label>
          ))}
        </fieldset>
        <fieldset className={css['choices']}>
          <legend>Projects</legend>
          <label className={css['choice']}>
            <input
              type="checkbox"
              checked={projects === null}
              onChange={({ target }) => setProjects(target.checked ? null : [])}
            />
            all, also later ones
          </label>
          {projects !== null &&
            all.map((one) => (
              <label key={one} className={css['choice']}>
                <input
                  type="checkbox"
                  checked={projects.includes(one)}
                  onChange={({ target }) =>
                    setProjects(all.filter((each) => (each === one ? target.checked : projects.includes(each))))
                  }
                />
                {shown(one)}
              </label>
            ))}
        </fieldset>
        {touched && problem !== null && wrongAddress === null && <p className={form['hint']}>{problem}.</p>}
        {failure !== null && (
          <p role="alert" className={form['error']}>
            {shown(failure)}
          </p>
        )}
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

function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Give it a name'
  if (taken.includes(name)) return `There is a webhook ${name} already`
  try {
    parseWebhookName(name)
    return null
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^t/, 'T') : String(error)
  }
}
