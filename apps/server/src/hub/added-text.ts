import type { WholeBytes } from '../ports/whole-bytes.ts'
import type { AddedText } from '../ports/hub.ts'
import { checkCommit } from './clones/names.ts'
import { plainDiff, type DiffDeps } from './diff.ts'
import type { Objects } from './git/objects.ts'

const TIMEOUT_MS = 60_000
const MOST_COMMITS = 1000
/** The most of the patch of all of the work, and of those of its commits. */
const MOST_BYTES = 24 * 1024 ** 2
/** The most of one file that git takes for binary, of all of them, and of messages. */
const MOST_OF_FILE = 8 * 1024 ** 2
const MOST_OF_FILES = 24 * 1024 ** 2
const MOST_OF_MESSAGES = 4 * 1024 ** 2
/** Git's answer for "nothing matches". */
const NONE = 1

// Full ids: by these the files are asked for that git shows no lines of.
const patches = [...plainDiff, '--patch', '--unified=0', '--full-index']

/** Written by package managers, and long: nobody reads what they add. */
const leftOut = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'deno.lock',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'composer.lock',
  'Gemfile.lock',
  'go.sum',
].map((name) => `:(exclude,glob)**/${name}`)

/** Patches without context: all of the work at once, and each of its commits that the remote does not have. */
export async function addedText({ git, gitDir }: DiffDeps, from: string, to: string): Promise<AddedText> {
  const [base, tip] = [checkCommit(from), checkCommit(to)]
  const limits = { gitDir, timeoutMs: TIMEOUT_MS, limitBytes: MOST_BYTES, cut: true }
  const some = ['--', ...leftOut]
  const diff = ['--no-literal-pathspecs', 'diff-tree', ...patches, base, tip, ...some]
  // A merge shows what none of its parents has: that was written there.
  const how = ['--format=commit %H', `--max-count=${MOST_COMMITS}`, '--diff-merges=combined', '--no-decorate']
  const range = [tip, '--not', base, '--remotes=origin']
  const log = ['--no-literal-pathspecs', 'log', ...how, ...patches, ...range, ...some]
  const said = '--format=%H%n%an <%ae>%n%cn <%ce>%n%B'
  const messages = ['log', '-z', said, `--max-count=${MOST_COMMITS}`, '--no-decorate', ...range, '--']
  const whole = await git.run({ ...limits, args: diff })
  const each = await git.run({ ...limits, args: log })
  const words = await git.run({ ...limits, args: messages, limitBytes: MOST_OF_MESSAGES })
  const cut = whole.cut || each.cut || words.cut
  return { whole: whole.stdout, each: each.stdout, messages: messagesIn(words.stdout), cut }
}

/** A message has no zero byte. */
function messagesIn(bytes: Buffer): WholeBytes[] {
  const found: WholeBytes[] = []
  for (let from = 0; from < bytes.length;) {
    const zero = bytes.indexOf(0, from)
    const end = zero === -1 ? bytes.length : zero
    const line = bytes.indexOf(10, from)
    if (line !== -1 && line < end)
      found.push({ commit: bytes.toString('latin1', from, line), path: '', bytes: bytes.subarray(line + 1, end) })
    from = end + 1
  }
  return found
}

/** The bytes of files that git shows no lines of; of one for which there is no room, its size. */
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

/** Which of these lines are in a commit's files. They are asked for by standard input: others see what is on a command line. */
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
