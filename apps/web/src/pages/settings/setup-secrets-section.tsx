import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { SecretView } from '@beadloom/core/api/settings/secrets-api.ts'
import own from './editor-section.module.css'
import css from './settings-page.module.css'
import { getSecrets, removeSecret, setSecret } from '../../api/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

/** Secrets that the project's setup needs and its repository lacks. A value goes to the server and never comes back. */
export function SetupSecretsSection({ project }: { project: string }) {
  const client = useQueryClient()
  const key = ['secrets', project]
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => getSecrets(project, signal) })
  const [asking, setAsking] = useState<string | null>(null)
  const items = query.data?.items ?? []
  const remove = (name: string) =>
    removeSecret(project, name).then((now) => {
      client.setQueryData(key, now)
      toast(`${name} removed`)
    }, toastError)
  return (
    <section id="setup-secrets" className={css['section']} aria-labelledby="setup-secrets-title">
      <h2 id="setup-secrets-title">Setup secrets</h2>
      <p className={css['muted']}>
        Only setup gets them, as environment variables: the token of a private registry, for example.{' '}
        <code>secrets</code> in beadloom.json says which ones it needs. Values are stored on this server and never
        shown.
      </p>
      {query.error && query.data === undefined && (
        <p role="alert" className={css['problem']}>
          The secrets could not be loaded: {shown(query.error.message)}{' '}
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </p>
      )}
      {items.length > 0 && (
        <ul className={css['card']}>
          {items.map((secret) => (
            <Secret
              key={secret.name}
              secret={secret}
              onSet={() => setAsking(secret.name)}
              onRemove={() => void remove(secret.name)}
            />
          ))}
        </ul>
      )}
      {query.data && items.length === 0 && <p className={css['muted']}>This project needs none.</p>}
      {asking !== null && (
        <ValueDialog
          project={project}
          name={asking}
          onClose={() => setAsking(null)}
          onSet={(now) => client.setQueryData(key, now)}
        />
      )}
    </section>
  )
}

type RowProps = { secret: SecretView; onSet: () => void; onRemove: () => void }

function Secret({ secret: { name, set, wanted }, onSet, onRemove }: RowProps) {
  const Icon = set ? CircleCheck : CircleDashed
  return (
    <li className={css['entry']}>
      <span className={set ? css['ok'] : wanted ? css['problem'] : css['muted']}>
        <Icon size={16} strokeWidth={1.5} aria-hidden /> {set ? 'set' : 'missing'}
      </span>
      <span className={css['what']}>
        <code>{shown(name)}</code>
        {!wanted && <span className={css['muted']}> not named in beadloom.json</span>}
      </span>
      <Button needs="admin" onClick={onSet} aria-label={`${set ? 'Replace' : 'Set'} ${name}`}>
        {set ? 'Replace…' : 'Set…'}
      </Button>
      {set && (
        <Button needs="admin" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      )}
    </li>
  )
}

type DialogProps = {
  project: string
  name: string
  onClose: () => void
  onSet: (now: { items: SecretView[] }) => void
}

function ValueDialog({ project, name, onClose, onSet }: DialogProps) {
  const [value, setValue] = useState('')
  const { busy, problem, send } = useSending()
  const save = (event: FormEvent) => {
    event.preventDefault()
    void send(async () => {
      onSet(await setSecret(project, name, value.trim()))
      onClose()
      toast(`${name} is set`)
    })
  }
  return (
    <Dialog title={`Set ${shown(name)}`} onClose={onClose}>
      <form onSubmit={save}>
        <div className={own['field']}>
          <label htmlFor="secret-value">Value</label>
          <input
            id="secret-value"
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={value}
            aria-describedby="secret-hint"
            onChange={({ target }) => setValue(target.value)}
          />
          <p id="secret-hint" className={css['muted']}>
            At least 8 characters, without blanks.
          </p>
        </div>
        {problem !== null && (
          <p role="alert" className={css['problem']}>
            {shown(problem)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            busy={busy}
            blockedBy={value.trim() === '' ? 'Type or paste the value' : null}
          >
            {busy ? 'Saving…' : 'Set'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
