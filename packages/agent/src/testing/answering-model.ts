import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { AGENT_HEADER, STEP_HEADER } from '@beadloom/core/agents/step-header.ts'
import { answerWith, type Asked, type Turn } from './scripted-model.ts'

export type { Asked } from './scripted-model.ts'
type ChildCall = { agent: string; step: string; asked: Asked }

/** Turns in order; or a function that decides by the question, as a model does. */
export type Parent = Turn[] | ((asked: Asked) => Turn)

/**
 * A model that several agents ask: the parent plays its turns, and each conversation of a sub-agent plays its agent's
 * turns from the first one on.
 */
export class AnsweringModel {
  /** The parent's questions. */
  readonly own: Asked[] = []
  readonly children: ChildCall[] = []
  /** The most sub-agents that waited for an answer at the same time. */
  most = 0
  url = ''
  readonly #parent: (asked: Asked) => Turn
  readonly #turns: Record<string, Turn[]>
  #now = 0
  #meeting: { left: number; met: PromiseWithResolvers<void> } | null = null

  private constructor(parent: Parent, turns: Record<string, Turn[]>) {
    const left = typeof parent === 'function' ? [] : [...parent]
    this.#parent = typeof parent === 'function' ? parent : () => left.shift() ?? over
    this.#turns = turns
  }

  static async start(parent: Parent, turns: Record<string, Turn[]>): Promise<AnsweringModel> {
    const model = new AnsweringModel(parent, turns)
    const server = createServer((request, response) => void model.#answer(request, response))
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

  of(agent: string): Asked[] {
    return this.children.flatMap((child) => (child.agent === agent ? [child.asked] : []))
  }

  /** Answers the first `count` calls of sub-agents only when all of them have arrived. */
  meet(count: number): void {
    this.#meeting = { left: count, met: Promise.withResolvers<void>() }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as Asked
    const agent = request.headers[AGENT_HEADER]
    if (typeof agent !== 'string') {
      this.own.push(asked)
      return answerWith(this.#parent(asked), request, response)
    }
    this.children.push({ agent, step: String(request.headers[STEP_HEADER]), asked })
    this.#now += 1
    this.most = Math.max(this.most, this.#now)
    await this.#meet()
    this.#now -= 1
    const step = String(request.headers[STEP_HEADER])
    const number = Number(/-(\d+)\./.exec(step)?.[1] ?? 1)
    // A handover is a turn of its own: the step after it begins a fresh conversation.
    const handedOver = number > 1 && asked.messages.length === 2 && !step.endsWith('.h') ? 1 : 0
    answerWith(this.#turns[agent]?.[number - 1 + handedOver] ?? over, request, response)
  }

  async #meet(): Promise<void> {
    const meeting = this.#meeting
    if (!meeting) return
    meeting.left -= 1
    if (meeting.left <= 0) {
      this.#meeting = null
      meeting.met.resolve()
    }
    await meeting.met.promise
  }
}

const over: Turn = { status: 500, body: JSON.stringify({ error: { message: 'the script is over' } }) }
