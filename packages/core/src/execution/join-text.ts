import { oneLine } from '../text/one-line.ts'
import { codeSpan, fenced } from '../text/fenced.ts'
import { remakingOf } from './remake-locks.ts'

/** The most files whose sides are shown; more are only named. */
export const MOST_FILES_SHOWN = 4
/** Characters of one side of one file. */
export const MOST_OF_A_SIDE = 2000
const MOST_FILES_NAMED = 50
const MOST_BEADS = 10
const MOST_LOCKS = 10
const MOST_NAME = 200

/** `own` and `other`: a file's changes since the two sides diverged, as patches; '' if they cannot be shown. */
export type Side = { file: string; own: string; other: string }

export type ToJoin = {
  branch: string
  files: readonly string[]
  /** The command that merges the other side. */
  merge: string
  /** The beads of the other side, in words. */
  beads: readonly string[]
  sides: readonly Side[]
}

/** Tells an agent that its verified work conflicts with newly merged work: the files, and both sides. */
export function joinText({ branch, files, merge, beads, sides }: ToJoin): string {
  const locks = remakingOf(files)
  const conflicts = files.map((file) => codeSpan(file, MOST_NAME))
  const others = beads.map((one) => oneLine(one).slice(0, MOST_NAME))
  return [
    `Its checks passed, but it cannot be merged: ${branch} has got other changes in the same places meanwhile.`,
    `Before anything else run '${merge}', resolve the conflicts so that both changes hold, and commit the merge. It is one merge: do not rebase, and drop neither side.`,
    `Files in conflict:\n${listed(conflicts, MOST_FILES_NAMED)}`,
    ...(others.length === 0 ? [] : [`Merged meanwhile:\n${listed(others, MOST_BEADS)}`]),
    ...locks
      .slice(0, MOST_LOCKS)
      .map(
        ({ path, command }) =>
          `Do not merge ${codeSpan(path, MOST_NAME)} by hand: unless one side deletes it, its tool makes it anew, after the rest is merged: ${command}`,
      ),
    ...sides.filter(({ file }) => locks.every(({ path }) => path !== file)).flatMap(sideTexts),
  ].join('\n\n')
}

const sideTexts = ({ file, own, other }: Side): string[] => [
  `${codeSpan(file, MOST_NAME)}, as this task changed it:\n${shown(own)}`,
  `${codeSpan(file, MOST_NAME)}, as it was changed meanwhile:\n${shown(other)}`,
]

const shown = (patch: string): string => (patch === '' ? '(not shown)' : fenced(patch, MOST_OF_A_SIDE))

function listed(lines: readonly string[], most: number): string {
  const more = lines.length > most ? [`- and ${lines.length - most} more`] : []
  return [...lines.slice(0, most).map((line) => `- ${line}`), ...more].join('\n')
}
