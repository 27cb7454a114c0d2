import { indentOf } from '../indentation.ts'
import type { PatchLine } from '../patch.ts'
import type { ClassFiles } from './class-files.ts'

/*
 * New tests that define a class of the project again. Their runner loads all files into one process, so the other tests
 * call the new definition, too.
 */

const NAME = String.raw`[A-Z]\w*(?:::[A-Z]\w*)*`
const OPENS = new RegExp(String.raw`^(?:class|module) (${NAME})(?: < ${NAME})?$`)
const AT_ONCE = new RegExp(String.raw`^class (${NAME})(?: < ${NAME})? ?; ?(?:def|define_method|alias|attr|prepend)\b`)
const BENT = new RegExp(
  String.raw`^(${NAME})\.(?:prepend|class_eval|class_exec|define_method|singleton_class|instance_eval|(?:remove|undef|alias)_method)\b`,
)
const BLOCK = /\bdo(?: \|[^|]*\|)?$|\{(?: \|[^|]*\|)?$/
const CHANGES = /^(?:def|define_method|alias|alias_method|prepend)\b/
const MODULE = /^defmodule ([A-Z]\w*(?:\.[A-Z]\w*)*) do$/
const MOST_OPEN = 20

/** The line of a new test file that defines a class of the project again. */
export function reopenedClass(path: string, lines: readonly PatchLine[], known: ClassFiles): PatchLine | undefined {
  if (path.endsWith('.rb')) return inRuby(lines, known)
  if (/\.exs?$/.test(path))
    return lines.find(({ text, plain }) => {
      const name = /^\S/.test(text) ? MODULE.exec(plain)?.[1] : undefined
      return name !== undefined && known.of(name) !== undefined
    })
  return path.endsWith('.php') ? inPhp(lines, known) : undefined
}

/** A class counts by a method of its own: tests are often within the module, or the class, that they are about. */
function inRuby(lines: readonly PatchLine[], known: ClassFiles): PatchLine | undefined {
  const open: { line: PatchLine; depth: number; name: string | null }[] = []
  const isOwn = (name: string[] = []): boolean =>
    open.every((one) => one.name !== null) &&
    known.isRuby([...open.flatMap((one) => one.name ?? []), ...name].join('::'))
  for (const line of lines) {
    const { plain } = line
    if (plain === '' || plain.startsWith('#')) continue
    const depth = indentOf(line)
    while (open.length > 0 && depth <= (open.at(-1)?.depth ?? 0)) open.pop()
    const whole = AT_ONCE.exec(plain)?.[1] ?? (depth === 0 ? BENT.exec(plain)?.[1] : undefined)
    if (whole !== undefined && isOwn([whole])) return line
    if (CHANGES.test(plain) && open.length > 0 && isOwn()) return open.at(-1)?.line
    const name = OPENS.exec(plain)?.[1] ?? (BLOCK.test(plain) ? null : undefined)
    if (name !== undefined && open.length < MOST_OPEN) open.push({ line, depth, name })
  }
  return undefined
}

/** PHP loads no file for a class that is there already. */
function inPhp(lines: readonly PatchLine[], known: ClassFiles): PatchLine | undefined {
  let namespace: string[] = []
  return lines.find(({ text, plain }) => {
    const named = /^namespace ([\w\\]{1,200}) ?[;{]/.exec(plain)?.[1]
    if (named !== undefined) namespace = named.split('\\')
    const name = /^\s{0,4}\S/.test(text)
      ? /^(?:(?:final|abstract|readonly) )*class ([A-Z]\w*)\b/.exec(plain)?.[1]
      : undefined
    return name !== undefined && known.isPhp(namespace, name)
  })
}
