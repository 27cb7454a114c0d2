import { once } from 'node:events'
import { createServer, request, type Agent, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { wallClock } from './wall-clock.ts'

export const apis = ['chat', 'responses', 'messages'] as const
export type Api = (typeof apis)[number]
/** `quick`: one piece at once; `paced`: at the pace of a fast model; `flat`: as fast as it is read. */
export type Pace = 'quick' | 'paced' | 'flat'

const PACED_EVENTS = 500
const PACED_EACH_MS = 2
const FLAT_EVENTS = 100_000

const piece = ' some words of a model,'
const pieces: Record<Api, string> = {
  chat: sse({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: piece } }] }),
  responses: sse({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, delta: piece }, true),
  messages: sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }, true),
}
const ends: Record<Api, string> = {
  chat: `${sse({ id: 'c', choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })}data: [DONE]\n\n`,
  responses: sse({ type: 'response.completed', response: { usage: { input_tokens: 1, output_tokens: 1 } } }, true),
  messages: sse({ type: 'message_delta', delta: {}, usage: { input_tokens: 1, output_tokens: 1 } }, true),
}

function sse(data: Record<string, unknown>, named = false): string {
  return `${named ? `event: ${String(data['type'])}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}

/** A model's endpoint that gives the same answer in all three APIs, at the pace that it is told. */
export class PacedModel {
  readonly url: string
  #server: Server

  private constructor(server: Server) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<PacedModel> {
    const server = createServer((asked, response) => {
      void text(asked).then((body) => {
        const [, api = 'chat', pace = 'quick'] = /"(chat|responses|messages) (quick|paced|flat)"/.exec(body) ?? []
        return answer(response, api as Api, pace as Pace)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new PacedModel(server)
  }

  /** The body of a call that is answered at this pace: an ordinary call of some 20,000 characters. */
  say(api: Api, pace: Pace): string {
    const content = `${api} ${pace}`
    const tools = [{ type: 'function', function: { name: 'bash', description: 'x'.repeat(20_000) } }]
    const messages = [{ role: 'user', content }]
    return JSON.stringify({
      model: 'm',
      stream: true,
      max_tokens: 100,
      tools,
      ...(api === 'responses' ? { input: messages } : { messages }),
    })
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

async function answer(response: ServerResponse, api: Api, pace: Pace): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const [count, each] = { quick: [1, 0], paced: [PACED_EVENTS, PACED_EACH_MS], flat: [FLAT_EVENTS, 0] }[pace]
  const began = wallClock()
  for (let n = 0; n < (count ?? 0); n++) {
    // By the clock, so that a late piece does not make the next one late.
    if (each) await sleep(Math.max(0, began + n * each - wallClock()))
    if (!response.write(pieces[api])) await once(response, 'drain')
  }
  response.end(ends[api])
}

export type Where = { url: URL; agent: Agent; socketPath?: string }
export type Answered = { firstByteMs: number; eventsPerSecond: number; mbPerSecond: number }

/** One call, as a client sees it. */
export async function ask({ url, agent, socketPath }: Where, body: string): Promise<Answered> {
  const beganAt = performance.now()
  const asked = request(url, {
    method: 'POST',
    agent,
    ...(socketPath === undefined ? {} : { socketPath }),
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  })
  asked.end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let [firstAt, bytes, events] = [0, 0, 0]
  for await (const chunk of response as AsyncIterable<Buffer>) {
    firstAt ||= performance.now()
    bytes += chunk.length
    for (let at = chunk.indexOf('\n\n'); at >= 0; at = chunk.indexOf('\n\n', at + 2)) events += 1
  }
  if (response.statusCode !== 200) throw new Error(`the call was answered ${response.statusCode}`)
  const seconds = (performance.now() - firstAt) / 1000
  return { firstByteMs: firstAt - beganAt, eventsPerSecond: events / seconds, mbPerSecond: bytes / 1e6 / seconds }
}
