import type { Join, Joined } from '../ports/hub/merges.ts'
import { checkCommit, checkRef } from './clones/names.ts'
import { Refs } from './git/refs.ts'
import { mergeTrees, type MergeDeps } from './merge.ts'
import { TrackerTree } from './tracker/tracker-tree.ts'

/**
 * One commit on `onto` with the changes of each of these commits since its start. Each step is an ordinary merge of two
 * commits, whose newest common ancestor is the second one's start; only its tree is kept.
 */
export async function joinCommits(deps: MergeDeps, { onto, commits, message, ref }: Join): Promise<Joined | null> {
  const refs = new Refs(deps.git, deps.gitDir)
  const trees = new TrackerTree(deps)
  const keep = checkRef(ref)
  const base = checkCommit(onto)
  const treeOf = async (commit: string): Promise<string> => (await refs.madeOf(checkCommit(commit)))[0] ?? ''
  const begin = await treeOf(base)
  let tree = begin
  for (const [at, { commit, from }] of commits.entries()) {
    if ((await treeOf(commit)) === (await treeOf(from))) continue // it changed nothing
    if (tree === begin) tree = await treeOf(commit)
    else {
      const parents = [...new Set([base, checkCommit(from)])]
      const ours = await trees.commit(tree, parents, message, deps)
      const merged = await mergeTrees(deps, 'the phase', ours, commit, 'both')
      if (merged.files) return { result: 'conflict', files: merged.files, at }
      tree = merged.tree
    }
  }
  if (tree === begin) return null
  const known = await refs.tip(keep)
  if (known !== null && (await refs.madeOf(known)).join() === [tree, base].join())
    return { result: 'joined', commit: known }
  const joined = await trees.commit(tree, [base], message, deps)
  await refs.move(keep, known, joined)
  return { result: 'joined', commit: joined }
}
