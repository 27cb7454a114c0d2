import { runProgram, runScript, type PackageManager } from './package-manager.ts'
import { isLinter, isRunner } from './runners.ts'
import { calledScripts, isPattern, scriptParts } from './script-parts.ts'

/*
 * A script that does several things stops at its first failure: if a linter finds something, no test runs, and if one
 * runner's test fails, the next runner does not start. Taken apart, each reports its own result.
 */

export type TakenApart = { test: string; lints: string[] }

type Piece = { command: string; kind: 'lint' | 'runner' | 'other'; lines: readonly string[] }

const MOST_PIECES = 12
const MOST_DEPTH = 3

/** Null: the script does not need it, or only a shell understands it. */
export function takenApart(
  scripts: ReadonlyMap<string, string>,
  name: string,
  manager: PackageManager,
): TakenApart | null {
  const all = allPieces(scripts, name, manager)
  if (all === null) return null
  const first = all.findIndex(({ kind }) => kind === 'lint')
  const hidesTests = first !== -1 && first < all.findLastIndex(({ kind }) => kind === 'runner')
  return hidesTests || all.filter(({ kind }) => kind === 'runner').length > 1 ? apartOf(all) : null
}

/** As above, without the parts that have a line for which `isLeft` holds. Null: as above, or no test remains. */
export function takenApartWithout(
  scripts: ReadonlyMap<string, string>,
  name: string,
  manager: PackageManager,
  isLeft: (line: string) => boolean,
): TakenApart | null {
  const all = allPieces(scripts, name, manager)?.filter(({ lines }) => !lines.some(isLeft)) ?? []
  return all.some(({ kind }) => kind === 'runner') ? apartOf(all) : null
}

const apartOf = (all: readonly Piece[]): TakenApart => ({
  test: toTheEnd(all.filter(({ kind }) => kind !== 'lint')),
  lints: [...new Set(all.filter(({ kind }) => kind === 'lint').map(({ command }) => command))],
})

/** The script's pieces, with those that a package manager runs before and after it. */
function allPieces(scripts: ReadonlyMap<string, string>, name: string, manager: PackageManager): Piece[] | null {
  const pieces = [`pre${name}`, name, `post${name}`].map((one) => piecesOf(scripts, one, manager))
  if (pieces.includes(null) || pieces[1]?.length === 0) return null
  const all = pieces.flatMap((one) => one ?? [])
  return all.length > MOST_PIECES ? null : all
}

/** Runs each runner with the pieces before it, whether or not another runner fails. */
function toTheEnd(pieces: readonly Piece[]): string {
  const groups: string[][] = [[]]
  for (const { command, kind } of pieces) {
    groups.at(-1)!.push(command)
    if (kind === 'runner') groups.push([])
  }
  const lines = groups.filter((group) => group.length > 0).map((group) => group.join(' && '))
  return eachOf(lines)
}

/** Runs all of them, even after one has failed. */
export function eachOf(lines: readonly string[]): string {
  const [only = '', ...more] = lines
  return more.length === 0
    ? only
    : `failed=; ${lines.map((line) => `{ ${line}; } || failed=1; `).join('')}[ -z "$failed" ]`
}

/** Words of a shell other than `&&`; a script with these is not taken apart. */
const SHELL = /\|\||[;|`\n\\]|\$\(|(?<!&)&(?!&)|^\s*(?:cd|pushd|export|set)\s|&&\s*(?:cd|pushd|export|set)\s/

function piecesOf(
  scripts: ReadonlyMap<string, string>,
  name: string,
  manager: PackageManager,
  depth = 0,
): Piece[] | null {
  const text = scripts.get(name)
  if (text === undefined) return []
  const parts = text.split('&&').map((part) => part.trim())
  const plain = parts.filter((part) => !isPattern(part)).join(' && ')
  if (SHELL.test(plain) || parts.some((part) => part === '' || hasOpenQuote(part))) return null
  const pieces = parts.flatMap((part): (Piece | null)[] => {
    const called = calledScripts(part, scripts)
    if (called.length === 0) return [pieceOf(commandOf(part, manager), [], scriptParts(new Map([['', part]]), ''))]
    const whole = pieceOf(
      commandOf(part, manager),
      called,
      called.flatMap((one) => scriptParts(scripts, one)),
    )
    if (whole.lines.length < 2 || whole.kind === 'lint' || /\s--\s/.test(part) || depth === MOST_DEPTH) return [whole]
    const each = called.map((one) => {
      const all = pieceOf(runScript(manager, one), [one], scriptParts(scripts, one))
      const inner = all.lines.length < 2 || all.kind === 'lint' ? null : piecesOf(scripts, one, manager, depth + 1)
      return inner?.some(({ kind }) => kind === 'lint') ? inner : [all]
    })
    const isApart = called.length > 1 || each.some((inner) => inner.length > 1)
    return isApart ? each.flat() : [whole]
  })
  return pieces.includes(null) ? null : (pieces as Piece[])
}

/** Names of scripts that test nothing, whatever they run. */
const LINT_NAME = /^(?!.*build)(?:.*[:-])?(?:lint|types?|dts|check|typecheck|tsc|format|fmt|style|spell)(?:[:-]|$)/

function pieceOf(command: string, called: readonly string[], parts: readonly { line: string }[]): Piece {
  const lines = parts.map(({ line }) => line)
  const tests = lines.some((line) => isRunner(line) && !isLinter(line))
  const isNamed = called.length > 0 && called.every((one) => LINT_NAME.test(one))
  const lints = !tests && lines.length > 0 && (isNamed || lines.every(isLinter))
  return { command, kind: lints ? 'lint' : tests ? 'runner' : 'other', lines }
}

const hasOpenQuote = (part: string): boolean => ['"', "'"].some((quote) => (part.split(quote).length - 1) % 2 === 1)

/** Programs that come with the system, and files that are started by their paths. */
const SYSTEM =
  /^(?:node|npx|npm|pnpm|yarn|bunx?|deno|sh|bash|test|echo|printf|true|false|rm|rmdir|mkdir|cp|mv|ln|cat|touch|chmod|find|ls|sed|awk|grep|env|sleep|time|git|make|tar|gzip|unzip|curl|python3?|go|cargo|docker|diff)(?:\s|$)|^[./]/

/** Scripts find the programs of dependencies by name; a command does not. */
function commandOf(part: string, manager: PackageManager): string {
  const [variables = ''] = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"]*) )*/.exec(part) ?? []
  const line = part.slice(variables.length)
  return SYSTEM.test(line) ? part : `${variables}${runProgram(manager, line)}`
}
