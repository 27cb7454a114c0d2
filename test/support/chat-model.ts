import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A message of a conversation, in the API of chat completions. */
export type Said = { role: string; content: unknown; tool_call_id?: string }
/** `command`: the built-in agent's tool runs it; absent: it ends its turn. `hold`: the answer begins, and never ends. */
export type ChatAnswer = { text: string; command?: string; hold?: 'before-it' | 'in-it' }

export const textOf = ({ content }: Said): string => (typeof content === 'string' ? content : JSON.stringify(content))

/** A model on loopback that answers by a function of the conversation. */
export class ChatModel {
  /** The conversations of all requests, in order. */
  readonly asked: Said[][] = []
  /** The models that they name. */
  readonly models: string[] = []
  readonly env: Record<string, string>
  readonly #server: Server

  private constructor(server: Server) {
    const { port } = server.address() as AddressInfo
    this.#server = server
    this.env = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` }
  }

  /** Until the test has ended. */
  static async start(answer: (conversation: Said[]) => ChatAnswer): Promise<ChatModel> {
    const model = await ChatModel.open(answer)
    onTestFinished(() => model.close())
    return model
  }

  static async open(answer: (conversation: Said[]) => ChatAnswer): Promise<ChatModel> {
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => (body += text))
      request.on('end', () => {
        const { messages, model: named } = JSON.parse(body) as { messages: Said[]; model: string }
        model.asked.push(messages)
        model.models.push(named)
        reply(response, answer(messages), model.asked.length)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const model = new ChatModel(server)
    return model
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

function reply(response: ServerResponse, { text, command, hold }: ChatAnswer, n: number): void {
  if (hold === 'before-it') return
  const bash = { name: 'bash', arguments: JSON.stringify({ command }) }
  const calls =
    command === undefined ? {} : { tool_calls: [{ index: 0, id: `call-${n}`, type: 'function', function: bash }] }
  const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] })
  const chunks = [
    choice({ role: 'assistant', content: text, ...calls }, null),
    choice({}, command === undefined ? 'stop' : 'tool_calls'),
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of hold === 'in-it' ? chunks.slice(0, 1) : chunks)
    response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...chunk })}\n\n`)
  if (hold !== 'in-it') response.end('data: [DONE]\n\n')
}
