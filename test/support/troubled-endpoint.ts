import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ScriptedEndpoint } from './scripted-endpoint.ts'

/** The endpoint's reactions to a call. `once`: only the first call of a model; the script answers later ones. */
const troubles = {
  'refuses-the-key': { does: says(401, { error: { message: 'Incorrect API key', code: 'invalid_api_key' } }) },
  'knows-no-such-model': {
    does: says(404, { error: { message: 'The model does not exist', code: 'model_not_found' } }),
  },
  'is-busy-until': { once: true, does: busy },
  'is-broken': { does: says(500, { error: { message: 'oh no' } }) },
  'is-a-page': { does: page },
  'breaks-off-once': { once: true, does: halfAnAnswer },
  'breaks-off': { does: halfAnAnswer },
  stalls: { does: anAnswerThatStalls },
} as const satisfies Record<string, { once?: true; does: Does }>

export type Trouble = keyof typeof troubles
type Does = (response: ServerResponse, path: string, streaming: boolean) => void

/** The lead of the endpoint's date, in milliseconds: more than a gateway waits within a call. */
const BUSY_MS = 8000

/** A model's endpoint, in all three APIs, that misbehaves as the name of the model says: `TROUBLE.ANYTHING`. */
export class TroubledEndpoint {
  readonly url: string
  readonly calls = new Map<string, number>()
  #server: Server
  #script: ScriptedEndpoint

  private constructor(server: Server, script: ScriptedEndpoint) {
    this.#server = server
    this.#script = script
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async start(scenariosFolder: string, scenario: string, bead: string): Promise<TroubledEndpoint> {
    const script = await ScriptedEndpoint.start(scenariosFolder, scenario, bead)
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new TroubledEndpoint(server, script)
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
    this.#script.stop()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const piece of request.setEncoding('utf8')) body += String(piece)
    const { model, stream = false } = JSON.parse(body) as { model: string; stream?: boolean }
    const number = (this.calls.get(model) ?? 0) + 1
    this.calls.set(model, number)
    const trouble = troubles[model.split('.')[0] as Trouble]
    const path = request.url ?? ''
    if (!('once' in trouble) || number === 1) return trouble.does(response, path, stream)
    const played = await fetch(`${this.#script.url}${path}`, { method: 'POST', body })
    response.writeHead(played.status, { 'content-type': played.headers.get('content-type') ?? '' })
    response.end(await played.text())
  }
}

function says(status: number, body: object): Does {
  return (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function busy(response: ServerResponse): void {
  const date = new Date(Date.now() + BUSY_MS).toUTCString()
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': date })
  response.end('{"error":{"message":"Rate limit reached"}}')
}

function page(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
}

function halfAnAnswer(response: ServerResponse, path: string, streaming: boolean): void {
  begin(response, path, streaming, () => response.destroy())
}

function anAnswerThatStalls(response: ServerResponse, path: string, streaming: boolean): void {
  begin(response, path, streaming, () => {})
}

function begin(response: ServerResponse, path: string, streaming: boolean, then: () => void): void {
  response.writeHead(200, { 'content-type': streaming ? 'text/event-stream' : 'application/json' })
  response.write(streaming ? beginning(path) : '{"id":"an-answ', then)
}

const event = (name: string | null, data: object): string =>
  `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

const typed = (data: { type: string; [key: string]: unknown }): string => event(data.type, data)

/** The first events of an answer that says "I am". */
function beginning(path: string): string {
  if (path.includes('/messages')) {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null }
    return [
      typed({ type: 'message_start', message: { ...message, usage: { input_tokens: 5, output_tokens: 1 } } }),
      typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'I am' } }),
    ].join('')
  }
  if (path.includes('/responses')) {
    const item = { id: 'm', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    const part = { type: 'output_text', text: '', annotations: [] }
    const place = { item_id: 'm', output_index: 0, content_index: 0 }
    return [
      typed({ type: 'response.created', response: { id: 'r', object: 'response', status: 'in_progress', output: [] } }),
      typed({ type: 'response.output_item.added', output_index: 0, item }),
      typed({ type: 'response.content_part.added', ...place, part }),
      typed({ type: 'response.output_text.delta', ...place, delta: 'I am' }),
    ].join('')
  }
  const choice = { index: 0, delta: { role: 'assistant', content: 'I am' }, finish_reason: null }
  return event(null, { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'x', choices: [choice] })
}
