import type { AgentVoice } from './agent-end.ts'
import { recognise } from './agent-formats.ts'
import type { OnOutput } from './run-command.ts'

/** A longer line is data and not the agent speaking. */
const MAX_SPOKEN_LINE = 16 * 1024
/** Longer lines of JSON are not looked into; tool results of a whole file still fit. */
const MAX_JSON_LINE = 4 * 1024 * 1024

type Part = { kind: 'message' | 'output'; text: string }

/**
 * Sorts what a command line prints: its stdout is the agent speaking, line by line. As soon as a line in a known JSON
 * format comes, only the assistant's text in that format is, and everything else is output.
 */
export class AgentOutput {
  #voice: AgentVoice
  #record: OnOutput
  #onOver: (how: 'success' | 'failed') => void
  #rest: string[] = []
  #restLength = 0
  #restIsData = false
  #speaksJson = false

  constructor(voice: AgentVoice, record: OnOutput, onOver: (how: 'success' | 'failed') => void) {
    this.#voice = voice
    this.#record = record
    this.#onOver = onOver
  }

  readonly take: OnOutput = async (stream, text) => {
    if (stream === 'stderr') return this.#record(stream, text)
    await this.#pass(this.#sort(text))
  }

  /** The last line may have no end. */
  async end(): Promise<void> {
    if (this.#restLength > 0) await this.#pass([this.#sortLine(this.#takeRest())])
  }

  #sort(text: string): Part[] {
    const parts: Part[] = []
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = this.#takeRest() + text.slice(start, end + 1)
      start = end + 1
      const part: Part = this.#restIsData ? { kind: 'output', text: line } : this.#sortLine(line)
      this.#restIsData = false
      const last = parts.at(-1)
      if (last && last.kind === part.kind && !this.#speaksJson) last.text += part.text
      else parts.push(part)
    }
    this.#keepRest(text.slice(start))
    if (this.#restIsData || this.#restLength > MAX_JSON_LINE) {
      this.#restIsData = true
      parts.push({ kind: 'output', text: this.#takeRest() })
    }
    return parts
  }

  #sortLine(line: string): Part {
    const known = recognise(line.trimEnd())
    if (!known) return { kind: this.#speaksJson || line.length > MAX_SPOKEN_LINE ? 'output' : 'message', text: line }
    this.#speaksJson = true
    if (known.over) this.#onOver(known.over)
    if (known.repeats) return { kind: 'output', text: '' }
    return known.said === null ? { kind: 'output', text: line } : { kind: 'message', text: known.said }
  }

  #keepRest(text: string): void {
    if (!text) return
    this.#rest.push(text)
    this.#restLength += text.length
  }

  #takeRest(): string {
    const rest = this.#rest.join('')
    this.#rest = []
    this.#restLength = 0
    return rest
  }

  async #pass(parts: Part[]): Promise<void> {
    for (const { kind, text } of parts) {
      if (text === '') continue
      await (kind === 'message' ? this.#voice.say(text, this.#speaksJson) : this.#record('stdout', text))
    }
  }
}
