import type { SaveWebhook } from '@beadloom/core/api/settings/webhook-api.ts'
import type { WebhookTest, WebhooksView, WebhookView } from '@beadloom/core/api/settings/webhook-api.ts'
import { Problem } from '../../ports/problem.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import { readWebhooks, type StoredWebhook, type WebhookSettings } from '../../process/settings/webhook-settings.ts'
import type { ConfigChanges } from '../../app/settings/config-changes.ts'

export type WebhookListDeps = {
  config: ConfigChanges
  store: Pick<PatientStore, 'webhooks' | 'nextForWebhook' | 'webhookChanged'>
  /** The running webhooks. */
  webhooks: {
    readonly hooks: readonly WebhookSettings[]
    set(hooks: readonly WebhookSettings[]): Promise<void>
    test(name?: string): Promise<WebhookTest[]>
  }
}

/** The webhooks of `config.json`: shown without secrets, changed there, and told of changes at once. */
export function webhookList({ config, store, webhooks: running }: WebhookListDeps) {
  const list = async (): Promise<WebhooksView> => {
    const { problem } = await config.read()
    return { items: running.hooks.map((hook) => viewOf(store, hook)), problem }
  }
  const put = async (next: (stored: readonly StoredWebhook[]) => readonly StoredWebhook[] | Problem) => {
    const done = await config.change(
      ({ values }) => {
        const webhooks = next(values.webhooks ?? [])
        return webhooks instanceof Problem ? webhooks : { ...values, webhooks }
      },
      ({ webhooks }) => running.set(readWebhooks(webhooks)),
    )
    return done instanceof Problem ? done : list()
  }
  return {
    list,
    /** Adds the webhook, or changes the named fields; it is used at once. */
    save: async (name: string, wish: SaveWebhook) => {
      const saved = await put((stored) => {
        const one = changed(stored.find((each) => each.name === name) ?? null, name, wish)
        if (one instanceof Problem) return one
        const isKnown = stored.some((each) => each.name === name)
        return isKnown ? stored.map((each) => (each.name === name ? one : each)) : [...stored, one]
      })
      if (saved instanceof Problem || wish.url === undefined) return saved
      await store.webhookChanged(name) // a new address is tried now, without the old one's wait
      return list()
    },
    remove: (name: string) =>
      put((stored) =>
        stored.some((each) => each.name === name) ? stored.filter((each) => each.name !== name) : missing(name),
      ),
    /** Sends one notice to each of them, or to the named one, now. */
    test: async (name?: string) => {
      if (name !== undefined && !running.hooks.some((hook) => hook.name === name)) return missing(name)
      return { items: await running.test(name) }
    },
  }
}

const missing = (name: string) => new Problem(404, 'not_found', `there is no webhook ${name}`)

function changed(old: StoredWebhook | null, name: string, wish: SaveWebhook): StoredWebhook | Problem {
  const { url = old?.url, format = old?.format, events = old?.events } = wish
  const secret = wish.secret === undefined ? old?.secret : (wish.secret ?? undefined)
  const projects = wish.projects === undefined ? old?.projects : (wish.projects ?? undefined)
  if (url === undefined)
    return new Problem(422, 'invalid_input', `there is no webhook ${name} yet: a new one needs its address`)
  if (secret !== undefined && (format ?? 'json') !== 'json')
    return new Problem(
      422,
      'invalid_input',
      `only the format json is signed: ${name} in the format ${format} takes no secret${
        wish.secret === undefined ? `; remove it first: beadloom webhook secret ${name} --remove` : ''
      }`,
    )
  return {
    name,
    url,
    ...(format && { format }),
    ...(secret !== undefined && { secret }),
    ...(events && { events }),
    ...(projects && { projects }),
  }
}

function viewOf(store: WebhookListDeps['store'], hook: WebhookSettings): WebhookView {
  const { name, url, format, events, projects, secret } = hook
  const state = store.webhooks().find((one) => one.name === name)
  const next = state !== undefined && state.problem !== '' ? store.nextForWebhook(name) : null
  return {
    name,
    origin: new URL(url).origin,
    format,
    events,
    projects,
    signed: secret !== null,
    waiting: state?.waiting ?? 0,
    lastAt: state?.lastAt ?? null,
    arrivedAt: state?.arrivedAt ?? null,
    problem: state?.problem ?? '',
    tries: state?.tries || next?.refused || 0,
    nextAt: next === null ? null : next.dueAt || (state?.dueAt ?? null),
    next: next && { event: next.notice.event, project: next.notice.project, bead: next.notice.bead },
    givenUp: state?.givenUp ?? 0,
    givenUpAt: state?.givenUpAt ?? null,
  }
}
