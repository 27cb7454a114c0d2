import type { AgentApi } from '@beadloom/core/agents/preset.ts'
import type { HostedTool } from '@beadloom/core/gateway/hosted-tools.ts'
import { closedModelText, closedToolOf } from '@beadloom/core/gateway/searching-models.ts'
import { plainName, type Refusal } from '@beadloom/core/gateway/walk.ts'
import type { GatewayCaller } from '../ports/gateway.ts'
import type { Cooldown } from '../ports/store/cooldowns.ts'
import { defaultAddresses, type UpstreamSettings } from '../process/settings/model-settings.ts'
import type { ServerSettings } from '../process/settings/settings.ts'
import { Cooldowns } from './upstream/cooldown.ts'
import * as problems from './problem.ts'
import type { Problem } from './problem.ts'
import type { Dialect } from './route.ts'
import {
  anthropicEndpoint,
  openAiEndpoint,
  type AnthropicUpstream,
  type Endpoint,
  type OpenAiUpstream,
} from './upstream/endpoint.ts'

export type Upstreams = {
  /** Null: no key is set, and only the scripted model can be used. */
  upstream: OpenAiUpstream | null
  /** The endpoint for `/v1/responses` if it differs from the one for `/v1/chat/completions`. */
  responses?: OpenAiUpstream | null
  /** For command lines that speak Anthropic's API. Null: they get an error that says so. */
  anthropic?: AnthropicUpstream | null
  /** The endpoint's name of a model, by the name that is asked for; `*` is for every other name. */
  models?: Partial<Record<AgentApi, Record<string, string>>>
}

/** The endpoints that the server's settings name. */
export function upstreamsOf({ models: { upstreams }, model }: ServerSettings): Upstreams {
  const { chat, responses, messages } = upstreams
  const openAi = (api: 'chat' | 'responses', { apiKey, baseUrl, keyVariable }: UpstreamSettings) =>
    apiKey === null && baseUrl === null
      ? null
      : { baseUrl: baseUrl ?? defaultAddresses[api], apiKey, keyVariable, model: model === 'scripted' ? null : model }
  return {
    upstream: openAi('chat', chat),
    responses: openAi('responses', responses),
    anthropic:
      messages.apiKey === null
        ? null
        : {
            baseUrl: messages.baseUrl ?? defaultAddresses.messages,
            apiKey: messages.apiKey,
            keyVariable: messages.keyVariable,
          },
    models: { chat: chat.models, responses: responses.models, messages: messages.models },
  }
}

export type ModelRoute = { endpoint: Endpoint; model: string }
/** `refused`: the model runs a tool of its endpoint that is not open. */
export type NoRoute = { failed: Problem; refused?: Refusal }

export const apiOf = (dialect: Dialect): AgentApi => (dialect === 'count' ? 'messages' : dialect)

/** The name that a caller chooses; null: none. */
const chosen = (wish: unknown): string | null =>
  typeof wish === 'string' && /^[\w.@/:[\]-]{1,200}$/.test(wish) ? wish : null

/** Chooses a call's endpoint, and the model's name there. */
export class ModelRouting {
  readonly endpoints: Record<AgentApi, Endpoint | null>
  #defaults: Record<AgentApi, string | null>
  #models: NonNullable<Upstreams['models']>

  /** Throws `InvalidInput` for an invalid address or key; the message names the variable, never the key. */
  constructor({ upstream, responses = upstream, anthropic = null, models = {} }: Upstreams) {
    this.endpoints = {
      chat: upstream && openAiEndpoint(upstream),
      responses: responses && openAiEndpoint(responses),
      messages: anthropic && anthropicEndpoint(anthropic),
    }
    // The server's default is a model of OpenAI's API. Agents of other APIs choose for themselves.
    this.#defaults = { chat: upstream?.model ?? null, responses: upstream?.model ?? null, messages: null }
    this.#models = models
  }

  /** The server's default model for a project that names none; null: neither names one. */
  defaultOf(wish: string | null): string | null {
    return wish ?? this.#defaults.chat
  }

