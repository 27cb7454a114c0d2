import type { AddedText } from '../ports/hub.ts'
import { checkCommit } from './clones/names.ts'
import { plainDiff, type DiffDeps } from './diff.ts'

const TIMEOUT_MS = 60_000
const MOST_COMMITS = 1000
/** The most of the patch of all of the work, and of those of its commits. */
const MOST_BYTES = 24 * 1024 ** 2
/** Git's answer for "nothing matches". */
const NONE = 1

const patches = [...plainDiff, '--patch', '--unified=0']

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
  const whole = await git.run({ ...limits, args: diff })
  const each = await git.run({ ...limits, args: log })
  return { whole: whole.stdout, each: each.stdout, cut: whole.cut || each.cut }
}

/** Which of these lines are in a commit's files. They are asked for by standard input: others see what is on a command line. */
export async function textsIn(
  { git, gitDir }: DiffDeps,
  commit: string,
  texts: readonly string[],
): Promise<Set<string>> {
  const lines = texts.filter((text) => text !== '' && !/[\n\r\0]/.test(text))
  if (lines.length === 0) return new Set()
  const flags = ['-F', '-I', '-h', '-o', '--no-textconv', '--no-color', '--no-recurse-submodules', '--threads=1']
  const args = ['grep', ...flags, '-f', '-', checkCommit(commit), '--']
  const limits = { timeoutMs: TIMEOUT_MS, limitBytes: MOST_BYTES, cut: true }
  const { stdout } = await git.run({ gitDir, args, input: `${lines.join('\n')}\n`, answers: [NONE], ...limits })
  const found = new Set(stdout.toString('utf8').split('\n'))
  return new Set(lines.filter((line) => found.has(line)))
}
