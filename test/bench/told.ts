import { mkdtempSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BareDocker } from './support/bare-container.ts'
import { figure, type Report } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'

const ROUNDS = 20
const PROJECT = 'told'
/** Enough for the first call of an agent, whose environment may have to be made. */
const LONGEST_MS = 300_000

/** A call of the agent: when it arrived (milliseconds of `performance.now`), its text, and the way to answer it. */
type Call = { at: number; text: string; response: ServerResponse }

/** A model that answers when the benchmark says so. */
class HandModel {
  readonly #server
  readonly #calls: Call[] = []
  #next = Promise.withResolvers<void>()

  constructor() {
    this.#server = createServer((request, response) => {
      const at = performance.now()
      let text = ''
      request.setEncoding('utf8').on('data', (more: string) => (text += more))
      request.on('end', () => {
        this.#calls.push({ at, text, response })
        this.#next.resolve()
        this.#next = Promise.withResolvers()
      })
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  async call(): Promise<Call> {
    const late = sleep(LONGEST_MS, true, { ref: false })
    for (;;) {
      const call = this.#calls.shift()
      if (call) return call
      if ((await Promise.race([this.#next.promise, late])) === true) throw new Error('the agent calls no model')
    }
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** Lets the agent run a command, each time another one; returns the time of the answer. */
function runCommand({ response }: Call, n: number): number {
  const bash = { name: 'bash', arguments: JSON.stringify({ command: `: ${n}` }) }
  const call = { index: 0, id: `call-${n}`, type: 'function', function: bash }
  const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] })
  const chunks = [
    choice({ role: 'assistant', content: 'I look.', tool_calls: [call] }, null),
    choice({}, 'tool_calls'),
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks)
    response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...chunk })}\n\n`)
  const at = performance.now()
  response.end('data: [DONE]\n\n')
  return at
}

/**
 * The time from a person's message to the agent's request that has it: the built-in agent waits for its model, and is
 * told now. Baseline: the same agent's way from an answer of its model, through a command that does nothing, to its next request.
 */
export async function told(asked: number | null): Promise<Report> {
  const model = new HandModel()
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')), {
    OPENAI_API_KEY: 'the-benchmark-has-no-key',
    OPENAI_BASE_URL: await model.listen(),
  })
  try {
    const config = { autopilot: false, model: 'a-model', test: 'true', setup: null, verification: { proveBase: false } }
    await server.addProject(PROJECT, { 'beadloom.json': JSON.stringify(config) }, [{ id: 'be-1', title: 'Listen' }])
    const { id } = await server.queue(PROJECT, 'be-1')
    const [words, steps]: [number[], number[]] = [[], []]
    let waiting = await model.call()
    for (let round = 0; round < (asked ?? ROUNDS); round++) {
      const answeredAt = runCommand(waiting, round)
      const next = await model.call()
      steps.push(next.at - answeredAt)
      const word = `WORD-${round}`
      const saidAt = performance.now()
      await say(server, id, word)
      waiting = await model.call()
      if (!waiting.text.includes(word)) throw new Error(`the next request does not have ${word}`)
      words.push(waiting.at - saidAt)
    }
    return {
      rows: [
        {
          bench: 'told',
          what: 'a message "now" → the next request, while it waits for its model',
          ours: figure('ms', words),
          baseline: { what: 'an answer → its next request', figure: figure('ms', steps) },
          aim: { of: 'ours', at: 'most', value: 50 },
        },
      ],
      parts: [],
    }
  } finally {
    await server.stop()
    model.close()
    await new BareDocker().removeImages(PROJECT)
  }
}

async function say({ url, token }: ServerProcess, execution: string, text: string): Promise<void> {
  const response = await fetch(`${url}/api/executions/${execution}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text, when: 'now' }),
  })
  if (!response.ok) throw new Error(`the message was answered ${response.status}: ${await response.text()}`)
}
