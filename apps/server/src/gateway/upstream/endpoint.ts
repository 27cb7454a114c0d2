import { InvalidInput } from '@beadloom/core/records/ids.ts'

/** `baseUrl` as in the usual variables: OPENAI_BASE_URL ends with `/v1`, ANTHROPIC_BASE_URL does not. */
export type OpenAiUpstream = {
  baseUrl: string
  /** Null for a local server that needs none. */
  apiKey: string | null
  /** The model for projects that name none. */
  model: string | null
  /** The variable with the key. Default: the one that agents know. */
  keyVariable?: string
}
export type AnthropicUpstream = { baseUrl: string; apiKey: string; keyVariable?: string }

/** An endpoint with its key, ready to be called. `where` is the part of its address that people may see. */
export type Endpoint = {
  base: string
  where: string
  key: string | null
  variables: { key: string; url: string }
  /** `passed`: the caller's headers about an API's version, as far as the API's list has them. */
  headers: (passed: Record<string, string>) => Record<string, string>
}

export function openAiEndpoint(upstream: OpenAiUpstream): Endpoint {
  const variables = { key: upstream.keyVariable ?? 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' }
  const key = checkedKey(upstream.apiKey, variables.key)
  const authorization: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
  return {
    ...checkedBase(upstream.baseUrl, variables.url),
    key,
    variables,
    headers: (passed) => ({ ...commonHeaders, ...passed, ...authorization }),
  }
}

export function anthropicEndpoint(upstream: AnthropicUpstream): Endpoint {
  const variables = { key: upstream.keyVariable ?? 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' }
  const key = checkedKey(upstream.apiKey, variables.key)
  const { base, where } = checkedBase(upstream.baseUrl, variables.url)
  return {
    base: base.endsWith('/v1') ? base : `${base}/v1`,
    where,
    key,
    variables,
    headers: (passed) => ({
      'anthropic-version': '2023-06-01',
      ...commonHeaders,
      ...passed,
      ...(key && { 'x-api-key': key }),
    }),
  }
}

const commonHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  // A small compressed answer could become a huge one here, and its bytes could not be passed on unchanged.
  'accept-encoding': 'identity',
  'user-agent': 'beadloom',
}

function checkedBase(baseUrl: string, variable: string): { base: string; where: string } {
  const url = URL.parse(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidInput(`${variable} is not an http or https address`)
  }
  if (url.username || url.password) {
    throw new InvalidInput(`${variable} contains a user name or password: set the key with its own variable instead`)
  }
  return { base: url.origin + url.pathname.replace(/\/+$/, ''), where: url.origin }
}

function checkedKey(key: string | null, variable: string): string | null {
  const trimmed = key?.trim() || null
  // Node's own error for such a header does not name the variable.
  if (trimmed && !/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new InvalidInput(
      `${variable} has characters that cannot be part of a key (a space, a line break or an accent)`,
    )
  }
  return trimmed
}
