/**
 * A line of a unified diff, without its sign. `old` and `now` are its numbers before and after; an added or removed
 * line has one of them, `hunk` and `note` ("\ No newline at end of file") have none.
 */
export type PatchLine = {
  kind: 'added' | 'removed' | 'same' | 'hunk' | 'note'
  old: number | null
  now: number | null
  text: string
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The hunks of one file's patch. Counts the lines that each announces, so code cannot pass for a hunk's head. */
export function patchLines(patch: string): PatchLine[] {
  const found: PatchLine[] = []
  let [old, now, oldLeft, nowLeft] = [0, 0, 0, 0]
  for (const text of patch.replace(/\n$/, '').split('\n')) {
    const [sign, rest] = [text[0], text.slice(1)]
    if (sign === '+' && nowLeft > 0) {
      found.push({ kind: 'added', old: null, now: now++, text: rest })
      nowLeft--
    } else if (sign === '-' && oldLeft > 0) {
      found.push({ kind: 'removed', old: old++, now: null, text: rest })
      oldLeft--
    } else if (sign === ' ' && oldLeft > 0 && nowLeft > 0) {
      found.push({ kind: 'same', old: old++, now: now++, text: rest })
      oldLeft--
      nowLeft--
    } else if (sign === '\\' && found.length > 0) {
      found.push({ kind: 'note', old: null, now: null, text: rest.trim() })
    } else {
      const hunk = HUNK.exec(text)
      if (!hunk) continue
      old = Number(hunk[1])
      now = Number(hunk[3])
      oldLeft = Number(hunk[2] ?? 1)
      nowLeft = Number(hunk[4] ?? 1)
      found.push({ kind: 'hunk', old: null, now: null, text })
    }
  }
  return found
}

/** A removed line beside the one that replaced it; if their numbers differ, in order. */
export type Side = { left: PatchLine | null; right: PatchLine | null }

/** Two columns: old lines on the left, new ones on the right. Heads and notes are on both. */
export function sides(lines: readonly PatchLine[]): Side[] {
  const found: Side[] = []
  let gone: PatchLine[] = []
  let come: PatchLine[] = []
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++)
      found.push({ left: gone[at] ?? null, right: come[at] ?? null })
    gone = []
    come = []
  }
  for (const line of lines) {
    // A removed line after added ones begins another change.
    if (line.kind === 'removed' && come.length > 0) flush()
    if (line.kind === 'removed') gone.push(line)
    else if (line.kind === 'added') come.push(line)
    else if (line.kind !== 'note') {
      flush()
      found.push({ left: line, right: line })
    }
  }
  flush()
  return found
}

/** For each changed line, its counterpart before or after the change. */
export function mates(lines: readonly PatchLine[]): Map<PatchLine, PatchLine> {
  const found = new Map<PatchLine, PatchLine>()
  for (const { left, right } of sides(lines))
    if (left && right && left !== right) found.set(left, right).set(right, left)
  return found
}
