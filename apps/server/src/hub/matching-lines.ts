import { checkCommit, treePath } from './clones/names.ts'
import type { DiffDeps } from './diff.ts'

const TIMEOUT_MS = 60_000
/** The limit for the list of files with their counts: some 100,000 files. */
const MOST_BYTES = 8 * 1024 ** 2
/** Git's answer for "nothing matches". */
const NONE = 1

/** Searches the objects of a commit; checks nothing out, and heeds no configuration or attribute of the repository. */
export async function matchingLines(
  { git, gitDir }: DiffDeps,
  commit: string,
  pattern: string,
  paths: readonly string[] = [],
): Promise<number> {
  const known = paths.flatMap((path) => treePath(path.replace(/\/+$/, '')) ?? [])
  if (paths.length > 0 && known.length === 0) return 0
  const flags = ['-E', '-I', '-c', '-z', '--no-textconv', '--no-color', '--no-recurse-submodules', '--threads=1']
  const args = ['grep', ...flags, '-e', pattern, checkCommit(commit), '--', ...known]
  const env = { GIT_LITERAL_PATHSPECS: '1' }
  const limits = { timeoutMs: TIMEOUT_MS, limitBytes: MOST_BYTES, cut: true }
  const { stdout } = await git.run({ gitDir, args, env, answers: [NONE], ...limits })
  return stdout
    .toString('utf8')
    .split('\n')
    .reduce((sum, line) => sum + (Number(line.slice(line.lastIndexOf('\0') + 1)) || 0), 0)
}
