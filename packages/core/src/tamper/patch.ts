/** One file of a change. `status` is git's letter: A, M, D, R, C, T; `patch` its unified diff, which may be cut. */
export type ChangedFile = { path: string; status: string; patch: string }

/** `text` as it is; `plain` for comparing it with other places: without indentation and with single spaces. */
export type PatchLine = { sign: '+' | '-' | ' '; text: string; plain: string }

/** How much of a patch and of a line is read: an agent decides how long they are. */
const MOST_CHARACTERS = 1024 ** 2
const MOST_LINES = 20_000
const LONGEST_LINE = 1000

/** The lines of a patch's hunks, in order, without git's headers and anything before the first `@@`. */
export function patchLines(patch: string): PatchLine[] {
  const lines: PatchLine[] = []
  let within = false
  for (const line of patch.slice(0, MOST_CHARACTERS).split('\n', MOST_LINES)) {
    if (line.startsWith('@@')) within = true
    else if (line.startsWith('diff --git ')) within = false
    const sign = line[0]
    if (!within || (sign !== '+' && sign !== '-' && sign !== ' ')) continue
    const text = line.slice(1, LONGEST_LINE)
    lines.push({ sign, text, plain: plainText(text) })
  }
  return lines
}

/** A renamed file's former name, from git's header; the path itself for every other file. */
export function formerPath({ path, status, patch }: ChangedFile): string {
  if (status !== 'R') return path
  const from = /^rename from (.{1,4096})$/m.exec(patch.slice(0, 10_000))
  return from?.[1]?.replace(/^"|"$/g, '') ?? path
}

export const plainText = (line: string): string => line.trim().replace(/\s+/g, ' ')
