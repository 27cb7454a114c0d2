import { headOf, remoteHeadOf, rewrittenOf } from '../clones/names.ts'
import type { Git } from '../git/git.ts'
import { Refs, type Move } from '../git/refs.ts'

/*
 * A base branch may be pushed by force: a commit was amended, or a secret taken out. What the work branch has of it by then
 * stays there, because nothing is ever dropped, and comes back to the base branch with the next merge.
 */

/** Remembers where the base branch stood before somebody rewrote it: the first such place that is not settled yet. */
export async function noteOfRewrite(refs: Refs, branch: string, before: string | null, now: string): Promise<Move[]> {
  if (before === null || before === now || (await refs.contains(now, before))) return []
  const known = await refs.tip(rewrittenOf(branch))
  return known === null ? [{ ref: rewrittenOf(branch), from: null, to: before }] : []
}

/** How many commits the work branch has that the base branch had before it was rewritten, and has no more. */
export async function lostByRewrite(
  { git, gitDir }: { git: Git; gitDir: string },
  { baseBranch, workBranch }: { baseBranch: string; workBranch: string },
): Promise<number> {
  const refs = new Refs(git, gitDir)
  const before = await refs.tip(rewrittenOf(baseBranch))
  const [base, work] = [await refs.tip(remoteHeadOf(baseBranch)), await refs.tip(headOf(workBranch))]
  if (before === null || base === null || work === null) return 0
  const count = async (...not: string[]) => {
    const args = ['rev-list', '--count', before, ...not.map((commit) => `^${commit}`)]
    return Number(await git.text({ gitDir, args }))
  }
  const lost = (await count(base)) - (await count(base, work))
  if (lost === 0) await refs.remove([rewrittenOf(baseBranch)])
  return lost
}
