import { shownLines, withoutCommentsInFront } from './shown-lines.ts'

/**
 * One file of a change. `status` is git's letter: A, M, D, R, C, T; `patch` its unified diff, or the part before a
 * `cut`. `added` and `removed` count its lines; null: git considers it binary.
 */
export type ChangedFile = {
  path: string
  status: string
  patch: string
  cut: boolean
  oldPath?: string | null
  added?: number | null
  removed?: number | null
}

/**
 * `text` is unchanged; `plain` is for comparisons: without indentation and with single spaces, and without a comment in
 * front of code. A line that a compiler takes for several is several here, too.
 */
export type PatchLine = { sign: '+' | '-' | ' '; text: string; plain: string; hunk: number }

/** The most that is read of a patch and of a line: an agent decides their length. */
const MOST_CHARACTERS = 1024 ** 2
const MOST_LINES = 20_000
const LONGEST_LINE = 1000

/** The removed lines' texts: an added line with one of them has only moved. */
export const removedTexts = (lines: readonly PatchLine[]): ReadonlySet<string> =>
  new Set(lines.flatMap(({ sign, plain }) => (sign === '-' ? [plain] : [])))

/**
 * The lines of a patch's hunks, in order, without git's headers and anything before the first `export function formerPath(`.
 *
 * @param from in each hunk, only lines from the first match on; its heading (git's line above it) counts
 */
export function patchLines(patch: string, from?: RegExp): PatchLine[] {
  const lines: PatchLine[] = []
  let within = false
  let begun = true
  let hunk = 0
  for (const line of patch.slice(0, MOST_CHARACTERS).split('\n', MOST_LINES)) {
    if (line.startsWith('@@')) {
      within = true
      hunk += 1
      begun = from === undefined || from.test(line.slice(line.indexOf('@@', 2) + 2).trim())
      continue
    }
    if (line.startsWith('diff --git ')) within = false
    const sign = line[0]
    if (!within || (sign !== '+' && sign !== '-' && sign !== ' ')) continue
    // UTF-16 text has a zero byte in every ASCII letter, and one in a comment would make a file "binary".
    for (const text of shownLines(line.slice(1).replaceAll('\0', ''), LONGEST_LINE - 1)) {
      begun ||= from?.test(text.trim()) ?? true
      if (!begun) continue
      if (lines.length >= MOST_LINES) return lines
      lines.push({ sign, text, plain: withoutCommentsInFront(plainText(text)), hunk })
    }
  }
  return lines
}

/** A renamed file's former name; the path itself for every other file. */
export function formerPath({ path, oldPath, status, patch }: ChangedFile): string {
  if (status !== 'R') return path
  if (oldPath) return oldPath
  const from = /^rename from (.{1,4096})$/m.exec(patch.slice(0, 10_000))
  return from?.[1]?.replace(/^"|"$/g, '') ?? path
}

const LINE_ENDS = /\r?\n|[\r\u2028\u2029]|\\u+000[aAdD]/

/** Whether only a part of it is known. A new file removes nothing, however long it is. */
export const isCut = ({ status, patch, cut }: ChangedFile): boolean =>
  status !== 'A' &&
  (cut || patch.length > MOST_CHARACTERS || patch.split(LINE_ENDS, MOST_LINES + 1).length > MOST_LINES)

export const plainText = (line: string): string => line.trim().replace(/\s+/g, ' ')
