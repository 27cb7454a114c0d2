import { messageOf } from '@beadloom/core/text/message-of.ts'
import { createContext, Script } from 'node:vm'
import { ToolRefusal } from './tool.ts'

/** The longest time of a pattern for a few files: a hundred times that of an ordinary one on a slow machine. */
const MAX_MATCH_MS = 2000

/** A line that matches, from 1, and the position in it where the match begins. */
export type Match = { line: number; at: number }
export type SearchText = { name: string; text: string }
/** `count`: the number of matching lines; `matches`: the first of them. */
export type Matches = SearchText & { matches: Match[]; count: number }

/** The pattern takes too long on this text. */
export class TooCostly extends Error {
  override name = 'TooCostly'
}

export type PatternOptions = { literal?: boolean | undefined; ignoreCase?: boolean | undefined }

/** Compiles a pattern. Throws a `ToolRefusal` if it is not a regular expression. */
export function patternOf(pattern: string, { literal = false, ignoreCase = false }: PatternOptions): RegExp {
  if (literal) return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ignoreCase ? 'iu' : 'u')
  // Other languages write this flag inside the pattern.
  const source = pattern.replace(/^\(\?i\)/, '')
  const flags = ignoreCase || source !== pattern ? 'i' : ''
  // The strict form first, in which a character is a character. Many patterns have needless backslashes, which it
  // refuses.
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(source, flags + unicode)
    } catch (error) {
      if (unicode === '') throw new ToolRefusal(`${messageOf(error)}; set "literal" to search for the text as it is`)
    }
  }
  throw new Error('unreachable')
}

/**
 * Finds the lines that match. A pattern can take forever (`(a+)+$`), and only V8's own watchdog can stop it inside our
 * process, so the search runs in a script with a time limit. A separate process or thread would need another file in
 * the bundle.
 */
export class LineMatcher {
  #pattern: RegExp
  #limitMs: number
  #script = new Script('search()')

  constructor(pattern: RegExp, limitMs = MAX_MATCH_MS) {
    this.#pattern = pattern
    this.#limitMs = limitMs
  }

  /**
   * Returns at most `most` matches of each text. Throws `TooCostly` with the text's name, and a `ToolRefusal` for a
   * pattern that cannot be run.
   */
  find(texts: readonly SearchText[], most: number): Matches[] {
    const found: Matches[] = []
    let current = ''
    const search = () => {
      for (const { name, text } of texts) {
        current = name
        const { matches, count } = matchesIn(text, this.#pattern, most)
        if (count > 0) found.push({ name, text, matches, count })
      }
    }
    try {
      this.#script.runInContext(createContext({ search }), { timeout: this.#limitMs })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TooCostly(current)
      throw new ToolRefusal(`the pattern cannot be used: ${messageOf(error)}`)
    }
    return found
  }
}

function matchesIn(text: string, pattern: RegExp, most: number): Pick<Matches, 'matches' | 'count'> {
  const matches: Match[] = []
  let count = 0
  for (let start = 0, line = 1; start < text.length; line++) {
    const end = text.indexOf('\n', start)
    const next = end < 0 ? text.length : end
    const found = pattern.exec(lineOf(text, start, next))
    if (found) {
      count += 1
      if (matches.length < most) matches.push({ line, at: found.index })
    }
    start = next + 1
  }
  return { matches, count }
}

const lineOf = (text: string, start: number, end: number): string =>
  text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
