import { chosenIn } from './runners.ts'

/*
 * The commands that a package's script runs in the end, with the package's other scripts resolved.
 */

/** `line` has no variables before it. `script` is the script of the package that contains it. */
export type Part = { line: string; script: string }

const MOST_DEPTH = 5
const MOST_PARTS = 50
const LONGEST_SCRIPT = 4000

/** Empty if there is no such script. */
export function scriptParts(scripts: ReadonlyMap<string, string>, name: string, depth = 0): Part[] {
  const text = scripts.get(name)
  if (text === undefined || text.length > LONGEST_SCRIPT) return []
  return linesIn(text)
    .flatMap((line): Part[] => {
      const called = depth < MOST_DEPTH ? calledScripts(line, scripts) : []
      const parts = called.flatMap((one) => (one === name ? [] : scriptParts(scripts, one, depth + 1)))
      return parts.length > 0 ? parts : [{ line, script: name }]
    })
    .slice(0, MOST_PARTS)
}

/** Does not look into quotes: a text that is cut in the middle looks like no known command. */
export const linesIn = (script: string): string[] =>
  script
    .split(/&&|\|\||;/)
    .map((line) => withoutVariables(line.trim()))
    .filter((line) => line !== '')

const BEFORE =
  /^(?:(?:npx )?(?:cross-env|cross-env-shell|env|dotenv)(?: -\S{0,100})* |[A-Za-z_]\w{0,60}=\S{0,300} |-- )/

function withoutVariables(line: string): string {
  let rest = line
  for (let n = 0; n < 20 && BEFORE.test(rest); n++) rest = rest.replace(BEFORE, '').trimStart()
  return rest
}

const CALL = /^(npm|pnpm|yarn|bun)(?: -s| --silent)?( run| run-script)?(?: -s| --silent)? ([\w:.@/-]{1,100})(?: |$)/
const SEVERAL = /^(?:npx )?(?:npm-run-all2?|run-s|run-p|concurrently|conc)\b(.{0,1000})$/

/** pnpm runs every script that matches: `pnpm run '/^(test:unit|test:types)$/'`, `pnpm run "/^build:/"`. */
const OF_PNPM = /^pnpm (?:-\S{1,40} ){0,5}run(?: --?\S{1,40}){0,5} ["']?\/([^/\s"']{1,200})\/["']?$/

export const isPattern = (line: string): boolean => OF_PNPM.test(line)

/** Finds the scripts for a pattern that is made of names, or of beginnings of names; for any other pattern, none. */
function matching(pattern: string, names: readonly string[]): string[] {
  const [, start, inside = '', end] = /^(\^)?\(?(?:\?:)?([\w:|-]{1,200})\)?(\$|\.[*+]\$?)?$/.exec(pattern) ?? []
  const words = inside.split('|').filter(Boolean)
  return names.filter((name) =>
    words.some((word) =>
      start === undefined ? name.includes(word) : end === '$' ? name === word : name.startsWith(word),
    ),
  )
}

/** The package's own scripts that a line runs, if it does nothing else. */
export function calledScripts(line: string, scripts: ReadonlyMap<string, string>): string[] {
  // The line runs a script of a workspace.
  if (chosenIn(line).length > 0) return []
  const pattern = OF_PNPM.exec(line)?.[1]
  if (pattern !== undefined) return matching(pattern, [...scripts.keys()])
  const [, program, run, name = ''] = CALL.exec(line) ?? []
  // `bun test` is Bun's own runner.
  const isCall = run !== undefined || (program === 'npm' ? name === 'test' || name === 't' : program !== 'bun')
  if (program !== undefined && isCall) {
    const script = name === 't' ? 'test' : name
    return scripts.has(script) ? [script] : []
  }
  const words = SEVERAL.exec(line)?.[1]
  if (words === undefined) return []
  return words
    .replaceAll(/["']|\b(?:npm|pnpm|yarn|bun)(?: run|:)\s?/g, ' ')
    .split(/\s+/)
    .flatMap((word) => {
      if (scripts.has(word)) return [word]
      const start = /^([\w:-]{1,100}):\*{1,2}$/.exec(word)?.[1]
      return start === undefined ? [] : [...scripts.keys()].filter((one) => one.startsWith(`${start}:`))
    })
}
