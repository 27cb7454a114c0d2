import { findBlocked } from '@beadloom/core/bead/blocked.ts'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import { durationText } from '@beadloom/core/text/duration.ts'
import type { EventWriter } from '../output/event-writer.ts'
import { whyStopped, type SessionDeps } from '../commands/session-deps.ts'
import { BlockedWatch } from './blocked-watch.ts'

/** The end of an agent; `text` is a sentence for people, `reason` as in `resultReasons`. */
export type AgentEnd = {
  outcome: 'success' | 'failed' | 'turn_limit'
  reason?: ResultReason | undefined
  text: string
  exitCode: number | null
}

/** The agent's own text on its way to the record. Remembers the last reason it gave for being blocked. */
export class AgentVoice {
  #writer: EventWriter
  #watch: BlockedWatch
  #blocked: string | null = null
  readonly graceMs: number

  /** @param graceMs the longest stay of the agent without further work after it has said BLOCKED */
  constructor({ writer, clock }: Pick<SessionDeps, 'writer' | 'clock'>, graceMs: number) {
    this.#writer = writer
    this.graceMs = graceMs
    this.#watch = new BlockedWatch(writer, clock, graceMs)
  }

  get blocked(): string | null {
    return this.#blocked
  }

  /** Aborts when the agent has said BLOCKED and stays too long. */
  get enough(): AbortSignal {
    return this.#watch.enough
  }

  /** Call it when the agent has ended. */
  end(): void {
    this.#watch.end()
  }

  /** `whole`: a complete message in a known format, not part of a longer text. */
  async say(text: string, _whole = false): Promise<void> {
    const reason = text.includes('BLOCKED:') ? findBlocked([text]) : null
    if (reason !== null) {
      this.#blocked = reason
      this.#watch.said()
    }
    await this.#writer.write({ type: 'message', text })
  }
}

/** The end of a stopped agent: we stopped it for a reason of the session, or because it stayed after BLOCKED. */
export function stoppedEnd(deps: SessionDeps, voice: AgentVoice, exitCode: number | null = null): AgentEnd {
  const stayed = voice.enough.aborted && !deps.stop.aborted && !deps.writer.overflow.aborted
  if (!stayed) return { outcome: 'failed', ...whyStopped(deps, 'the agent'), exitCode }
  const text = `the agent said that it is blocked and stayed for ${durationText(voice.graceMs)} without further work, so it was stopped`
  return { outcome: 'failed', text, exitCode }
}
