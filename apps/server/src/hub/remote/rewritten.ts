import { mergeTrees, type MergeDeps } from '../merge.ts'
import type { Rewrite } from '../../ports/hub.ts'
import { headOf, remoteHeadOf, rewritesOf, seenOf } from '../clones/names.ts'
import { Refs, type Move } from '../git/refs.ts'

/*
 * A branch may be pushed by force or deleted on the remote: a commit was amended, a secret taken out, a pull request
 * closed. Commits that the hub's work branch already has stay there, because nothing is ever dropped, and the next
 * publish or merge returns them to the remote.
 */

export type Branches = { baseBranch: string; workBranch: string }

/** Remembers the base branch's tip before each rewrite. */
export async function noteOfRewrite(refs: Refs, branch: string, before: string | null, now: string): Promise<Move[]> {
  if (before === null || before === now || (await refs.contains(now, before))) return []
  const ref = `${rewritesOf(branch)}${before}`
  return [{ ref, from: await refs.tip(ref), to: before }]
}

/** For each earlier tip of a rewritten base branch: how many of its commits the work branch has and the base lacks. */
export async function lostByRewrite(deps: MergeDeps, { baseBranch, workBranch }: Branches): Promise<Rewrite[]> {
  const refs = new Refs(deps.git, deps.gitDir)
  const places = (await refs.under(rewritesOf(baseBranch))).filter((name) => !name.includes('/'))
  const [base, work] = [await refs.tip(remoteHeadOf(baseBranch)), await refs.tip(headOf(workBranch))]
  if (base === null || work === null) return []
  const lost: Rewrite[] = []
  for (const before of places) {
    const commits = await missing(deps, before, [base], work)
    if (commits > 0) lost.push({ before, commits })
    else await refs.remove([`${rewritesOf(baseBranch)}${before}`])
  }
  return lost
}

/**
 * The number of commits that the remote's work branch has lost and the base branch lacks; the hub's work branch has
 * them.
 */
export async function lostOnRemote(deps: MergeDeps, { baseBranch, workBranch }: Branches): Promise<number> {
  const refs = new Refs(deps.git, deps.gitDir)
  const [seen, remote] = [await refs.tip(seenOf(workBranch)), await refs.tip(remoteHeadOf(workBranch))]
  const [base, work] = [await refs.tip(remoteHeadOf(baseBranch)), await refs.tip(headOf(workBranch))]
  if (base === null || work === null) return 0
  if (seen !== null && !(remote !== null && (await refs.contains(remote, seen)))) {
    const lost = await missing(deps, seen, remote === null ? [base] : [base, remote], work)
    if (lost > 0 && !(await isSquashed(deps, base, seen))) return lost
  }
  if (remote !== null) await refs.move(seenOf(workBranch), seen, remote)
  else if (seen !== null) await refs.remove([seenOf(workBranch)])
  return 0
}

/** The number of commits of `before` that are in `work` but in none of `now`. */
async function missing({ git, gitDir }: MergeDeps, before: string, now: string[], work: string): Promise<number> {
  const count = async (not: string[]) => {
    const args = ['rev-list', '--count', before, ...not.map((commit) => `^${commit}`)]
    return Number(await git.text({ gitDir, args }))
  }
  return (await count(now)) - (await count([...now, work]))
}

/** Forges merge a pull request as one commit of their own, and delete its branch: the base branch has all of it. */
async function isSquashed(deps: MergeDeps, base: string, commit: string): Promise<boolean> {
  const refs = new Refs(deps.git, deps.gitDir)
  if ((await refs.mergeBase(base, commit)) === null) return false // a base branch that somebody began anew
  const { tree, files } = await mergeTrees(deps, 'the base branch', base, commit, 'both')
  const [whole] = await refs.madeOf(base)
  return files === undefined && tree === whole
}
