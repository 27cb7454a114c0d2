import { assertNever } from '@beadloom/core/text/assert-never.ts'
import type { AgentNews } from '@beadloom/core/agents/preset.ts'
import type { AgentVoice } from '../ends/agent-end.ts'
import { OwnRecords } from './own-record.ts'
import type { SessionDeps } from '../commands/session-deps.ts'

export type Over = Pick<Extract<AgentNews, { type: 'over' }>, 'how' | 'text'>

/** The most open calls that are remembered, for an agent that never reports results. */
const MOST_OPEN_CALLS = 1000

/** `env`: the agent's environment; its own records are in its home folder. */
export type NewsDeps = Pick<SessionDeps, 'writer' | 'clock' | 'env'>

type OpenCall = { tool: string; startedAt: number }

/** Writes the meaning of an agent's lines as event lines, each followed by the original line. */
export class NewsRecord {
  #deps: NewsDeps
  #voice: AgentVoice
  #onOver: (over: Over | null) => void
  #records: OwnRecords
  #open = new Map<string, OpenCall>()

  constructor(deps: NewsDeps, voice: AgentVoice, onOver: (over: Over | null) => void) {
    this.#deps = deps
    this.#voice = voice
    this.#onOver = onOver
    this.#records = new OwnRecords(deps.env['HOME'])
  }

  /** `raw`: the line, with its end; null: not to be kept. */
  async take(news: readonly AgentNews[], raw: string | null): Promise<void> {
    for (const one of news) await this.#tell(one)
    if (raw !== null) await this.#deps.writer.write({ type: 'raw', text: raw })
  }

  async #tell(news: AgentNews): Promise<void> {
    const { writer, clock } = this.#deps
    switch (news.type) {
      case 'message':
        return this.#voice.say(news.text, true)
      case 'tool_call': {
        const { record, ...call } = news
        if (this.#open.size < MOST_OPEN_CALLS)
          this.#open.set(news.call, { tool: news.tool, startedAt: clock.monotonic() })
        const given = (record && (await this.#records.argumentsOf(record))) ?? call.arguments
        return writer.write({ ...call, arguments: given })
      }
      case 'tool_result': {
        const open = this.#open.get(news.call)
        this.#open.delete(news.call)
        const durationMs = open ? Math.round(clock.monotonic() - open.startedAt) : 0
        return writer.write({ ...news, tool: open?.tool ?? 'tool', durationMs })
      }
      case 'usage':
        return writer.write({ ...news, model: news.model ?? '' })
      case 'warning':
        return writer.write(news)
      case 'over':
        return this.#onOver(news)
      case 'resumed':
        return this.#onOver(null)
      default:
        return assertNever(news)
    }
  }
}
