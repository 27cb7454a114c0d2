import { patchLines, type ChangedFile } from './patch.ts'

/*
 * Files that say what "run the tests" means. A command there is weakened when it can no longer fail, no longer does
 * anything, or begins to leave tests out.
 */

const scriptFile =
  /(?:^|\/)(?:package\.json|composer\.json|beadloom\.json|GNUmakefile|[Mm]akefile|[^/]*\.mk|[Jj]ustfile|Taskfile\.ya?ml|tox\.ini|noxfile\.py|Rakefile|build\.gradle(?:\.kts)?|pom\.xml)$|(?:^|\/)[^/]*(?:test|check|verify|ci)[^/]*\.sh$/
const runnerSettings =
  /(?:^|\/)(?:(?:vitest|vite|jest|playwright|cypress|ava|karma)\.(?:config|conf|workspace)\.[cm]?[jt]s|jest\.config\.json|\.mocharc(?:\.\w+)?|pytest\.ini|setup\.cfg|tox\.ini|pyproject\.toml|conftest\.py|package\.json|beadloom\.json)$/

const testing =
  /(?:^|\W)(?:test|tests|check|verify|vitest|jest|mocha|ava|playwright|cypress|pytest|unittest|tox|nose2|rspec|phpunit|ctest|bats|tsc|eslint|lint)(?:$|[^\w-])/

/** It succeeds, whatever the command finds. */
const cannotFail =
  /\|\| ?(?:true|:|exit 0) ?(?:["',)\]};&\\]|$)|\|\| ?echo\b[^|&;"]*(?:"|$)|(?:;|[^&]&) ?(?:true|:|exit 0) ?(?:["')\]}]|$)/
const nothing = /^\s*[@-]?\s*(?:true|:|exit\s+0|echo\b[^|&;]*|)\s*;?\s*$/
const leavesOut =
  /--passWithNoTests|--pass-with-no-tests|passWithNoTests|testPathIgnorePatterns|collect_ignore|--deselect|--ignore(?:-glob)?[=\s]|--testPathIgnorePatterns|--exclude[=\s]|-k\s*["'\\]*not\s|-DskipTests|maven\.test\.skip|--no-run\b|--bail\s*=?\s*0|continue-on-error/

const jsonEntry = /^\s*"([^"\\]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)"/
const testScript = /^(?:test|tests|check|verify|lint|typecheck|build|command|setup|ci)(?:[:_-].*)?$/

export const definesTests = (path: string): boolean => scriptFile.test(path) || runnerSettings.test(path)

/** Sentences about test commands that a change to one file weakened; `name` is the file's name in them. */
export function weakenedCommands({ path, status, patch }: ChangedFile, name: string): string[] {
  if (status === 'D' || !definesTests(path)) return []
  const lines = patchLines(patch)
  const removed = lines.filter(({ sign }) => sign === '-').map(({ plain }) => plain)
  const added = lines.filter(({ sign }) => sign === '+').map(({ plain }) => plain)
  const found: string[] = []
  if (runnerSettings.test(path)) {
    const before = new Set(removed.flatMap((line) => leavesOut.exec(line)?.[0] ?? []))
    const option = added.map((line) => leavesOut.exec(line)?.[0]).find((word) => word && !before.has(word))
    if (option) found.push(`${name} leaves tests out (${option.trim()})`)
  }
  if (!scriptFile.test(path)) return found
  const weak = path.endsWith('.json') ? weakEntry(removed, added) : weakRecipe(path, removed, added)
  if (weak !== null) found.push(`${name}: ${weak}`)
  return found
}

function weakEntry(removed: readonly string[], added: readonly string[]): string | null {
  const before = entries(removed)
  const after = entries(added)
  for (const [name, old] of before) {
    if (!testScript.test(name) || nothing.test(old)) continue
    const now = after.get(name)
    if (now === undefined) {
      if (name === 'test') return 'the command "test" was removed'
    } else if (nothing.test(now)) return `the command "${name}" no longer does anything`
    else if (cannotFail.test(now) && !cannotFail.test(old)) return `the command "${name}" can no longer fail`
  }
  return null
}

function entries(lines: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = jsonEntry.exec(line) ?? []
    if (name !== undefined && value !== undefined) found.set(name, value)
  }
  return found
}

function weakRecipe(path: string, removed: readonly string[], added: readonly string[]): string | null {
  const code = (line: string) => !/^\s*(?:#|\/\/)/.test(line)
  const before = removed.filter((line) => code(line) && testing.test(line))
  const fails = (line: string) => !cannotFail.test(line) && !(/[Mm]akefile$|\.mk$/.test(path) && line.startsWith('-'))
  const runs = added.filter((line) => code(line) && testing.test(line))
  if (before.some(fails) && runs.some((line) => !fails(line))) return 'the test command can no longer fail'
  const emptied = added.some((line) => line.trim() !== '' && nothing.test(line))
  return before.some(fails) && runs.length === 0 && emptied ? 'the test command no longer does anything' : null
}
