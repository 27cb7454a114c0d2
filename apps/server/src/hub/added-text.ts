import type { WholeBytes } from '../ports/whole-bytes.ts'
import type { AddedText } from '../ports/hub/diffs.ts'
import { checkCommit } from './clones/names.ts'
import { NAMES_AS_THEY_ARE, plainDiff, type DiffDeps } from './diff.ts'
import type { Objects } from './git/objects.ts'

const TIMEOUT_MS = 60_000
const MOST_COMMITS = 1000
/** The limit for the patch of all the work, and for the patches of its commits. */
const MOST_BYTES = 24 * 1024 ** 2
/** The limit for one file that git takes for binary, for all of them, and for messages. */
const MOST_OF_FILE = 8 * 1024 ** 2
const MOST_OF_FILES = 24 * 1024 ** 2
const MOST_OF_MESSAGES = 4 * 1024 ** 2
/** Git's answer for "nothing matches". */
const NONE = 1

// Full ids: they name the files whose lines git does not show.
const patches = [...plainDiff, '--patch', '--unified=0', '--full-index']

/**
 * Patches without context: of all the work at once, and of each commit that the remote does not have. No path is named:
 * git would leave out a branch of the history whose changes a merge threw away, and that branch is published too.
 */
export async function addedText({ git, gitDir }: DiffDeps, from: string, to: string): Promise<AddedText> {
  const [base, tip] = [checkCommit(from), checkCommit(to)]
  const limits = { gitDir, timeoutMs: TIMEOUT_MS, limitBytes: MOST_BYTES, cut: true, config: [NAMES_AS_THEY_ARE] }
  const diff = ['diff-tree', ...patches, base, tip, '--']
  // A merge shows only lines that none of its parents has: they were written there.
  const how = ['--format=commit %H', `--max-count=${MOST_COMMITS}`, '--diff-merges=combined', '--no-decorate']
  const range = [tip, '--not', base, '--remotes=origin', '--']
  const whole = await git.run({ ...limits, args: diff })
  const each = await git.run({ ...limits, args: ['log', ...how, ...patches, ...range] })
  const listed = await git.run({ ...limits, args: ['rev-list', `--max-count=${MOST_COMMITS + 1}`, ...range] })
  const ids = listed.stdout.toString('latin1').split('\n').filter(Boolean)
  const input = ids.slice(0, MOST_COMMITS).join('\n')
  const said = await git.run({ ...limits, args: ['cat-file', '--batch'], input, limitBytes: MOST_OF_MESSAGES })
  const cut = whole.cut || each.cut || said.cut || ids.length > MOST_COMMITS
  return { whole: whole.stdout, each: each.stdout, messages: commitsIn(said.stdout), cut }
}

/** Commits as stored, without the ids in front: a commit's head may have lines that git never shows. */
function commitsIn(bytes: Buffer): WholeBytes[] {
  const found: WholeBytes[] = []
  for (let from = 0; from < bytes.length;) {
    const line = bytes.indexOf(NEWLINE, from)
    if (line === -1) break
    const [commit = '', , size = ''] = bytes.toString('latin1', from, line).split(' ')
    const end = line + 1 + Number(size)
    found.push({ commit, path: '', bytes: withoutIds(bytes.subarray(line + 1, end)) })
    from = end + 1
  }
  return found
}

const NEWLINE = 10

function withoutIds(commit: Buffer): Buffer {
  let from = 0
  while (/^(?:tree|parent) /.test(commit.toString('latin1', from, from + 7))) {
    const end = commit.indexOf(NEWLINE, from)
    if (end === -1) return commit.subarray(commit.length) // cut off in its ids
    from = end + 1
  }
  return commit.subarray(from)
}

/** The bytes of files whose lines git does not show; the size of a file for which there is no room. */
export async function contents(
  objects: Pick<Objects, 'info' | 'blob'>,
  ids: readonly string[],
): Promise<Map<string, Uint8Array | number>> {
  const found = new Map<string, Uint8Array | number>()
  const sizes: { id: string; size: number }[] = []
  for (const id of new Set(ids)) {
    const info = await objects.info(id)
    if (info?.type === 'blob') sizes.push({ id, size: info.size })
  }
  let room = MOST_OF_FILES
  for (const { id, size } of sizes.toSorted((one, other) => one.size - other.size)) {
    const bytes = size <= Math.min(room, MOST_OF_FILE) ? await objects.blob(id, MOST_OF_FILE) : null
    if (bytes) room -= bytes.length
    found.set(id, bytes ?? size)
  }
  return found
}

/** The lines that are in a commit's files. They go to git by standard input: others can see a command line. */
export async function textsIn(
  { git, gitDir }: DiffDeps,
  commit: string,
  texts: readonly string[],
): Promise<Set<string>> {
  const lines = texts.filter((text) => text !== '' && !/[\n\r\0]/.test(text))
  if (lines.length === 0) return new Set()
  const flags = ['-F', '--text', '-h', '-o', '--no-textconv', '--no-color', '--no-recurse-submodules', '--threads=1']
  const args = ['grep', ...flags, '-f', '-', checkCommit(commit), '--']
  const limits = { timeoutMs: TIMEOUT_MS, limitBytes: MOST_BYTES, cut: true }
  const { stdout } = await git.run({ gitDir, args, input: `${lines.join('\n')}\n`, answers: [NONE], ...limits })
  const found = new Set(stdout.toString('utf8').split('\n'))
  return new Set(lines.filter((line) => found.has(line)))
}
