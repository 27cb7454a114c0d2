import { findBlocked } from '@beadloom/core/bead/blocked.ts'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import type { EventWriter } from '../output/event-writer.ts'

/** How an agent ended; `text` is a sentence for people, `reason` as in `resultReasons`. */
export type AgentEnd = {
  outcome: 'success' | 'failed' | 'turn_limit'
  reason?: ResultReason | undefined
  text: string
  exitCode: number | null
}

/** The agent's own text on its way to the record. Remembers the last reason it gave for being blocked. */
export class AgentVoice {
  #writer: EventWriter
  #blocked: string | null = null

  constructor(writer: EventWriter) {
    this.#writer = writer
  }

  get blocked(): string | null {
    return this.#blocked
  }

  /** `whole`: a complete message in a known format, not part of a longer text. */
  async say(text: string, _whole = false): Promise<void> {
    if (text.includes('BLOCKED:')) this.#blocked = findBlocked([text]) ?? this.#blocked
    await this.#writer.write({ type: 'message', text })
  }
}
