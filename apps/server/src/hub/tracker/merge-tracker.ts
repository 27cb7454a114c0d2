import type { Signature } from '@beadloom/core/records/identity.ts'
import type { MergeTracker, TrackerOf } from '../../ports/hub/merges.ts'
import type { Clock } from '../../process/clock.ts'
import type { Git } from '../git/git.ts'
import { remoteHeadOf } from '../clones/names.ts'
import { Refs } from '../git/refs.ts'
import { type Entry, sameEntry, TrackerTree } from './tracker-tree.ts'

/** `by`: author of the commits. */
export type TrackerDeps = { git: Git; clock: Clock; gitDir: string; mergeTracker: MergeTracker; by: Signature }

/** `unreadable`: both sides changed it, and one of them cannot be read as beads. */
export type MergedEntry = { entry: Entry | null } | 'unreadable'

/** The merged entry. Their side decides whether there is a file at all. */
export async function mergeEntries(
  deps: TrackerDeps,
  former: Entry | null,
  ours: Entry | null,
  theirs: Entry | null,
): Promise<MergedEntry> {
  if (sameEntry(former, theirs) || sameEntry(ours, theirs)) return { entry: ours }
  if (sameEntry(former, ours) || ours === null || theirs === null) return { entry: theirs }
  const tree = new TrackerTree(deps)
  const texts = [
    former === null ? '' : await tree.text(former),
    await tree.text(ours),
    await tree.text(theirs),
  ] as const
  const [before, mine, other] = texts
  if (before === null || mine === null || other === null) return 'unreadable'
  const merged = await deps.mergeTracker(before, mine, other)
  if (merged === null) return 'unreadable'
  return { entry: merged === other ? theirs : await tree.store(merged, theirs.mode) }
}

/** The merge of two commits' files, based on their common ancestor. */
export async function mergedFileOf(deps: TrackerDeps, ours: string, theirs: string): Promise<MergedEntry> {
  const tree = new TrackerTree(deps)
  const base = await new Refs(deps.git, deps.gitDir).mergeBase(ours, theirs)
  const former = base === null ? null : await tree.entry(base)
  return mergeEntries(deps, former, await tree.entry(ours), await tree.entry(theirs))
}

/** `leftOut`: the author of `theirs` changed the file, and the change was not taken. */
export type AlignedCommits = { ours: string; theirs: string; leftOut: boolean }

/**
 * The two commits for git to merge, both with the same tracker's file, so that git has nothing to decide there: no
 * lines conflict, and none comes from an author whose changes do not count.
 */
export async function alignTracker(
  deps: TrackerDeps,
  ours: string,
  theirs: string,
  whose: TrackerOf,
): Promise<AlignedCommits> {
  const tree = new TrackerTree(deps)
  const [mine, other] = [await tree.entry(ours), await tree.entry(theirs)]
  // Not for an author without trust, whose file may equal ours because it drops people's changes.
  if (typeof whose === 'string' && sameEntry(mine, other)) return { ours, theirs, leftOut: false }
  const as = async (entry: Entry | null) => ({
    ours: sameEntry(mine, entry) ? ours : await standIn(deps, ours, entry),
    theirs: sameEntry(other, entry) ? theirs : await standIn(deps, theirs, entry),
  })
  if (whose === 'incoming') return { ...(await as(other)), leftOut: false }
  if (whose !== 'both') {
    const { entry, leftOut } = await trustedEntry(deps, ours, theirs, whose.trust)
    return { ...(await as(entry)), leftOut }
  }
  const merged = await mergedFileOf(deps, ours, theirs)
  // Git then reports a conflict in the file, and a person has to look at it.
  return merged === 'unreadable' ? { ours, theirs, leftOut: false } : { ...(await as(merged.entry)), leftOut: false }
}

/**
 * Our file, with people's changes on these branches of the remote, as far as `theirs` contains them: an agent that
 * merged such a branch into its work brought them along, and once they are history no later merge would bring them in.
 */
export async function trustedEntry(
  deps: TrackerDeps,
  ours: string,
  theirs: string,
  trust: readonly string[],
): Promise<{ entry: Entry | null; leftOut: boolean }> {
  const tree = new TrackerTree(deps)
  const refs = new Refs(deps.git, deps.gitDir)
  const [before, other] = [await refs.mergeBase(ours, theirs), await tree.entry(theirs)]
  let entry = await tree.entry(ours)
  const known = [entry, before === null ? null : await tree.entry(before)]
  for (const branch of new Set(trust)) {
    const tip = await refs.tip(remoteHeadOf(branch))
    const held = tip && (await refs.mergeBase(theirs, tip))
    if (!held || (await refs.contains(ours, held))) continue
    const [start, said] = [await refs.mergeBase(ours, held), await tree.entry(held)]
    known.push(said)
    const merged = await mergeEntries(deps, start === null ? null : await tree.entry(start), entry, said)
    if (merged !== 'unreadable') ({ entry } = merged)
  }
  known.push(entry)
  return { entry, leftOut: known.every((one) => !sameEntry(one, other)) }
}

/** A commit that exists only for the merge; no ref ever points to it. */
async function standIn(deps: TrackerDeps, commit: string, entry: Entry | null): Promise<string> {
  const tree = new TrackerTree(deps)
  return tree.commit(await tree.treeWith(commit, entry), [commit], 'Stands in for its parent in a merge', deps)
}
