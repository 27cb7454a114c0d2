import type { PatchLine } from './patch-lines.ts'
import { MOST_CHARACTERS } from './code-text.ts'
import type { Runs } from '../syntax/runs.ts'

/** Longer patches have no colours: nobody reads them line by line, and each line would cost a dozen elements. */
export const MOST_COLOURED_LINES = 5000
const MOST_TEXT = 500_000

export type Code = { texts: readonly string[]; lines: readonly (readonly PatchLine[])[] }

/**
 * The code of a patch: the old and the new text of each hunk, separately, since a grammar cannot read two versions of a
 * line at once. Null: the patch is too long. Lines too long to be shown whole are left out.
 */
export function codeOf(patch: readonly PatchLine[]): Code | null {
  if (patch.length > MOST_COLOURED_LINES) return null
  const found: { old: PatchLine[]; now: PatchLine[] }[] = []
  for (const line of patch) {
    if (line.kind === 'hunk') found.push({ old: [], now: [] })
    const hunk = found.at(-1)
    if (!hunk || line.kind === 'hunk' || line.kind === 'note') continue
    if (line.kind !== 'added') hunk.old.push(line)
    if (line.kind !== 'removed') hunk.now.push(line)
  }
  // Unchanged lines get the colours of the new text; so a hunk that removes nothing is read once.
  const lines = found.flatMap(({ old, now }) => (old.some(({ kind }) => kind === 'removed') ? [old, now] : [now]))
  const texts = lines.map((of) => of.map(({ text }) => (text.length > MOST_CHARACTERS ? '' : text)).join('\n'))
  return texts.reduce((sum, { length }) => sum + length, 0) > MOST_TEXT ? null : { texts, lines }
}

/** The worker's runs for each text, by line of the patch. */
export function coloursOf({ lines }: Code, said: readonly (readonly Runs[] | null)[]): Map<PatchLine, Runs> {
  const found = new Map<PatchLine, Runs>()
  for (const [at, of] of lines.entries())
    for (const [number, line] of of.entries()) {
      const runs = said[at]?.[number]
      if (runs && runs.length > 0) found.set(line, runs)
    }
  return found
}
