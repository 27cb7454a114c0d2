import hljs from 'highlight.js/lib/core'
import type { Emitter } from 'highlight.js'
import { grammars } from './grammars.ts'
import { RunWriter, scopeNumber, type Runs } from './runs.ts'

const PLAIN = -1

/**
 * Collects pieces of text, where the library's own emitter writes HTML: no markup is made from a repository's content.
 */
class RunEmitter implements Emitter {
  readonly pieces: [text: string, scope: number][] = []
  #open: number[] = []

  addText(text: string): void {
    if (text !== '') this.pieces.push([text, this.#open.at(-1) ?? PLAIN])
  }
  startScope(scope: string): void {
    this.#open.push(scopeNumber(scope, this.#open.at(-1) ?? PLAIN))
  }
  endScope(): void {
    this.#open.pop()
  }
  openNode(scope: string): void {
    this.startScope(scope)
  }
  closeNode(): void {
    this.endScope()
  }
  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof RunEmitter) this.pieces.push(...emitter.pieces)
  }
  finalize(): void {}
  toHTML(): string {
    return ''
  }
}

for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar)
hljs.configure({ __emitter: RunEmitter })

/** The runs of each line of code; null if the language is unknown. */
export function colour(language: string, code: string): Runs[] | null {
  if (hljs.getLanguage(language) === undefined) return null
  const { _emitter: emitter } = hljs.highlight(code, { language, ignoreIllegals: true })
  const writer = new RunWriter()
  if (emitter instanceof RunEmitter) for (const [text, scope] of emitter.pieces) writer.add(text, scope)
  return writer.lines
}
