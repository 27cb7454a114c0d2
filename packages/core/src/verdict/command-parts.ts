import type { DigestTool } from '../digest/digest-tool.ts'
import { digestTools } from '../digest/tools.ts'
import { endsAtFirst } from './first-failure.ts'
import { meaningOf, type NamedCommands } from './named-commands.ts'

/** Scripts may name scripts that name scripts: deeper ones are not followed. */
const MOST_DEPTH = 3
const MOST_PARTS = 40
/** The limit for pieces of all scripts together: if each names the next forty times, not all are followed. */
const MOST_PIECES = 500
const TESTS = /(?:^|[^a-z])(?:test|tests|spec|check|verify|e2e)(?:[^a-z]|$)/i
/** A shell's own commands, whatever their arguments. */
const SHELL =
  /^(?:cd|pushd|popd|export|unset|set|source|\.|echo|printf|mkdir|rm|cp|mv|test|\[|\[\[|true|false|:|exit)(?:\s|$)/
const VARIABLES = /^(?:\w+=\S*\s+)+/

export type CommandPart = {
  words: string
  /** The runner of tests; null: unknown. */
  runner: string | null
  /** Parts with the same number run one after the other, until one fails. */
  chain: number
  /** It is the first of its chain, so nothing keeps it from running. */
  begins: boolean
}

/**
 * The tests of a command line with several commands, and whether another command can keep them from running, as in
 * `tsc && vitest run`. Scripts of `package.json`, targets of a Makefile and shell scripts are followed.
 */
export function testParts(command: string, named: NamedCommands): CommandPart[] {
  let chain = 0
  return partsOf(command, named, { depth: 0, pieces: { left: MOST_PIECES } }).flatMap(({ words, conditional }) => {
    if (!conditional) chain += 1
    const runner = runnerOf(words)?.tool.name ?? null
    return runner !== null || isTest(words) ? [{ words, runner, chain, begins: !conditional }] : []
  })
}

const isTest = (words: string): boolean => {
  const plain = words.replace(VARIABLES, '')
  return !SHELL.test(plain) && TESTS.test(plain) && !isNoTest(plain)
}

/** The runner of tests in these words, and its place. */
function runnerOf(words: string): { tool: DigestTool; at: number } | null {
  for (const tool of digestTools) {
    if (tool.type !== 'test' || tool.wraps === true || tool.watches === true) continue
    const found = tool.command?.exec(words)
    if (found) return { tool, at: found.index }
  }
  return null
}

/** The first runner of tests that a command starts, by its words or those of its scripts; null: none is named. */
export const runnerNamed = (command: string, named: NamedCommands): string | null =>
  testParts(command, named).find(({ runner }) => runner !== null)?.runner ?? null

/** "ruff check ." is no test. */
const isNoTest = (words: string): boolean =>
  digestTools.some(({ type, command }) => type === 'lint' && command?.test(words))

/** `conditional`: it only runs if the part before it succeeds. */
type Part = { words: string; conditional: boolean }

function partsOf(
  command: string,
  named: NamedCommands,
  within: { depth: number; pieces: { left: number } },
  outer = false,
): Part[] {
  const { depth, pieces: open } = within
  const pieces = command.slice(0, 10_000).split(/(&&|\|\|?|;|\n)/, 2 * MOST_PARTS)
  const parts: Part[] = []
  let conditional = outer
  for (const [at, piece] of pieces.entries()) {
    if (at % 2 === 1) {
      // After `|| exit` or `|| true`, that decides whether the next part runs, not the part before it.
      if (piece !== '||') conditional = outer || piece === '&&'
      continue
    }
    if (parts.length >= MOST_PARTS || open.left <= 0) break
    open.left -= 1
    const words = piece.trim()
    const orElse = pieces[at - 1] === '||'
    if (orElse && /^(?:exit|return)(?:\s|$)/.test(words) && pieces[at + 1] !== undefined) pieces[at + 1] = '&&'
    else if (orElse && /^(?:true|:)$/.test(words) && pieces[at + 1] === '&&') pieces[at + 1] = ';'
    if (words === '') continue
    const meaning = depth < MOST_DEPTH ? meaningOf(words, named) : null
    parts.push(
      ...(meaning !== null
        ? partsOf(meaning, named, { ...within, depth: depth + 1 }, conditional)
        : [{ words, conditional }]),
    )
  }
  return parts.slice(0, MOST_PARTS)
}

/**
 * Whether a failed command may have ended before its last tests. It did not if their runner was seen, and no earlier
 * part has the same runner.
 *
 * @param seen runners in its output
 */
export function mayHaveStopped(parts: readonly CommandPart[], seen: readonly string[]): boolean {
  if (parts.some(({ words }) => endsAtFirst(words, runnerIn(words)))) return true
  const last = parts.filter((part, at) => parts[at + 1]?.chain !== part.chain)
  return last.some(({ runner, begins }) => {
    if (begins) return false
    // With a single part, any runner in the output is its own.
    if (parts.length === 1) return runner === null ? seen.length === 0 : !seen.includes(runner)
    return runner === null || !seen.includes(runner) || parts.filter((part) => part.runner === runner).length > 1
  })
}

function runnerIn(words: string): { name: string; at: number } | null {
  const found = runnerOf(words)
  return found && { name: found.tool.name, at: found.at }
}
