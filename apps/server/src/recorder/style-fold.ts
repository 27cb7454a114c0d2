import { applySgr, plainStyle } from '@beadloom/core/sgr.ts'
import type { Style } from '@beadloom/core/sgr.ts'

const BRACKET = 0x5b
const M = 0x6d
/** Digits, `:` and `;` lie next to each other. */
const FIRST = 0x30
const LAST = 0x3b
/** Longer parameters than these bytes (`38;5;208`) are rare enough to be read as text each time. */
const SHORT = 8
/** Styles that are remembered with where they lead: a program that uses more of them than this draws pictures. */
const KNOWN = 256

/**
 * `foldSgr` over bytes, for every escape of a log while it is recorded: programs use few styles and few sequences, so
 * where one leads from the other is looked up.
 */
export class StyleFold {
  #style: Style
  #known = new Map<Style, Map<number | string, Style>>()
  #next: Map<number | string, Style>

  constructor(style: Style = plainStyle) {
    this.#style = style
    this.#next = this.#stepsOf(style)
  }

  get style(): Style {
    return this.#style
  }

  /** What the escape at this place means for the style. Its sequence is whole: none goes over the end of a line. */
  escape(text: Uint8Array, at: number): void {
    if (text[at + 1] !== BRACKET) return
    const start = at + 2
    let end = start
    let key = 0
    let byte = text[end] ?? 0
    while (byte >= FIRST && byte <= LAST) {
      key = key * 16 + (byte - FIRST) + 1
      byte = text[++end] ?? 0
    }
    if (byte !== M) return
    const parameters = () => Buffer.from(text.subarray(start, end)).toString('latin1')
    this.#go(end - start <= SHORT ? key : parameters(), parameters)
  }

  #go(key: number | string, parameters: () => string): void {
    let style = this.#next.get(key)
    if (!style) {
      style = applySgr(this.#style, parameters())
      if (this.#next.size < KNOWN) this.#next.set(key, style)
    }
    if (style === this.#style) return
    this.#style = style
    this.#next = this.#stepsOf(style)
  }

  #stepsOf(style: Style): Map<number | string, Style> {
    const known = this.#known.get(style)
    if (known) return known
    if (this.#known.size >= KNOWN) this.#known.clear()
    const steps = new Map<number | string, Style>()
    this.#known.set(style, steps)
    return steps
  }
}
