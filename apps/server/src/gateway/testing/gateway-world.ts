import type { CallPart } from '@beadloom/core/context/context-gauge.ts'
import type { UsedUp } from '@beadloom/core/budget/used-up.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseBeadId, parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { onTestFinished } from 'vitest'
import type { CallNews, GatewayCaller, Usage } from '../../ports/gateway.ts'
import type { Cooldown } from '../../ports/store/cooldowns.ts'
import { createGateway, type GatewayOptions } from '../create-gateway.ts'
import { defaultGatewayBounds } from '../bounds.ts'
import { TestClock } from './test-clock.ts'

/** No answer, header, log line or problem may ever hold this. */
export const KEY = 'sk-canary-0123456789abcdef'

export type Received = { method: string; url: string; headers: IncomingMessage['headers']; body: unknown; text: string }
export type Upstream = (response: ServerResponse, received: Received, call: number) => void | Promise<void>

export type World = Awaited<ReturnType<typeof startWorld>>

type WorldOptions = {
  who?: Partial<GatewayCaller>
  options?: Partial<GatewayOptions>
  /** Called with each of the gateway's responses before the gateway gets it. */
  seen?: (response: ServerResponse) => void
}

/** A gateway behind a real HTTP server, in front of a real HTTP server that plays the model endpoint. */
export async function startWorld(upstream: Upstream, { who = {}, options = {}, seen = () => {} }: WorldOptions = {}) {
  const received: Received[] = []
  const endpoint = await listen(async (request, response) => {
    const { method = '', url = '', headers } = request
    const raw = await text(request)
    const body: unknown = JSON.parse(raw)
    received.push({ method, url, headers, body, text: raw })
    await upstream(response, { method, url, headers, body, text: raw }, received.length)
  })
  const clock = new TestClock(defaultGatewayBounds.backoffCapMs)
  const usages: Omit<Usage, 'part' | 'agent'>[] = []
  const parts: CallPart[] = []
  const problems: string[] = []
  const retries: string[] = []
  const cooldowns: Cooldown[] = []
  const refusals: UsedUp[] = []
  const keptBack: { dropped: readonly string[]; refused: string | null }[] = []
  const logged: string[] = []
  const log = (fields: object, message: string) => void logged.push(JSON.stringify(fields) + message)
  const hear = (news: CallNews) => {
    if (news.type === 'over_limit') refusals.push(news.limit)
    else if (news.type === 'problem') problems.push(news.text)
    else if (news.type === 'retried') retries.push(news.code)
    else if (news.type === 'cooling_down') cooldowns.push(news.cooldown)
    else if (news.type === 'used') {
      const { part, agent: _agent, ...usage } = news.usage
      parts.push(part)
      usages.push(usage)
    } else if (news.dropped.length > 0 || news.refused)
      keptBack.push({ dropped: news.dropped, refused: news.refused?.what ?? null })
  }
  const gateway = createGateway({
    upstream: { baseUrl: `${endpoint}/v1`, apiKey: KEY, model: 'gpt-test' },
    scenariosFolder: '/nonexistent',
    clock,
    random: () => 0,
    log: { info: log, warn: log, error: log },
    ...options,
    // Longer than the waits that pass by themselves, so silence lasts until a test ends it.
    bounds: { idleMs: 120_000, ...options.bounds },
  })
  const execution = parseExecutionId('ex-0123456789')
  const usual: GatewayCaller = {
    execution,
    session: sessionIdOf(execution, 1),
    bead: parseBeadId('demo-1a'),
    attempt: 1,
    model: null,
    scenario: null,
    hosted: [],
    usedUp: () => null,
    isHeld: () => false,
    whileHeld: async () => null,
    whileWaiting: (wait) => wait(),
    tell: hear,
  }
  // A getter stays one, for what changes meanwhile.
  const caller = Object.defineProperties(usual, Object.getOwnPropertyDescriptors(who ?? {}))
  const url = await listen((request, response) => {
    seen(response)
    gateway.handle(caller, request, response)
  })
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetch(url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), ...init })
  const ask = (more: object = {}, init: RequestInit = {}) =>
    post('/v1/chat/completions', { model: 'wish', messages: [{ role: 'user', content: 'hello' }], ...more }, init)
  return {
    gateway,
    url,
    endpoint,
    clock,
    received,
    usages,
    parts,
    problems,
    retries,
    cooldowns,
    refusals,
    keptBack,
    logged,
    post,
    ask,
  }
}

/** Starts a server that is closed, with its connections, when the test is over. Returns its address. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<string> {
  const server: Server = createServer((request, response) => void handler(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve)
    })
    server.closeAllConnections()
    await closed
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

export type ErrorBody = { error: { message: string; type: string; code: string } }
export const errorOf = async (response: Response): Promise<ErrorBody['error']> =>
  ((await response.json()) as ErrorBody).error

export function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export const completion = (content: string, usage?: { prompt_tokens: number; completion_tokens: number }) => ({
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...(usage && { usage }),
})

export const sse = (event: unknown): string => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
export const delta = (content: string): string => sse({ id: 'c1', choices: [{ index: 0, delta: { content } }] })

export function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return response
}

/** Reads one chunk at a time, so a test sees how much has arrived so far. */
export function readerOf(response: Response): { next: () => Promise<string | null> } {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  return {
    next: async () => {
      const read = await reader?.read()
      return read?.value ? decoder.decode(read.value, { stream: true }) : null
    },
  }
}
