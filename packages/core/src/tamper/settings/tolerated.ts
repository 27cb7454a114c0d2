import { patchLines, type PatchLine } from '../patch.ts'
import { cannotFail, isNothing, isPiped } from './command-ends.ts'

/*
 * A program of tests may have any name (`./suite`). Every command in a target or script of tests counts as one. If its
 * output is unknown, only its exit code decides.
 */

const MAKE = /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[^/]*\.mk|[Jj]ustfile)$/
const TEST_TARGET = /^(?=[^:=#\t]{0,300}(?:test|check|verify))[\w./%$][^:=#\t]{0,300}::?(?!=)/
const TARGET = /^[\w./%$][^:=#\t]{0,300}::?(?!=)/

/** Commands that clean up, fetch or look, and may well fail. */
const HOUSEKEEPING =
  /^(?:\$\(RM\)|rm|rmdir|mkdir|kill|pkill|killall|docker|podman|cd|cp|mv|ln|touch|find|git|wait|sleep|command|which|test|\[{1,2}|unset|export|set|source|\.|echo|printf|cat|tail|head|grep|ls|stty|trap|curl|wget|chmod|chown|u?mount|ulimit|apt|apt-get|sudo|createdb|dropdb|psql|redis-cli|\w+=\S*|#.*)(?:\s|$)/

/** A command without the marks that make or a shell reads in front of it. */
const core = (line: string): string => line.replace(/^[@+-]+\s*/, '')

const isCommand = (line: string): boolean => core(line).length > 2 && !HOUSEKEEPING.test(core(line)) && !isNothing(line)

/** The most commands that are compared; nobody changes as many in one recipe. */
const MOST_COMPARED = 500

/** Whether a former command may now fail without any effect. */
export function toleratesNow(removed: readonly string[], added: readonly string[], make = false): boolean {
  const isTolerant = (line: string): boolean =>
    cannotFail.test(line) || (make && /^@?-/.test(line)) || core(line).startsWith('! ')
  const keeps = [...removed, ...added].some((line) => line.includes('pipefail'))
  const before = removed.filter((line) => isCommand(line) && !isTolerant(line)).slice(0, MOST_COMPARED)
  const now = added.filter((line) => isTolerant(line) || (!keeps && isPiped(line))).slice(0, MOST_COMPARED)
  const there = new Set(added.map(core))
  return before.some(
    (old) =>
      (!there.has(core(old)) || now.some((line) => core(line) === core(old))) &&
      now.some((line) => core(line).includes(core(old)) && (isTolerant(line) || !isPiped(old))),
  )
}

/** The way in which a Makefile's test target got weaker, whatever its commands are called; null: it did not. */
export function weakTarget(path: string, patch: string): string | null {
  if (!MAKE.test(path)) return null
  const lines = recipesOf(patchLines(patch, TEST_TARGET))
  const of = (sign: PatchLine['sign']) => lines.filter((line) => line.sign === sign).map(({ plain }) => plain)
  const [removed, added, kept] = [of('-'), of('+'), of(' ')]
  if (toleratesNow(removed, added, true)) return 'the test command can no longer fail'
  const commands = removed.filter(isCommand).slice(0, MOST_COMPARED)
  const isOut = (line: string): boolean => line.startsWith('#') && commands.some((one) => line.includes(core(one)))
  const isEmptied = commands.length > 0 && added.some((line) => line !== '' && (isNothing(line) || isOut(line)))
  return isEmptied && ![...added, ...kept].some(isCommand) ? 'the test command no longer does anything' : null
}

/** The commands of such targets; each hunk begins within one. */
function recipesOf(lines: readonly PatchLine[]): PatchLine[] {
  let within = true
  let hunk = 0
  return lines.filter((line) => {
    if (line.hunk !== hunk) within = true
    hunk = line.hunk
    if (!TARGET.test(line.text)) return within
    within = TEST_TARGET.test(line.text)
    return false
  })
}