  /** Every key that must be masked. */
  get keys(): string[] {
    return Object.values(this.endpoints).flatMap((endpoint) => endpoint?.key ?? [])
  }

  route(
    who: Pick<GatewayCaller, 'model' | 'models' | 'hosted'>,
    dialect: Dialect,
    wish: unknown,
  ): ModelRoute | NoRoute {
    const api = apiOf(dialect)
    const endpoint = this.endpoints[api]
    if (!endpoint) return { failed: this.#missing(api) }
    const named = who.models?.find((one) => one === wish)
    const asked = named ?? who.model ?? this.#defaults[api] ?? (api === 'messages' ? chosen(wish) : null)
    const model = this.#name(api, asked)
    if (model === null) return { failed: problems.noModelName }
    const why = this.#whyClosed(api, asked, who.hosted)
    if (why === null) return { endpoint, model }
    const refused = { what: `model ${plainName(model)}`, why }
    return { failed: problems.notPassedOn(refused), refused }
  }

  /**
   * A project that names no model may let its command line choose one of Anthropic's: then the longest cooldown counts.
   */
  cooldown(wish: string | null, cooldowns: Cooldowns): Cooldown | null {
    for (const api of ['chat', 'responses'] as const) {
      const [endpoint, model] = [this.endpoints[api], this.#name(api, wish ?? this.#defaults[api])]
      const cooldown = endpoint && model ? cooldowns.of(Cooldowns.key(model, endpoint)) : null
      if (cooldown) return cooldown
    }
    const claude = this.endpoints.messages
    if (!claude) return null
    const own = this.#name('messages', wish)
    if (own) return cooldowns.of(Cooldowns.key(own, claude))
    return this.endpoints.chat ? null : cooldowns.longestAt(claude)
  }

  /**
   * Whether an agent that speaks this API (null: any) can use this model, with a sentence for people. `open`: the
   * endpoint's tools that it may use.
   */
  check(
    api: AgentApi | null,
    wish: string | null,
    open: readonly HostedTool[] = [],
  ): { ok: boolean; name: string | null; text: string } {
    const { chat, messages } = this.endpoints
    const chosen = api ?? (chat || !messages ? 'chat' : 'messages')
    const endpoint = this.endpoints[chosen]
    if (!endpoint) return { ok: false, name: wish ?? this.#defaults[chosen], text: this.#missing(chosen).message }
    const name = this.#name(chosen, wish ?? this.#defaults[chosen])
    if (name === null && (chosen !== 'messages' || wish !== null))
      return { ok: false, name, text: problems.noModelName.message }
    const closed = this.#whyClosed(chosen, wish, open)
    if (closed !== null) return { ok: false, name, text: `${name} cannot be used: ${closed}` }
    if (chosen !== 'messages') return { ok: true, name, text: `${name} at ${endpoint.where}` }
    const own = name ?? 'the model that the command line chooses'
    const only = api === null ? ", for command lines that speak Anthropic's API; OPENAI_API_KEY is not set" : ''
    return { ok: true, name, text: `${own} at ${endpoint.where}${only}` }
  }

  #missing(api: AgentApi): Problem {
    return api === 'messages' ? problems.noAnthropic : problems.noModel
  }

  #name(api: AgentApi, wish: string | null): string | null {
    if (wish === null || wish === '') return null
    const names = this.#models[api] ?? {}
    if (Object.hasOwn(names, wish)) return names[wish]!
    return Object.hasOwn(names, '*') ? names['*']! : wish
  }

  /** A repository may ask for such a model, in its settings or in an agent's file. The server's owner may choose any. */
  #whyClosed(api: AgentApi, wish: string | null, open: readonly HostedTool[]): string | null {
    const names = this.#models[api] ?? {}
    const isOwners = wish === this.#defaults[api] || Object.hasOwn(names, '*') || Object.hasOwn(names, wish ?? '')
    const tool = isOwners ? null : closedToolOf(wish ?? '', open)
    return tool && closedModelText(tool)
  }
}
