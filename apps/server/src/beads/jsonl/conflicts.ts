/** Git's conflict markers: at the start of a line, alone or followed by a space and a name. */
export const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/

/** The characters that they are made of. */
const MARKS = new Set([...'<=>|'].map((mark) => mark.charCodeAt(0)))
const NEWLINE = 10
const LENGTH = 7

type Block = { hash: string; bytes: Uint8Array | null }

/**
 * The number of the first line that is a conflict marker, or 0. A block without bytes has none, and `linesIn` says how many
 * lines it has.
 */
export function conflictIn(blocks: readonly Block[], linesIn: (hash: string) => number): number {
  let first = 1
  for (const { hash, bytes } of blocks) {
    if (bytes === null) {
      first += linesIn(hash)
      continue
    }
    for (let at = 0; at < bytes.length;) {
      if (isMarked(bytes, at)) return first
      const end = bytes.indexOf(NEWLINE, at)
      first += 1
      if (end < 0) break
      at = end + 1
    }
  }
  return 0
}

function isMarked(bytes: Uint8Array, at: number): boolean {
  const mark = bytes[at] ?? 0
  if (!MARKS.has(mark)) return false
  for (let next = at + 1; next < at + LENGTH; next++) if (bytes[next] !== mark) return false
  const [after, beyond] = [bytes[at + LENGTH], bytes[at + LENGTH + 1]]
  return (
    after === undefined ||
    after === 0x20 ||
    after === NEWLINE ||
    (after === 0x0d && (beyond === undefined || beyond === NEWLINE))
  )
}

export const conflictWarning = (line: number): string =>
  `line ${line} is a git conflict marker: no bead was read. Resolve the conflict in the file (keep both sides' lines, remove the markers), then sync again.`
