/** The shell that an agent starts for every command: `/bin/bash -lc '…'`. */
const SHELL = /^(?:\/\S{1,40}\/)?(?:ba|z)?sh -l?c (.+)$/s
/** A longer command is not for a line that a person reads. */
const MOST = 8192

/** An agent's command without the shell around it; unchanged if the shell's argument is not one word. */
export function innerCommand(command: string): string {
  const asked = command.length > MOST ? undefined : SHELL.exec(command)?.[1]
  if (asked === undefined) return command
  const words = wordsOf(asked, true)
  return words?.length === 1 ? words[0]! : command
}

/** A command that only looks at one file, or searches; null for every other, and for more than one command. */
export function lookOf(command: string): { is: 'read' | 'search'; what: string } | null {
  if (command.length > 300) return null
  const [program = '', ...given] = wordsOf(command, false) ?? []
  if (program === 'rg' || program === 'grep') {
    const pattern = operandsOf(given, SEARCH_VALUES)[0]
    return pattern === undefined ? null : { is: 'search', what: pattern }
  }
  const [first, second, ...more] = operandsOf(given, program === 'sed' ? [] : LINE_VALUES)
  if (first === undefined || more.length > 0) return null
  if (program === 'sed')
    return given[0] === '-n' && /^[\d,$]+p$/.test(first) && second !== undefined ? { is: 'read', what: second } : null
  return second === undefined && READERS.has(program) ? { is: 'read', what: first } : null
}

const READERS = new Set(['cat', 'head', 'tail', 'nl', 'less', 'bat'])
/** Flags with a value of their own in the next word. */
const SEARCH_VALUES = ['-A', '-B', '-C', '-m', '-g', '-t', '--glob', '--type', '--max-count', '--include']
const LINE_VALUES = ['-n', '-c', '-b']

const operandsOf = (words: readonly string[], valued: readonly string[]): string[] =>
  words.filter((word, at) => !word.startsWith('-') && !isValue(words[at - 1], word, valued))

/** `-n 20` has a value in the next word; `cat -n FILE` does not. */
const isValue = (before: string | undefined, word: string, valued: readonly string[]): boolean =>
  before !== undefined && valued.includes(before) && (valued !== LINE_VALUES || /^\+?\d+$/.test(word))

/** Any of these characters makes a line more than one plain command. */
const MEANS_MORE = /[|&;<>$`(){}!\n\r]/

/**
 * The unquoted words of a shell line; null if it is incomplete or, unless `any`, more than one plain command. For
 * people only: nothing runs these words.
 */
function wordsOf(line: string, any: boolean): string[] | null {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < line.length; at++) {
    const one = line[at]!
    if (one === "'") {
      const end = line.indexOf("'", at + 1)
      if (end < 0) return null
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (one === '"') {
      const found = /^"((?:[^"\\]|\\[^])*)"/.exec(line.slice(at))
      if (!found || (!any && /[$`]/.test(found[1]!))) return null
      word = (word ?? '') + found[1]!.replace(/\\(["\\$`])/g, '$1')
      at += found[0].length - 1
    } else if (one === '\\' && at + 1 < line.length) word = (word ?? '') + line[++at]!
    else if (one === ' ' || one === '\t') {
      if (word !== null) words.push(word)
      word = null
    } else if (!any && MEANS_MORE.test(one)) return null
    else word = (word ?? '') + one
  }
  if (word !== null) words.push(word)
  return words
}
