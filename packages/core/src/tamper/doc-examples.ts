import { quotedLine, shortName } from './finding-words.ts'
import { patchLines, type ChangedFile, type PatchLine } from './patch.ts'

/* Examples in documentation that run as tests: Rust's, and Python's where doctest is told to skip them. */

const FENCE = /^\/\/[/!] ?```(.*)$/
/** It is shown, or only compiled. */
const NOT_RUN = /(?:^|[,\s{])(?:ignore(?:-[\w-]+)?|no_run|text|compile_fail)(?:$|[,\s}])/
const RUN = /^(?:rust|should_panic|edition\d+|[,\s])*$/
const ASSERTS = /^\/\/[/!].*\b(?:debug_)?assert(?:_eq|_ne)?!/
const ITEM = /\b(?:fn|struct|enum|trait|type|const|static|union|mod|macro_rules!) (\w+)/
const SKIPPED = /^(?:>>>|\.\.\.) .*# ?doctest: ?.*\+SKIP\b/

/** The line with which an example that ran is no longer run. */
export const stoppedExample = (lines: readonly PatchLine[]): PatchLine | undefined =>
  lines.find(({ sign, plain }, at) => {
    if (sign !== '+' || !NOT_RUN.test(FENCE.exec(plain)?.[1] ?? '')) return false
    // Git shows the former line above, behind other removed lines.
    let up = at - 1
    while (lines[up]?.sign === '+') up -= 1
    for (; lines[up]?.sign === '-'; up -= 1) {
      const former = FENCE.exec(lines[up]?.plain ?? '')?.[1]
      if (former !== undefined && RUN.test(former)) return true
    }
    return false
  })

/** One sentence for each file. */
export function stoppedExamples(files: readonly ChangedFile[]): string[] {
  return files.flatMap(({ path, patch, status }) => {
    if (status !== 'M' || !/\.(?:rs|py)$/.test(path)) return []
    const lines = patchLines(patch)
    const stopped = path.endsWith('.rs') ? stoppedExample(lines) : skippedByDoctest(lines)
    if (stopped !== undefined)
      return [`${shortName(path)} keeps an example of its documentation from running (${quotedLine(stopped.plain)})`]
    const lost = path.endsWith('.rs') ? lostExample(lines) : undefined
    return lost === undefined
      ? []
      : [`${shortName(path)} lost an example of its documentation (${quotedLine(lost.plain)})`]
  })
}

function skippedByDoctest(lines: readonly PatchLine[]): PatchLine | undefined {
  const former = new Set(
    lines.flatMap(({ sign, plain }) => (sign === '-' && plain.startsWith('>>>') ? [withoutComment(plain)] : [])),
  )
  return lines.find(({ sign, plain }) => sign === '+' && SKIPPED.test(plain) && former.has(withoutComment(plain)))
}

const withoutComment = (plain: string): string => plain.replace(/ ?# ?doctest:.*$/, '')

/** An example with an assertion that is gone as a whole, if nothing that it may be about went with it. */
function lostExample(lines: readonly PatchLine[]): PatchLine | undefined {
  const added = lines.filter(({ sign }) => sign === '+')
  // It was rewritten, or has moved to another item.
  if (added.some(({ plain }) => ASSERTS.test(plain) || FENCE.test(plain))) return undefined
  const names = new Set(added.flatMap(({ plain }) => ITEM.exec(plain)?.[1] ?? []))
  const isGone = lines.some(({ sign, plain }) => {
    const name = sign === '-' && !plain.startsWith('//') ? ITEM.exec(plain)?.[1] : undefined
    return name !== undefined && !names.has(name)
  })
  if (isGone) return undefined
  return lines.find(({ sign, plain }, at) => {
    if (sign !== '-' || !ASSERTS.test(plain)) return false
    return fenceNear(lines, at, -1) && fenceNear(lines, at, 1)
  })
}

const MOST_OF_EXAMPLE = 100

/** Whether a fence was removed next to this line, with all lines between. */
function fenceNear(lines: readonly PatchLine[], at: number, step: 1 | -1): boolean {
  for (let count = 1; count < MOST_OF_EXAMPLE; count += 1) {
    const line = lines[at + step * count]
    if (line?.sign !== '-' || !/^\/\/[/!]/.test(line.plain)) return false
    if (FENCE.test(line.plain)) return true
  }
  return false
}
