import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Call = { name: string; arguments: string; id?: string }

/** One answer of the model, or a fault instead. */
export type Turn =
  | { text?: string; calls?: Call[]; finish?: string; usage?: { prompt_tokens: number; completion_tokens: number } }
  | { status: number; body: string }
  /** Sent as it is, as an event stream. */
  | { stream: string }
  /** The connection is cut, before the answer or after its first part. */
  | { reset: 'before' | 'within' }

export type Asked = {
  messages: { role: string; content: unknown; tool_calls?: unknown }[]
  tools?: { function: { name: string } }[]
  response_format?: { type: string }
  model: string
}

export const call = (name: string, args: unknown): Call => ({
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})

/** An OpenAI-compatible server that plays its turns, one for each request, and remembers the questions. */
export class ScriptedModel {
  readonly asked: Asked[] = []
  url = ''
  #turns: Turn[]

  private constructor(turns: Turn[]) {
    this.#turns = turns
  }

  static async start(...turns: Turn[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(turns)
    const server = createServer((request, response) => void model.answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    )
    model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return model
  }

  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    this.asked.push(JSON.parse(Buffer.concat(chunks).toString()) as Asked)
    answerWith(this.#turns.shift() ?? over, request, response)
  }
}

const over: Turn = { status: 500, body: JSON.stringify({ error: { message: 'the script is over' } }) }

/** Plays one turn. */
export function answerWith(turn: Turn, request: IncomingMessage, response: ServerResponse): void {
  if ('status' in turn) {
    response.writeHead(turn.status, { 'content-type': 'application/json' }).end(turn.body)
    return
  }
  if ('reset' in turn && turn.reset === 'before') return void request.socket.resetAndDestroy()
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('stream' in turn) return void response.end(turn.stream)
  if ('reset' in turn) {
    const first = { choices: [{ index: 0, delta: { content: 'half an ' } }] }
    response.write(`data: ${JSON.stringify(first)}\n\n`, () => request.socket.resetAndDestroy())
    return
  }
  for (const chunk of chunksOf(turn)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
}

function* chunksOf({
  text = '',
  calls = [],
  finish,
  usage,
}: Exclude<Turn, { status: number } | { stream: string } | { reset: string }>) {
  const choice = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  // Cut in the middle, as streams are.
  for (const part of [text.slice(0, 3), text.slice(3)]) if (part) yield choice({ content: part })
  for (const [index, { name, arguments: args, id = `c${index}` }] of calls.entries()) {
    yield choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args.slice(0, 5) } }] })
    yield choice({ tool_calls: [{ index, function: { arguments: args.slice(5) } }] })
  }
  yield choice({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'))
  if (usage) yield { choices: [], usage }
}
