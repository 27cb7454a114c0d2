import { commandClaim, place, toolClaim } from '../claims.ts'
import { NOT_OURS } from '../files/folders-of-others.ts'
import { linesOf } from '../formats/lines.ts'
import type { CommandClaim, Purpose, Reading } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'
import { folderOf } from '../files/repository-path.ts'

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']
const JUSTFILES = ['justfile', 'Justfile', '.justfile']
const targets = ['build', 'test', 'lint'] as const

/** Targets of a Makefile, in the order in which make looks for the file, and recipes of a justfile. */
export function make(folder: Folder): Reading | null {
  const file = MAKEFILES.find((name) => folder.has(name))
  const just = JUSTFILES.find((name) => folder.has(name))
  if (file === undefined && just === undefined) return null
  const recipes = just === undefined ? [] : recipesOf(folder, just)
  return {
    tools: recipes.flatMap(({ purpose, from }) => (purpose === 'test' ? toolClaim('just', null, from) : [])),
    commands: [...(file === undefined ? [] : targetsOf(folder, file)), ...recipes],
    techStack: [...(file === undefined ? [] : ['Make']), ...(just === undefined ? [] : ['just'])],
  }
}

/**
 * `check` is what GNU's programs call their tests. A Makefile that includes others, hands all targets on, or could not
 * be read, may have any target: the command then looks for the tests by name, as make does. `-k` continues after a
 * failed suite.
 */
function targetsOf(folder: Folder, file: string): CommandClaim[] {
  const text = folder.text(file)
  const lines = text === null ? [] : linesOf(text)
  const ruleAt = (name: string): number => lines.findIndex((line) => ruleOf(line).includes(name))
  const target = (purpose: Purpose, name: string): CommandClaim[] => {
    const at = ruleAt(name)
    return at === -1
      ? []
      : commandClaim(
          folder,
          'make',
          purpose,
          `make ${purpose === 'test' ? '-k ' : ''}${name}`,
          place(folder, file, at + 1),
          'said',
        )
  }
  // The lines with tests name the folders that they go into.
  const says = lines
    .filter((line) => /test|check|\$\(MAKE\)|make -C/i.test(line))
    .join('\n')
    .slice(0, MOST_SAID)
  const name = ruleAt('test') === -1 ? 'check' : 'test'
  const goingInto = (at: number) => {
    const into = onlyGoesInto(lines, at) ? folder.below(MAKEFILE_BELOW, MOST_BELOW) : []
    return { says, ...(into.length > 0 && { into: into.map(folderOf) }) }
  }
  const tests = target('test', name).map((claim) => ({ ...claim, ...goingInto(ruleAt(name)) }))
  const found = [...target('build', 'build'), ...tests, ...target('lint', 'lint')]
  if (tests.length > 0) return found
  const rest = ruleAt('.DEFAULT')
  if (recipeAt(lines, rest).some((line) => MAKE.test(line))) {
    const claims = commandClaim(folder, 'make', 'test', 'make -k test', place(folder, file, rest + 1))
    return [...found, ...claims.map((claim) => ({ ...claim, ...goingInto(rest) }))]
  }
  const open = text === null || lines.some((line) => /^(?:-|s)?include\s|^%\s*:|\$\(eval/.test(line))
  return open ? [...found, ...commandClaim(folder, 'make', 'test', 'make -k test', place(folder, file))] : found
}

const MOST_SAID = 10_000
const MOST_BELOW = 50
const MAKEFILE_BELOW = new RegExp(String.raw`^(?!(?:.*/)?(?:${NOT_OURS})/)(?:[^/]{1,100}/){1,3}Makefile$`, 'i')

/**
 * Whether a target only starts make in other folders, in a loop or one by one.
 *
 * @param at the line of its rule; -1: there is none
 */
function onlyGoesInto(lines: readonly string[], at: number): boolean {
  const recipe = recipeAt(lines, at).map((line) => line.replace(LOOP_BEGINS, '').replace(LOOP_ENDS, ''))
  return (
    recipe.some((line) => STARTS_MAKE.test(line)) &&
    recipe.every((line) => GOES_ON.test(line) || STARTS_MAKE.test(line))
  )
}

function recipeAt(lines: readonly string[], at: number): string[] {
  if (at === -1) return []
  const end = lines.findIndex((line, n) => n > at && !/^\t|^\s*$/.test(line))
  return lines.slice(at + 1, end === -1 ? lines.length : end).map((line) => line.replace(/^[\s@+-]+/, ''))
}

const MAKE = /\$[({]MAKE[)}]|\bmake\b/
/** A loop in one line. */
const LOOP_BEGINS = /^for [^;]{1,200}; ?do (?=.*\bdone\b)/
const LOOP_ENDS = /; ?done[\s;\\]*$/
const STARTS_MAKE =
  /^(?:cd [^;&|]{1,200}&& ?(?:\$[({]MAKE[)}]|make)|(?:\$[({]MAKE[)}]|make)(?: -\w{1,20}){0,5} -C)\s[^;&|]{0,200}(?:\|\| ?exit[^;&|]{0,20})?[\s;\\]*$/
/** Lines of a loop around such a call. */
const GOES_ON =
  /^(?:for [^;]{1,200}; ?do|do|done|if \[[^;]{1,200}; ?then|then|else|fi|echo (?:"[^"`]{0,200}"|'[^']{0,200}'|[\w .]{0,200})|set -\w{1,20})?[\s;\\]*$/

/** The targets in a line such as `test check: build`; an assignment (`TEST := 1`) has none. */
function ruleOf(line: string): string[] {
  const head = line.slice(0, 300)
  const colon = head.indexOf(':')
  if (colon <= 0 || /^[\s#]/.test(head) || head.slice(0, colon).includes('=')) return []
  if (/^::?:?=/.test(head.slice(colon))) return []
  return head.slice(0, colon).trim().split(/\s+/)
}

function recipesOf(folder: Folder, file: string): CommandClaim[] {
  const lines = linesOf(folder.text(file) ?? '')
  return targets.flatMap((name) => {
    // A recipe with parameters needs more words than its name.
    const recipe = new RegExp(`^@?${name}\\s{0,20}:(?!=)`)
    const at = lines.findIndex((line) => recipe.test(line))
    return at === -1 ? [] : commandClaim(folder, 'just', name, `just ${name}`, place(folder, file, at + 1), 'said')
  })
}
