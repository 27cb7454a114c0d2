import type { Candidate, Integration, Merge, TrackerOf } from '../ports/hub/merges.ts'
import { HubError } from '../ports/hub.ts'
import { GitFailure } from './git/git.ts'
import { alignTracker, type TrackerDeps, trustedEntry } from './tracker/merge-tracker.ts'
import { candidateOf, checkCommit, headOf } from './clones/names.ts'
import { pathText } from './git/path-text.ts'
import { Refs } from './git/refs.ts'
import { sameEntry, TrackerTree } from './tracker/tracker-tree.ts'
import { withFiles } from './with-files.ts'

/** Others win the race for a branch only as often as they have something to add. */
const MOST_TRIES = 20
const MERGE_TIMEOUT_MS = 5 * 60_000
const MOST_CONFLICT_BYTES = 1024 ** 2

export type MergeDeps = TrackerDeps

/** Merge `commit` into `branch`. */
export type Wanted = Pick<Merge, 'branch' | 'commit' | 'message' | 'files'> & { tracker?: TrackerOf | undefined }

/** Brings `commit` into a branch without a checkout; the branch is created when missing, and never loses a commit. */
export async function mergeInto(
  deps: MergeDeps,
  branch: string,
  commit: string,
  message: string,
  tracker: TrackerOf = 'both',
): Promise<Integration> {
  const refs = new Refs(deps.git, deps.gitDir)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const made = await makeCandidate(deps, { branch, commit, message, tracker })
    if (made.result === 'conflict') return made
    const { result, onto } = made
    if (result === 'already-there' || (await refs.move(headOf(branch), onto, made.commit)))
      return { result, commit: made.commit }
  }
  throw new HubError('git-failed', `${branch} moved ${MOST_TRIES} times while ${commit} was merged into it; try again`)
}

/**
 * The commit that would bring `commit` into the branch; no ref moves. `kept` is an earlier one: if it merges the same
 * two commits into the same files it is returned, so that the verified commit stays the same.
 */
async function makeCandidate(
  deps: MergeDeps,
  { branch, commit, message, tracker = 'both', files: taken }: Wanted,
  kept: string | null = null,
): Promise<Candidate> {
  const refs = new Refs(deps.git, deps.gitDir)
  const theirs = await refs.tip(checkCommit(commit))
  if (theirs === null) throw new HubError('missing', `The hub has no commit ${commit}.`)
  const ours = await refs.tip(headOf(branch))
  if (ours === null) return { result: 'fast-forward', commit: theirs, onto: null }
  if (await refs.contains(ours, theirs)) return { result: 'already-there', commit: ours, onto: ours }
  const made = (await refs.contains(theirs, ours))
    ? await forward(deps, ours, theirs, tracker)
    : await mergeTrees(deps, branch, ours, theirs, tracker)
  if (made === 'as it is') return { result: 'fast-forward', commit: theirs, onto: ours }
  const { files, leftOut } = made
  if (files && !(taken && files.every((file) => taken.paths.includes(file))))
    return { result: 'conflict', files, ours, theirs }
  const tree = files && taken ? await withFiles(deps, made.tree, taken.of ?? ours, taken.paths) : made.tree
  const same = kept !== null && (await refs.madeOf(kept)).join() === [tree, ours, theirs].join()
  const merged = same ? kept : await new TrackerTree(deps).commit(tree, [ours, theirs], message, deps)
  return { result: 'merged', commit: merged, onto: ours, ...(leftOut ? { leftOut } : {}) }
}

/** The candidate, made or found again. A ref keeps it from garbage collection while it is verified. */
export async function keepCandidate(deps: MergeDeps, merge: Merge): Promise<Candidate> {
  const refs = new Refs(deps.git, deps.gitDir)
  const keep = candidateOf(merge.execution, merge.branch)
  const kept = await refs.tip(keep)
  const made = await makeCandidate(deps, merge, kept)
  if (made.result === 'merged' || made.result === 'fast-forward') {
    if (made.commit !== kept) await refs.move(keep, kept, made.commit)
  }
  return made
}

/** The candidate, if the branch contains it: then it was verified, because nothing else moves a branch to it. */
export async function broughtInto(deps: MergeDeps, merge: Omit<Merge, 'message'>): Promise<string | null> {
  const refs = new Refs(deps.git, deps.gitDir)
  const kept = await refs.tip(candidateOf(merge.execution, merge.branch))
  const tip = await refs.tip(headOf(merge.branch))
  if (kept === null || tip === null) return null
  const whole = (await refs.contains(kept, checkCommit(merge.commit))) && (await refs.contains(tip, kept))
  return whole ? kept : null
}

/** `files`: conflicting files, which have both sides in the tree; absent: none conflicts. */
type Tree = { tree: string; leftOut: boolean; files?: string[] }

/** For `theirs` that contains all of ours: only its tracker's file may change, if its author has no say there. */
async function forward(deps: MergeDeps, ours: string, theirs: string, tracker: TrackerOf): Promise<Tree | 'as it is'> {
  if (typeof tracker === 'string') return 'as it is'
  const files = new TrackerTree(deps)
  const { entry, leftOut } = await trustedEntry(deps, ours, theirs, tracker.trust)
  if (sameEntry(entry, await files.entry(theirs))) return 'as it is'
  return { tree: await files.treeWith(theirs, entry), leftOut }
}

export async function mergeTrees(
  deps: MergeDeps,
  branch: string,
  ours: string,
  theirs: string,
  tracker: TrackerOf,
): Promise<Tree> {
  try {
    const aligned = await alignTracker(deps, ours, theirs, tracker)
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', aligned.ours, aligned.theirs]
    const limitBytes = MOST_CONFLICT_BYTES
    const { gitDir, git } = deps
    const { code, stdout } = await git.run({ gitDir, args, answers: [1], timeoutMs: MERGE_TIMEOUT_MS, limitBytes })
    const [tree = '', ...files] = stdout
      .toString('latin1')
      .split('\0')
      .filter((part) => part !== '')
    const made = { tree, leftOut: aligned.leftOut }
    return code === 0 ? made : { ...made, files: [...new Set(files.map(pathText))] }
  } catch (error) {
    if (error instanceof GitFailure && /unrelated histories/.test(error.stderr)) {
      throw new HubError('refused', `${theirs} shares no history with ${branch}, so it cannot be merged into it.`, {
        cause: error,
      })
    }
    throw error
  }
}

/** Makes one commit on `onto` with the files of `commit`; `onto` itself if the files are equal. */
export async function flatten(deps: MergeDeps, onto: string, commit: string, message: string): Promise<string> {
  const refs = new Refs(deps.git, deps.gitDir)
  const [tree = ''] = await refs.madeOf(commit)
  if (tree === (await refs.madeOf(onto))[0]) return onto
  return new TrackerTree(deps).commit(tree, [onto], message, deps)
}
