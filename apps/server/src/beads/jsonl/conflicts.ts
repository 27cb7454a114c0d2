/** Git's conflict markers: at the start of a line, alone or followed by a space and a name. */
export const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/

/** The characters of the markers. */
const MARKS = new Set([...'<=>|'].map((mark) => mark.charCodeAt(0)))
const NEWLINE = 10
const LENGTH = 7

/** The index of the first line that is a conflict marker, or -1. */
export function conflictAt(bytes: Uint8Array): number {
  for (let [at, line] = [0, 0]; at < bytes.length; line++) {
    if (isMarked(bytes, at)) return line
    const end = bytes.indexOf(NEWLINE, at)
    if (end < 0) break
    at = end + 1
  }
  return -1
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
