import { applySgr, plainStyle, sgrOf } from '@beadloom/core/text/sgr.ts'
import type { Style } from '@beadloom/core/text/sgr.ts'

const BRACKET = 0x5b
const M = 0x6d
/** Digits, `:` and `;` are next to each other in ASCII. */
const FIRST = 0x30
const LAST = 0x3b
/** Parameters of at most so many bytes (`38;5;20`) fit into a small number; longer ones are read as text each time. */
const SHORT = 7
/** The most styles remembered, and the most steps from each. Only a program that draws pictures uses more. */
const KNOWN = 512

/** A style, and the style that each sequence of parameters leads to from it. Equal styles are one object. */
type Known = { style: Style; steps: Map<number, Known> }

/**
 * `foldSgr` over bytes, for every escape of a log while it is recorded. Programs use few styles and few sequences, so
 * each step is computed once and then looked up.
 */
export class StyleFold {
  readonly #known = new Map<string, Known>()
  #now: Known

  constructor(style: Style = plainStyle) {
    this.#now = this.#knownOf(style)
  }

  get style(): Style {
    return this.#now.style
  }

  /** Applies the escape sequence at this place. It is whole, because no sequence crosses the end of a line. */
  escape(text: Uint8Array, at: number): void {
    if (text[at + 1] !== BRACKET) return
    const start = at + 2
    let end = start
    let key = 0
    let byte = text[end] ?? 0
    while (byte >= FIRST && byte <= LAST) {
      key = ((key << 4) | (byte - FIRST + 1)) & 0xfffffff
      end += 1
      byte = text[end] ?? 0
    }
    if (byte !== M) return
    const short = end - start <= SHORT
    const next = short ? this.#now.steps.get(key) : undefined
    this.#now = next ?? this.#step(text.subarray(start, end), short ? key : null)
  }

  #step(parameters: Uint8Array, key: number | null): Known {
    const next = this.#knownOf(applySgr(this.#now.style, Buffer.from(parameters).toString('latin1')))
    if (key !== null && this.#now.steps.size < KNOWN) this.#now.steps.set(key, next)
    return next
  }

  #knownOf(style: Style): Known {
    const name = sgrOf(style)
    const known = this.#known.get(name)
    if (known) return known
    if (this.#known.size >= KNOWN) this.#known.clear()
    const made = { style, steps: new Map<number, Known>() }
    this.#known.set(name, made)
    return made
  }
}
