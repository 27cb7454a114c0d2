import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useState } from 'react'
import {
  webhookEvents,
  type WebhooksView,
  type WebhookTest,
  type WebhookView,
} from '@beadloom/core/api/settings/webhook-api.ts'
import css from './settings-page.module.css'
import { eventWords, WebhookDialog } from './webhook-dialog.tsx'
import { getWebhooks, removeWebhook, saveWebhook, testWebhooks } from '../../api/webhooks.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { exactText, inText, sinceText } from '../../ui/text/time-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'
import { useSending } from '../../ui/use-sending.ts'

/** Used while a notice waits for its next try. */
const LOOK_AGAIN_MS = 5_000
const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

/** Addresses that are told about events. They are as good as passwords: they go to the server and never come back. */
export function WebhooksSection() {
  const client = useQueryClient()
  const key = ['webhooks']
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => getWebhooks(signal),
    refetchInterval: LOOK_AGAIN_MS,
  })
  const [editing, setEditing] = useState<WebhookView | 'new' | null>(null)
  const [removing, setRemoving] = useState<string | null>(null)
  const { doing, send } = useSending(toastError)
  const [tested, setTested] = useState<ReadonlyMap<string, WebhookTest>>(new Map())
  const items = query.data?.items ?? []
  const problem = query.data?.problem ?? null
  const learn = (now: WebhooksView) => client.setQueryData(key, now)
  const test = (name?: string) =>
    send(async () => {
      const found = await testWebhooks(name)
      setTested((old) => new Map([...old, ...found.items.map((one) => [one.name, one] as const)]))
    }, name ?? '')
  const remove = (name: string) =>
    void removeWebhook(name).then((now) => {
      learn(now)
      setRemoving(null)
      toast(`${name} removed`)
    }, toastError)
  return (
    <section id="webhooks" className={css['section']} aria-labelledby="webhooks-title">
      <h2 id="webhooks-title">Webhooks</h2>
      <p className={css['muted']}>
        Addresses that get a message when something needs you, fails, is merged or waits at a limit, even while no
        browser is open. They are kept in config.json on this server, and never shown again.
      </p>
      {query.error && query.data === undefined && (
        <p role="alert" className={css['problem']}>
          The webhooks could not be loaded: {shown(query.error.message)}{' '}
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </p>
      )}
      {problem !== null && (
        <p role="alert" className={css['problem']}>
          {shown(problem)}
        </p>
      )}
      <ul className={css['card']} aria-live="polite">
        {items.map((hook) => (
          <Row
            key={hook.name}
            hook={hook}
            tested={tested.get(hook.name)}
            busy={doing === hook.name}
            blocked={doing !== null}
            onTest={() => void test(hook.name)}
            onEdit={() => setEditing(hook)}
            onRemove={() => setRemoving(hook.name)}
          />
        ))}
        <li className={css['entry']}>
          <span className={css['what']}>
            {query.data !== undefined && items.length === 0 && 'There is no webhook yet.'}
          </span>
          {items.length > 1 && (
            <Button needs="admin" busy={doing === ''} onClick={() => void test()}>
              Send a test to all
            </Button>
          )}
          <Button needs="admin" blockedBy={problem} onClick={() => setEditing('new')}>
            Add webhook…
          </Button>
        </li>
      </ul>
      {editing !== null && (
        <WebhookDialog
          hook={editing === 'new' ? null : editing}
          taken={items.map(({ name }) => name)}
          onClose={() => setEditing(null)}
          onSave={async (name, wish) => {
            learn(await saveWebhook(name, wish))
            setTested((old) => new Map([...old].filter(([one]) => one !== name)))
            setEditing(null)
            toast(editing === 'new' ? `${name} added` : `${name} saved`)
          }}
        />
      )}
      {removing !== null && (
        <Dialog title={`Remove ${shown(removing)}?`} onClose={() => setRemoving(null)}>
          <p>It gets no more messages, and those not sent yet are dropped. Its address is deleted.</p>
          <DialogActions>
            <Button data-first onClick={() => setRemoving(null)}>
              Keep it
            </Button>
            <Button look="danger" onClick={() => remove(removing)}>
              Remove
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </section>
  )
}

type RowProps = {
  hook: WebhookView
  tested: WebhookTest | undefined
  busy: boolean
  /** A test is on its way, of this webhook or another. */
  blocked: boolean
  onTest: () => void
  onEdit: () => void
  onRemove: () => void
}

function Row({ hook, tested, busy, blocked, onTest, onEdit, onRemove }: RowProps) {
  const { name, origin, format, signed, events, projects } = hook
  const now = useServerNow()
  const told = events.length === webhookEvents.length ? 'everything' : events.map((one) => eventWords[one]).join(', ')
  const state = tested === undefined ? stateOf(hook) : tested.ok ? 'arrived' : 'failed'
  const Icon = state === 'arrived' ? CircleCheck : state === 'failed' ? CircleX : CircleDashed
  return (
    <li className={css['entry']}>
      <span className={css[state === 'arrived' ? 'ok' : state === 'failed' ? 'problem' : 'muted']}>
        <Icon {...icon} /> {state}
      </span>
      <span className={css['what']}>
        <code>{shown(name)}</code> <span className={css['muted']}>{shown(origin)}</span>
        <br />
        <span className={css['muted']}>
          {format}
          {signed && ', signed'} · {told} · {projects === null ? 'all projects' : shown(projects.join(', '))}
        </span>
        <br />
        {tested === undefined ? (
          <LastNotice hook={hook} now={now} />
        ) : (
          <span className={tested.ok ? undefined : css['problem']}>
            {tested.ok ? 'The test arrived.' : `The test failed: ${shown(tested.text)}`}
          </span>
        )}
      </span>
      <span className={css['acts']}>
        <Button
          needs="admin"
          busy={busy}
          blockedBy={blocked && !busy ? 'a test is being sent' : null}
          onClick={onTest}
          aria-label={`Send a test to ${name}`}
        >
          Send a test
        </Button>
        <Button needs="admin" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit…
        </Button>
        <Button needs="admin" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove…
        </Button>
      </span>
    </li>
  )
}

const stateOf = ({ lastAt, problem }: WebhookView): 'arrived' | 'failed' | 'unused' =>
  lastAt === null ? 'unused' : problem === '' ? 'arrived' : 'failed'

/** When the last notice was sent, its result, and the time of the next try. */
function LastNotice({ hook, now }: { hook: WebhookView; now: number }) {
  const { lastAt, problem, waiting, next, nextAt, givenUp, givenUpAt } = hook
  const lost = givenUp > 0 && givenUpAt !== null && (
    <span className={css['problem']} title={exactText(givenUpAt)}>
      {' '}
      Gave up on {givenUp}, last {sinceText(now - givenUpAt)}.
    </span>
  )
  if (lastAt === null)
    return (
      <span>
        No notice has been sent yet.
        {lost}
      </span>
    )
  const when = <time title={exactText(lastAt)}>{sinceText(now - lastAt)}</time>
  if (problem === '')
    return (
      <span>
        The last notice arrived {when}.{lost}
      </span>
    )
  return (
    <span className={css['problem']}>
      {next === null ? 'The last notice' : `“${eventWords[next.event]}” of ${shown(next.bead)}`} failed {when}:{' '}
      {shown(problem)}.{' '}
      {nextAt !== null && (
        <>
          {waiting} waiting; next try <time title={exactText(nextAt)}>{inText(Math.max(0, nextAt - now))}</time>.
        </>
      )}
      {lost}
    </span>
  )
}
