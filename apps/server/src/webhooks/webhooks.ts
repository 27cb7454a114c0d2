import type { WebhookTest } from '@beadloom/core/api/settings/webhook-api.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { WebhookNotice } from '../ports/store/webhooks.ts'
import type { Clock } from '../process/clock.ts'
import type { Logger } from '../process/logger.ts'
import type { WebhookSettings } from '../process/settings/webhook-settings.ts'
import { post, type PostFailure } from './post.ts'
import { requestOf, type Message } from './webhook-request.ts'
import { aborted } from '../process/within.ts'

export type WebhookBounds = {
  /** The time between two looks at new events. */
  lookMs: number
  /** The limit of one try. */
  timeoutMs: number
  /** The pause after the first failure; doubles up to `longestPauseMs`. */
  firstPauseMs: number
  longestPauseMs: number
  /** Older events are no longer sent. */
  giveUpMs: number
}

export const usualBounds: WebhookBounds = {
  lookMs: 2_000,
  timeoutMs: 10_000,
  firstPauseMs: 5_000,
  longestPauseMs: 15 * 60_000,
  giveUpMs: 12 * 3_600_000,
}

export type WebhooksDeps = {
  hooks: readonly WebhookSettings[]
  store: Pick<
    PatientStore,
    'instance' | 'keepWebhooks' | 'queueForWebhook' | 'nextForWebhook' | 'webhookHas' | 'webhookFailed' | 'webhooks'
  >
  /** The dashboard's page of a bead; null if unknown. */
  link: (project: string, bead: string) => string | null
  clock: Clock
  /** In [0, 1). */
  random: () => number
  log: Logger
  bounds?: WebhookBounds
}

const AFTER_A_BUG_MS = 60_000
/** A notice that was refused this often no longer holds up the others. */
const ASIDE_AFTER = 3

/**
 * Tells every webhook what happened, at least once, and in order except for notices that its receiver refuses again and
 * again: a receiver knows a repetition by its id. Each webhook has a loop of its own, and nothing waits for any of
 * them.
 */
export class Webhooks {
  readonly #deps: Required<WebhooksDeps>
  #hooks: readonly WebhookSettings[]
  #changed = new AbortController()

  constructor(deps: WebhooksDeps) {
    this.#deps = { bounds: usualBounds, ...deps }
    this.#hooks = deps.hooks
  }

  /** The webhooks that are told now. */
  get hooks(): readonly WebhookSettings[] {
    return this.#hooks
  }

  /** Replaces the webhooks. An unchanged one continues with its queue. */
  async set(hooks: readonly WebhookSettings[]): Promise<void> {
    await this.#deps.store.keepWebhooks(hooks.map(({ name }) => name))
    this.#hooks = hooks
    this.#changed.abort()
    this.#changed = new AbortController()
  }

  /** Runs until `stop`; unsent notices are sent after the next start. */
  async run(stop: AbortSignal): Promise<void> {
    await this.#deps.store.keepWebhooks(this.#hooks.map(({ name }) => name))
    const loops = new Map<string, { end: () => Promise<void> }>()
    while (!stop.aborted) {
      const changed = this.#changed.signal
      const wanted = new Map(this.#hooks.map((hook) => [JSON.stringify(hook), hook]))
      for (const [key, { end }] of loops)
        if (!wanted.has(key)) {
          await end()
          loops.delete(key)
        }
      for (const [key, hook] of wanted) if (!loops.has(key)) loops.set(key, this.#loop(hook, stop))
      await aborted(AbortSignal.any([stop, changed]))
    }
    await Promise.all([...loops.values()].map(({ end }) => end()))
  }

  #loop(hook: WebhookSettings, stop: AbortSignal): { end: () => Promise<void> } {
    const own = new AbortController()
    const ended = this.#follow(hook, AbortSignal.any([stop, own.signal]))
    return {
      end: () => {
        own.abort()
        return ended
      },
    }
  }

  /** Sends a test to each webhook, or to the named one, at once and beside the queues. */
  async test(name?: string): Promise<WebhookTest[]> {
    const { clock, bounds, store, random } = this.#deps
    const hooks = this.#hooks.filter((hook) => name === undefined || hook.name === name)
    return Promise.all(
      hooks.map(async (hook) => {
        const at = clock.now()
        const message: Message = {
          id: `${store.instance}.test.${Math.floor(random() * 1e9)}`,
          event: 'test',
          at,
          project: '',
          bead: '',
          title: 'Test',
          text: 'This is what a notice of Beadloom looks like.',
          execution: '',
          url: null,
        }
        const failure = await post(hook.url, requestOf(hook, message, at), { clock, timeoutMs: bounds.timeoutMs })
        return { name: hook.name, ok: failure === null, text: failure?.problem ?? 'it arrived' }
      }),
    )
  }

  async #follow(hook: WebhookSettings, stop: AbortSignal): Promise<void> {
    const { clock, log, bounds } = this.#deps
    while (!stop.aborted) {
      try {
        await clock.sleep(await this.#step(hook, stop), stop)
      } catch (error) {
        if (stop.aborted) return
        log.error({ error, webhook: hook.name }, 'a webhook could not be told')
        await clock.sleep(Math.max(AFTER_A_BUG_MS, bounds.lookMs), stop)
      }
    }
  }

  /** Milliseconds to wait until the next step. */
  async #step(hook: WebhookSettings, stop: AbortSignal): Promise<number> {
    const { store, clock, bounds } = this.#deps
    const { name } = hook
    await store.queueForWebhook(name, (notice) => isFor(hook, notice))
    const next = store.nextForWebhook(name, bounds.longestPauseMs)
    const state = store.webhooks().find((one) => one.name === name)
    if (next === null || state === undefined) return bounds.lookMs
    const left = Math.max(this.#leftOf(next.dueAt), this.#leftOf(state.dueAt))
    if (left > 0) return Math.min(left, bounds.lookMs)
    const failure = await this.#send(hook, next.event, next.notice, stop)
    if (stop.aborted) return 0
    if (failure === null) {
      await store.webhookHas(name, next.event)
      return 0
    }
    const now = clock.now()
    const aside = failure.refused && next.refused + 1 >= ASIDE_AFTER
    await store.webhookFailed(name, {
      ...failure,
      event: next.event,
      aside,
      dueAt: now + this.#pause(aside ? next.refused : state.tries),
      giveUpBefore: now - bounds.giveUpMs,
    })
    return 0
  }

  /** Milliseconds until then; 0 if that is further ahead than a pause can be: the clock has been set back since. */
  #leftOf(dueAt: number): number {
    const left = dueAt - this.#deps.clock.now()
    return left > this.#deps.bounds.longestPauseMs ? 0 : left
  }

  #send(hook: WebhookSettings, event: number, notice: WebhookNotice, stop: AbortSignal): Promise<PostFailure | null> {
    const { store, clock, link, bounds } = this.#deps
    const message: Message = {
      ...notice,
      id: `${store.instance}.${event}`,
      url: link(notice.project, notice.bead),
    }
    return post(hook.url, requestOf(hook, message, clock.now()), { clock, timeoutMs: bounds.timeoutMs, stop })
  }

  /** A random time between half and all of a doubling pause: a receiver that comes back is not met by all at once. */
  #pause(tries: number): number {
    const { firstPauseMs, longestPauseMs } = this.#deps.bounds
    const whole = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(tries, 20))
    return Math.round(whole / 2 + (whole / 2) * this.#deps.random())
  }
}

const isFor = ({ events, projects }: WebhookSettings, { event, project }: WebhookNotice): boolean =>
  events.includes(event) && (projects === null || projects.includes(project))
