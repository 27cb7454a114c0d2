import { z } from 'zod/mini'
import { hostedTools, type HostedTool, type OpenedTools } from '@beadloom/core/gateway/hosted-tools.ts'
import type { ModelWindows } from '@beadloom/core/context/model-windows.ts'
import type { Prices } from '@beadloom/core/budget/token-use.ts'

/** The APIs of models, under the names that the agents' presets use. */
export const modelApis = ['chat', 'responses', 'messages'] as const
export type ModelApi = (typeof modelApis)[number]

/** The endpoint of one API. `models`: the endpoint's own name for a name that agents and projects use. */
export type UpstreamSettings = {
  baseUrl: string | null
  /** The variable with the key, for messages; the key itself stays in the environment. */
  keyVariable: string
  apiKey: string | null
  models: Record<string, string>
}

const name = z.string().check(z.minLength(1), z.maxLength(200))
const amount = z.number().check(z.nonnegative())

const Upstream = z.strictObject({
  baseUrl: z.optional(
    z
      .string()
      .check(z.refine((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''), 'is not an http(s) address')),
  ),
  keyVariable: z.optional(
    z.string().check(z.regex(/^[A-Z_][A-Z0-9_]{0,99}$/, 'must be the name of a variable, in capital letters')),
  ),
  models: z.optional(z.record(name, name)),
})

/** The settings of `config.json` about models; each part is optional. */
export const modelSettings = {
  upstreams: z.optional(
    z.strictObject({ chat: z.optional(Upstream), responses: z.optional(Upstream), messages: z.optional(Upstream) }),
  ),
  /** Per million tokens, in `currency`, by the endpoint's name for the model. Overrides the list; null: no price. */
  prices: z.optional(
    z.record(
      name,
      z.nullable(
        z.strictObject({
          input: amount,
          cachedInput: z.optional(amount),
          cacheWrite: z.optional(amount),
          output: amount,
        }),
      ),
    ),
  ),
  /** The tokens that a model takes, question and answer together, by the endpoint's name for it. */
  windows: z.optional(z.record(name, z.int().check(z.minimum(1000), z.maximum(100_000_000)))),
  /**
   * Tools that endpoints run themselves, by their names: only these may be requested. No repository's file can add one.
   */
  hostedTools: z.optional(
    z.partialRecord(
      z.enum(hostedTools, `must be one of ${hostedTools.join(', ')}`),
      z.strictObject({
        /** Default: all. */
        projects: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
        /** Per use, in `currency`. */
        price: z.optional(amount),
      }),
    ),
  ),
  /** ISO 4217. Default: USD. */
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, 'must be three capital letters, such as USD'))),
}

type Given = {
  upstreams?: z.infer<typeof modelSettings.upstreams>
  prices?: z.infer<typeof modelSettings.prices>
  windows?: z.infer<typeof modelSettings.windows>
  currency?: z.infer<typeof modelSettings.currency>
  hostedTools?: z.infer<typeof modelSettings.hostedTools>
}

export type ModelSettings = {
  upstreams: Record<ModelApi, UpstreamSettings>
  prices: Prices
  /** In addition to the known ones. */
  windows: ModelWindows
  hostedTools: OpenedTools
  currency: string
}

/** The variables with keys for models. */
export const keyVariables = ({ upstreams }: Pick<ModelSettings, 'upstreams'>): string[] =>
  modelApis.map((api) => upstreams[api].keyVariable)

const opened = (given: Given['hostedTools'] = {}): OpenedTools =>
  Object.fromEntries(
    (Object.keys(given) as HostedTool[]).map((tool) => {
      const { projects = null, price = null } = given[tool] ?? {}
      return [tool, { projects, price }]
    }),
  )

const standard = {
  chat: { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' },
  responses: { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' },
  messages: { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
} as const satisfies Record<ModelApi, { key: string; url: string }>

/** Default addresses of the APIs. */
export const defaultAddresses: Record<ModelApi, string> = {
  chat: 'https://api.openai.com/v1',
  responses: 'https://api.openai.com/v1',
  messages: 'https://api.anthropic.com',
}

/** Reads `config.json`, and the usual environment variables for values that it leaves out. */
export function readModelSettings(
  given: Given,
  env: Record<string, string | undefined>,
  addresses: Record<'OPENAI_BASE_URL' | 'ANTHROPIC_BASE_URL', string | null>,
): ModelSettings {
  const upstreamOf = (api: ModelApi): UpstreamSettings => {
    const own = given.upstreams?.[api] ?? {}
    const { key, url } = standard[api]
    const keyVariable = own.keyVariable ?? key
    // A key belongs to one address: another address gets only a key that is named for it.
    const mayUseStandard = own.baseUrl === undefined || own.keyVariable !== undefined
    return {
      baseUrl: own.baseUrl ?? addresses[url],
      keyVariable,
      apiKey: mayUseStandard ? env[keyVariable] || null : null,
      models: own.models ?? {},
    }
  }
  return {
    upstreams: { chat: upstreamOf('chat'), responses: upstreamOf('responses'), messages: upstreamOf('messages') },
    prices: (given.prices ?? {}) as Prices,
    windows: given.windows ?? {},
    hostedTools: opened(given.hostedTools),
    currency: given.currency ?? 'USD',
  }
}
