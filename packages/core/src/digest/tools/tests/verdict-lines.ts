import type { Verdict } from '../../reading/failure-blocks.ts'

/*
 * Runners without single lines that have both a test's whole name and its verdict.
 */

type VerdictIn = (line: string) => Verdict | null

const MOST_DEPTH = 20
const RSPEC_LINE = /^( {2,60})(\S.{0,400})$/
const RSPEC_END = /^(?:Pending: |Failures:$|Finished in )/
const RSPEC_SAID = / \((FAILED - \d{1,7}|PENDING: .{0,300})\)$/

/** If a test prints an unfinished line, the next name is behind it. */
const RSPEC_BEHIND = /\S {2,60}\S/

/** RSpec's documentation format: groups and examples look alike; an example has no further indented lines below. */
export function rspecVerdicts(): VerdictIn {
  let groups: string[] = []
  let last: { depth: number; text: string } | null = null
  let isBlank = false
  let isOver = false
  /** A name is lost, so the others do not list all that ran. */
  let isUnsure = false
  const settled = (depth: number): Verdict | null => {
    const example = last
    last = null
    if (example === null || example.depth < depth || isUnsure) return null
    const [, said = ''] = RSPEC_SAID.exec(example.text) ?? []
    const name = [...groups.slice(0, example.depth), example.text.replace(RSPEC_SAID, '')].join(' > ')
    return { name, is: said.startsWith('PENDING') ? 'skipped' : 'ran' }
  }
  return (line) => {
    const wasBlank = isBlank
    isBlank = line === ''
    isOver ||= RSPEC_END.test(line)
    const [, indent = '', text] = isOver ? [] : (RSPEC_LINE.exec(line) ?? [])
    const depth = indent.length / 2
    // A top-level group comes after an empty line; a test printed anything else there.
    if (text === undefined || depth > MOST_DEPTH || groups.length < Math.floor(depth)) {
      isUnsure ||= !isOver && RSPEC_BEHIND.test(line)
      const before = isBlank || isOver || wasBlank ? settled(0) : null
      if (!isOver && wasBlank && !isBlank) groups = [line]
      return before
    }
    const before = settled(depth)
    groups = [...groups.slice(0, depth), text]
    last = { depth, text }
    return before
  }
}

/** A class, or a description in a spec's own words, whose tests are numbered. */
const MINITEST_NAME = /^([A-Z][\w:]{0,200}#\S.{0,300}?|\S.{0,200}?#test_\d{4}_.{1,300}?) = (.{0,300})$/
const MINITEST_RESULT = /(?:^|\D)\d{1,6}\.\d\d s = ([.FES])$/

/** Minitest and Rails with `-v`: the name comes before the test begins, the time and verdict after its output. */
export function minitestVerdicts(): VerdictIn {
  let open: string | null = null
  return (line) => {
    const [, name, rest = ''] = line.includes('#') ? (MINITEST_NAME.exec(line) ?? []) : []
    if (name !== undefined) open = name
    const result = line.includes(' s = ') ? MINITEST_RESULT.exec(name === undefined ? line : rest)?.[1] : undefined
    if (open === null || result === undefined) return null
    const test = open
    open = null
    return { name: test, is: result === 'S' ? 'skipped' : 'ran' }
  }
}

const EXUNIT_MODULE = /^([A-Z][\w.]{0,200}) \[.{1,300}\]$/
const EXUNIT_TEST = /^ {2}\* (?:test|property|doctest) (.{1,400}) \(([\d.]{1,12}ms|skipped|excluded)\) \[L#\d{1,7}\]$/

/** `mix test --trace`: a line for each module, and one for each test at its end. */
export const exunitVerdicts = (): VerdictIn =>
  underHeading(EXUNIT_MODULE, (line) => {
    const [, name, said = ''] = line.startsWith('  * ') ? (EXUNIT_TEST.exec(line) ?? []) : []
    return name === undefined ? null : { name, is: said.endsWith('ms') ? 'ran' : 'skipped' }
  })

const DENO_FILE = /^running \d{1,9} tests? from (?:\.\/)?(\S{1,300})$/
const DENO_TEST = /^(\S.{0,400}) \.\.\. (ok|FAILED|ignored|cancelled)(?: \(.{1,40}\))?$/

/** deno: a file's tests are below its name. */
export const denoVerdicts = (): VerdictIn =>
  underHeading(DENO_FILE, (line) => {
    const [, name, said] = line.includes(' ... ') ? (DENO_TEST.exec(line) ?? []) : []
    return name === undefined ? null : { name, is: said === 'ignored' ? 'skipped' : 'ran' }
  })

/** Puts the last heading above each name, a module or a file, in front of it. */
function underHeading(heading: RegExp, verdict: VerdictIn): VerdictIn {
  let last: string | null = null
  return (line) => {
    last = heading.exec(line)?.[1] ?? last
    const found = verdict(line)
    return found === null || last === null ? found : { ...found, name: `${last} > ${found.name}` }
  }
}
