import { indentOf } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'

/*
 * A test of Python or Ruby whose name gets another meaning below it: only the last one runs, under the same name. The
 * first one is still there, word for word.
 */

const DEFINES = /^(?:async )?def (test\w*)\b/
const CLASS = /^(?:class|module|describe) /
/** `test_total = other`, `del test_total`, `setattr(CartTest, "test_total", …)`, `CartTest.test_total = …` */
const BINDS =
  /^(?:\w+\.)?(test_\w+) = |^(?:del (?:\w+\.)?|undef_method :|remove_method :|undef )(test_\w+)|^setattr\(\w+, ?["'](test_\w+)["']|^define_method\(? ?:(test_\w+)/

/** The number of tests that are only there by name. */
export function twiceNamed(path: string, lines: readonly PatchLine[]): number {
  if (!/\.(?:py|rb)$/.test(path)) return 0
  const known = new Map<string, PatchLine>()
  /** With their indentation: a variable of this name within a test is something else. */
  const named = new Map<string, number>()
  let count = 0
  let hunk = 0
  let within: { name: string; indent: number }[] = []
  for (const line of lines) {
    if (line.sign === '-' || line.plain === '') continue
    if (line.hunk !== hunk) {
      hunk = line.hunk
      within = []
    }
    const indent = indentOf(line)
    within = within.filter((one) => one.indent < indent)
    const bound = BINDS.exec(line.plain)?.slice(1).find(Boolean)
    if (bound !== undefined && line.sign === '+' && (named.get(bound) ?? -1) >= indent) count += 1
    if (CLASS.test(line.plain)) within.push({ name: line.plain, indent })
    const name = DEFINES.exec(line.plain)?.[1]
    if (name === undefined) continue
    named.set(name, indent)
    // Without the head of its class nobody knows which class a method belongs to.
    if (indent > 0 && within.length === 0) continue
    const key = [...within.map((one) => one.name), name].join('\n')
    const former = known.get(key)
    if (former !== undefined && (line.sign === '+' || former.sign === '+')) count += 1
    known.set(key, line)
  }
  return count
}
