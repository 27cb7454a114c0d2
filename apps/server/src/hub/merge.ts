import { type Candidate, HubError, type Integration } from '../ports/hub.ts'
import type { Clock } from '../process/clock.ts'
import { type Git, GitFailure } from './git.ts'
import { checkCommit, headOf } from './names.ts'
import { Refs } from './refs.ts'

/** Somebody else can win the race for a branch only as often as they have something to add. */
const MOST_TRIES = 20
const MERGE_TIMEOUT_MS = 5 * 60_000
const MOST_CONFLICT_BYTES = 1024 ** 2

export type MergeDeps = { git: Git; clock: Clock; gitDir: string }

/** Brings `commit` into a branch without a checkout; the branch is created when missing, and never loses a commit. */
export async function mergeInto(
  deps: MergeDeps,
  branch: string,
  commit: string,
  message: string,
): Promise<Integration> {
  const refs = new Refs(deps.git, deps.gitDir)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const made = await makeCandidate(deps, branch, commit, message)
    if (made.result === 'conflict') return made
    const { result, onto } = made
    if (result === 'already-there' || (await refs.move(headOf(branch), onto, made.commit)))
      return { result, commit: made.commit }
  }
  throw new HubError('git-failed', `${branch} moved ${MOST_TRIES} times while ${commit} was merged into it; try again`)
}

/**
 * The commit with which the branch would hold `commit` too; no ref moves. `kept` is one that was made before: when it
 * merges the same two commits to the same files, it is the answer, so that what was verified stays what it was.
 */
export async function makeCandidate(
  deps: MergeDeps,
  branch: string,
  commit: string,
  message: string,
  kept: string | null = null,
): Promise<Candidate> {
  const refs = new Refs(deps.git, deps.gitDir)
  const theirs = await refs.tip(checkCommit(commit))
  if (theirs === null) throw new HubError('missing', `The hub has no commit ${commit}.`)
  const ours = await refs.tip(headOf(branch))
  if (ours === null) return { result: 'fast-forward', commit: theirs, onto: null }
  if (await refs.contains(ours, theirs)) return { result: 'already-there', commit: ours, onto: ours }
  if (await refs.contains(theirs, ours)) return { result: 'fast-forward', commit: theirs, onto: ours }
  const tree = await mergeTrees(deps, branch, ours, theirs)
  if (typeof tree !== 'string') return { result: 'conflict', files: tree, ours, theirs }
  const same = kept !== null && (await refs.madeOf(kept)).join() === [tree, ours, theirs].join()
  return { result: 'merged', commit: same ? kept : await commitMerge(deps, tree, ours, theirs, message), onto: ours }
}

/** The merged tree, or the files that conflict. */
async function mergeTrees(deps: MergeDeps, branch: string, ours: string, theirs: string): Promise<string | string[]> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]
  try {
    const limitBytes = MOST_CONFLICT_BYTES
    const { gitDir, git } = deps
    const { code, stdout } = await git.run({ gitDir, args, answers: [1], timeoutMs: MERGE_TIMEOUT_MS, limitBytes })
    const [tree = '', ...files] = stdout
      .toString('utf8')
      .split('\0')
      .filter((part) => part !== '')
    return code === 0 ? tree : [...new Set(files)]
  } catch (error) {
    if (error instanceof GitFailure && /unrelated histories/.test(error.stderr)) {
      throw new HubError('refused', `${theirs} shares no history with ${branch}, so it cannot be merged into it.`, {
        cause: error,
      })
    }
    throw error
  }
}

function commitMerge(deps: MergeDeps, tree: string, ours: string, theirs: string, message: string): Promise<string> {
  const when = `${Math.floor(deps.clock.now() / 1000)} +0000`
  return deps.git.text({
    gitDir: deps.gitDir,
    args: ['commit-tree', tree, '-p', ours, '-p', theirs, '-F', '-'],
    input: message.endsWith('\n') ? message : `${message}\n`,
    env: {
      GIT_AUTHOR_NAME: 'Beadloom',
      GIT_AUTHOR_EMAIL: 'beadloom@localhost',
      GIT_AUTHOR_DATE: when,
      GIT_COMMITTER_NAME: 'Beadloom',
      GIT_COMMITTER_EMAIL: 'beadloom@localhost',
      GIT_COMMITTER_DATE: when,
    },
  })
}
