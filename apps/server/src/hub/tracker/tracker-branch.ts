import { HubError, type HubProject, type Published } from '../../ports/hub.ts'
import type { TrackerBranches, TrackerEdit, TrackerText, TrackerWritten } from '../../ports/hub/merges.ts'
import { mergeInto } from '../merge.ts'
import { mergedFileOf, type TrackerDeps } from './merge-tracker.ts'
import { headOf, remoteHeadOf, trackerOf } from '../clones/names.ts'
import { Refs } from '../git/refs.ts'
import { sameEntry, TrackerTree } from './tracker-tree.ts'

/** Others that push to the work branch need minutes for each push; after more losses the race cannot be won. */
const MOST_TRIES = 5

/** `onto`: the tip of the remote's work branch, or its future start. */
type Seen = { text: string | null; base: string; onto: string }

/**
 * The base branch's file, plus the work branch's changes that base does not have yet. The two are merged on a ref that
 * only the server sees. That merge becomes history there, so a later change on either branch counts as newer, also
 * after a squashed merge and if the branches' code conflicts.
 */
async function look(
  deps: TrackerDeps,
  { workBranch, baseBranch }: TrackerBranches,
): Promise<Seen | { problem: string }> {
  const refs = new Refs(deps.git, deps.gitDir)
  const base = await refs.tip(remoteHeadOf(baseBranch))
  if (base === null) throw new HubError('no-default-branch', `The project's repository has no branch ${baseBranch}.`)
  const remote = await refs.tip(remoteHeadOf(workBranch))
  const known = await refs.tip(trackerOf(workBranch))
  let all = known ?? (await workOf(refs, workBranch, remote)) ?? base
  for (const incoming of [remote, base]) {
    const merged = incoming === null ? all : await bringIn(deps, refs, all, incoming)
    if (merged === null) return unreadable(workBranch, baseBranch)
    all = merged
  }
  if (all !== known) await refs.move(trackerOf(workBranch), known, all) // the winner merged the same
  const tree = new TrackerTree(deps)
  const entry = await tree.entry(all)
  const text = entry && (await tree.text(entry))
  if (entry !== null && text === null) return unreadable(workBranch, baseBranch)
  return { text, base, onto: remote ?? base }
}

/** Only the file matters in these commits: they are never published, and their other files are never used. */
async function bringIn(deps: TrackerDeps, refs: Refs, all: string, incoming: string): Promise<string | null> {
  if (await refs.contains(all, incoming)) return all
  if (await refs.contains(incoming, all)) return incoming
  const merged = await mergedFileOf(deps, all, incoming)
  if (merged === 'unreadable') return null
  const tree = new TrackerTree(deps)
  return tree.commit(await tree.treeWith(incoming, merged.entry), [all, incoming], 'Beads of both', deps)
}

/** If the remote's work branch was deleted, the hub's own still has the changes written to it. */
async function workOf(refs: Refs, workBranch: string, remote: string | null): Promise<string | null> {
  const own = await refs.tip(headOf(workBranch))
  return own !== null && (remote === null || (await refs.contains(own, remote))) ? own : remote
}

const unreadable = (workBranch: string, baseBranch: string) => ({
  problem: `the tracker's file on ${workBranch} or ${baseBranch} cannot be read as beads: fix it there and sync again`,
})

export async function trackerFile(deps: TrackerDeps, branches: TrackerBranches): Promise<TrackerText> {
  const seen = await look(deps, branches)
  return 'problem' in seen ? seen : { text: seen.text, commit: seen.base }
}

/** The hub's parts for `writeTracker`, each in its turn of the project's queue. */
export type TrackerRemote = {
  fetch(project: HubProject): Promise<unknown>
  push(project: HubProject, ref: string, commit: string): Promise<Published>
}

/** Commits on top of the remote's branch, so that nothing unverified is published along with it. */
export async function writeTracker(
  deps: TrackerDeps,
  remote: TrackerRemote,
  project: HubProject,
  branches: TrackerBranches,
  edit: TrackerEdit,
): Promise<TrackerWritten> {
  const { workBranch } = branches
  try {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const made = await makeCommit(deps, branches, edit)
      if (typeof made !== 'string') return made
      const { failed } = await remote.push(project, headOf(workBranch), made)
      const [problem] = failed
      if (!problem) {
        // Executions merge on top of it. A conflict here is reported when the work branch is brought up to date.
        await mergeInto(deps, workBranch, made, `Merge the tracker's changes into ${workBranch}`)
        return { result: 'written', commit: made }
      }
      if (problem.kind !== 'moved') return { result: 'later', text: problem.why }
      await remote.fetch(project)
    }
    return { result: 'later', text: `${workBranch} moved ${MOST_TRIES} times while the beads were written to it` }
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return { result: 'later', text: error.message }
  }
}

async function makeCommit(
  deps: TrackerDeps,
  branches: TrackerBranches,
  edit: TrackerEdit,
): Promise<string | TrackerWritten> {
  const tree = new TrackerTree(deps)
  const seen = await look(deps, branches)
  if ('problem' in seen) return { result: 'later', text: seen.problem }
  const { text, onto } = seen
  if (text === null) return { result: 'later', text: `no branch has the tracker's file` }
  if ((await edit(text)).text === text && (await isThere(deps, branches, edit))) {
    await edit(text) // the caller keeps the results of the last call
    return { result: 'written', commit: null }
  }
  const { text: next, message } = await edit(text)
  const there = await tree.entry(onto)
  const entry = await tree.store(next, there?.mode.startsWith('100') ? there.mode : undefined)
  if (sameEntry(entry, there)) return { result: 'written', commit: null }
  return tree.commit(await tree.treeWith(onto, entry), [onto], message, deps)
}

/** Whether the earlier write has reached the remote, and is still there. */
async function isThere(deps: TrackerDeps, branches: TrackerBranches, edit: TrackerEdit): Promise<boolean> {
  const refs = new Refs(deps.git, deps.gitDir)
  const tree = new TrackerTree(deps)
  const base = await refs.tip(remoteHeadOf(branches.baseBranch))
  const remote = await refs.tip(remoteHeadOf(branches.workBranch))
  if (base === null) return false
  const merged = remote === null ? { entry: await tree.entry(base) } : await mergedFileOf(deps, remote, base)
  const text = merged === 'unreadable' || merged.entry === null ? null : await tree.text(merged.entry)
  return text !== null && (await edit(text)).text === text
}
