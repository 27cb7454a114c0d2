import type { Json } from '@beadloom/core/agents/json.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { AgentNews, Translator } from '@beadloom/core/agents/preset.ts'
import { presets } from '@beadloom/core/agents/presets.ts'
import type { AgentVoice } from '../ends/agent-end.ts'
import { NewsRecord, type NewsDeps, type Over } from './news-record.ts'
import { recordOutput } from '../commands/session-deps.ts'
import type { OnOutput } from '../commands/run-command.ts'

/** A longer line is data, not the agent speaking. */
const MAX_SPOKEN_LINE = 16 * 1024
/** Longer lines of JSON are not parsed; a tool result with a whole file still fits. */
const MAX_JSON_LINE = 4 * 1024 * 1024

type Part = { kind: 'message' | 'output'; text: string } | { kind: 'news'; news: AgentNews[]; raw: string | null }

/**
 * Sorts the output of a command line. JSON lines of a known agent are translated; everything else is plain output. But
 * if the command line never speaks JSON, its stdout is the agent speaking, line by line.
 */
export class AgentOutput {
  #voice: AgentVoice
  #record: OnOutput
  #news: NewsRecord
  #rest: string[] = []
  #restLength = 0
  #restIsData = false
  /** Null while unknown, maybe for ever. */
  #translate: Translator | null
  #speaksJson: boolean

  /** Without a translator, the first line that a known agent could have written decides which agent it is. */
  constructor(
    deps: NewsDeps,
    voice: AgentVoice,
    onOver: (over: Over | null) => void,
    translate: Translator | null = null,
  ) {
    this.#voice = voice
    this.#record = recordOutput(deps)
    this.#news = new NewsRecord(deps, voice, onOver)
    this.#translate = translate
    this.#speaksJson = translate !== null
  }

  readonly take: OnOutput = async (stream, text) => {
    if (stream === 'stderr') return this.#record(stream, text)
    await this.#pass(this.#sort(text))
  }

  /** Takes the last line too, which may have no line end. */
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
      if (last && last.kind !== 'news' && last.kind === part.kind) last.text += part.text
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
    const meaning = this.#understand(line)
    if (meaning === null)
      return { kind: this.#speaksJson || line.length > MAX_SPOKEN_LINE ? 'output' : 'message', text: line }
    this.#speaksJson = true
    return meaning === 'repeats' ? { kind: 'news', news: [], raw: null } : { kind: 'news', news: meaning, raw: line }
  }

  #understand(line: string): ReturnType<Translator> {
    const json = line.startsWith('{') ? parse(line) : null
    if (json === null) return null
    if (this.#translate) return this.#translate(json)
    for (const { translator } of Object.values(presets)) {
      const translate = translator()
      const meaning = translate(json)
      if (meaning === null) continue
      this.#translate = translate
      return meaning
    }
    return null
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
    for (const part of parts) {
      if (part.kind === 'news') await this.#news.take(part.news, part.raw)
      else if (part.text === '') continue
      else await (part.kind === 'message' ? this.#voice.say(part.text) : this.#record('stdout', part.text))
    }
  }
}

function parse(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
