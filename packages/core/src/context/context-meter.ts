import { percentOf } from './token-tracker.ts'

/** Characters of a token in English text and code with the usual tokenizers; used until a model has counted. */
export const CHARACTERS_PER_TOKEN = 4
/** A model that counts more tokens than characters counts something else as well. */
const FEWEST_CHARACTERS = 1

/** A model's count for one call. `reasoning` is the part of `output` that is not sent back to the model. */
export type CallUse = { input: number; output: number; reasoning?: number }

/**
 * The usage of a model's window. The model counts the last call; later additions are estimated from their characters,
 * with the model's ratio so far.
 */
export class ContextMeter {
  #window: number
  #tokens = 0
  #characters = 0
  #perToken = CHARACTERS_PER_TOKEN

  /** @param window in tokens, for question and answer together */
  constructor(window: number) {
    this.#window = window
  }

  get window(): number {
    return this.#window
  }

  /**
   * Notes an answered call.
   *
   * @param use null: the model did not count
   * @param asked characters of its question, with tools
   * @param answered characters of its answer
   */
  heard(use: CallUse | null, asked: number, answered: number): void {
    const { input, output, reasoning = 0 } = use ?? { input: this.used(asked), output: answered / this.#perToken }
    if (use && input > 0) this.#perToken = Math.min(CHARACTERS_PER_TOKEN, Math.max(FEWEST_CHARACTERS, asked / input))
    this.#tokens = input + Math.max(0, output - reasoning)
    this.#characters = asked + answered
  }

  /** Tokens of a question of this many characters, with tools. */
  used(characters: number): number {
    return Math.max(0, Math.round(this.#tokens + (characters - this.#characters) / this.#perToken))
  }

  /** 0 if the window is not known. */
  percent(characters: number): number {
    return percentOf(this.used(characters), this.#window)
  }

  /**
   * The model refused a question of this many characters as too long: its window is smaller than assumed.
   *
   * @param said the window in the model's own words; null: it named none
   */
  tooLong(characters: number, said: number | null): void {
    this.#window = Math.max(1, Math.min(this.#window, said ?? this.used(characters)))
  }

  /** Starts a new conversation; knowledge about the model stays. */
  begin(): void {
    this.#tokens = 0
    this.#characters = 0
  }
}

/** The number in a model's sentence that its question was too long ("maximum context length is 8192 tokens"); null: none. */
export function windowIn(sentence: string): number | null {
  const found = SAID_AFTER.exec(sentence) ?? SAID_BEFORE.exec(sentence)
  const tokens = Number(found?.[1]?.replaceAll(/[,_]/g, ''))
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null
}

const SAID_AFTER = /(?:context (?:length|window|size|limit)|n_ctx|maximum)\D{0,40}?(\d[\d,_]{2,11})/i
const SAID_BEFORE = /> ?(\d[\d,_]{2,11}) (?:tokens )?(?:maximum|limit)/i
