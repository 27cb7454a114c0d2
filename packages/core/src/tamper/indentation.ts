import type { PatchLine } from './patch.ts'

/** The number of lines above and below a line that are searched for its block. */
export const NEAR = 60

/** A tab counts as four blanks: a file may have both. */
export const indentOf = ({ text }: PatchLine): number => (/^\s*/.exec(text)?.[0] ?? '').replaceAll('\t', '    ').length

/** The nearest line above that is less indented. */
export function opener(lines: readonly PatchLine[], at: number, sign: '+' | '-'): number {
  const line = lines[at]
  for (let up = at - 1; line && up >= 0 && up >= at - NEAR; up--) {
    const other = lines[up]
    if (!other || other.hunk !== line.hunk) return -1
    if (other.plain !== '' && (other.sign === sign || other.sign === ' ') && indentOf(other) < indentOf(line)) return up
  }
  return -1
}
