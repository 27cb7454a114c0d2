import {
  HubError,
  type HubProject,
  type Published,
  type TrackerBranches,
  type TrackerEdit,
  type TrackerText,
  type TrackerWritten,
} from '../ports/hub.ts'
import { mergeInto } from './merge.ts'
import { mergedFileOf, type TrackerDeps } from './merge-tracker.ts'
import { headOf, remoteHeadOf } from './names.ts'
import { Refs } from './refs.ts'
import { sameEntry, TrackerTree } from './tracker-tree.ts'
import { workTip } from './work-branch.ts'

/** Who pushes to the work branch in between does so with work that took minutes; more is a race nobody wins. */
const MOST_TRIES = 5

/** `onto`: what the remote's work branch is, or will begin at. `whole`: the remote has all of it. */
type Seen = { text: string | null; base: string; onto: string; whole: boolean }

/**
 * The file of the base branch, with what the work branch says and base does not have yet. The hub's own work branch
 * counts as long as it holds the remote's: it knows more of what base and it have agreed on before, also where the
 * remote's was removed.
 */
async function look(
  deps: TrackerDeps,
  { workBranch, baseBranch }: TrackerBranches,
  of: 'hub' | 'remote',
): Promise<Seen | { problem: string }> {
  const refs = new Refs(deps.git, deps.gitDir)
  const tree = new TrackerTree(deps)
  const base = await refs.tip(remoteHeadOf(baseBranch))
  if (base === null) throw new HubError('no-default-branch', `The project's repository has no branch ${baseBranch}.`)
  const remote = await refs.tip(remoteHeadOf(workBranch))
  const own = await refs.tip(headOf(workBranch))
  const ahead = of === 'hub' && own !== null && (remote === null || (await refs.contains(own, remote)))
  const work = ahead ? own : remote
  const whole = work === remote
  const merged = work === null ? { entry: await tree.entry(base) } : await mergedFileOf(deps, work, base)
  if (merged === 'unreadable')
    return {
      problem: `the tracker's file cannot be read as beads on ${workBranch} or ${baseBranch}, and both have changed it: mend it there, and sync again`,
    }
  const onto = remote ?? base
  if (merged.entry === null) return { text: null, base, onto, whole }
  const text = await tree.text(merged.entry)
  if (text !== null) return { text, base, onto, whole }
  return {
    problem: `the tracker's file is no text of beads on ${workBranch} or ${baseBranch}: mend it, and sync again`,
  }
}

export async function trackerFile(deps: TrackerDeps, branches: TrackerBranches): Promise<TrackerText> {
  const refs = new Refs(deps.git, deps.gitDir)
  const { workBranch, baseBranch } = branches
  const began = (await refs.tip(headOf(workBranch))) ?? (await refs.tip(remoteHeadOf(workBranch)))
  // What the two agree on becomes history, so that a later word on the base branch is a newer one.
  if (began !== null) await workTip(deps, workBranch, baseBranch)
  const seen = await look(deps, branches, 'hub')
  return 'problem' in seen ? seen : { text: seen.text, commit: seen.base }
}

/** What the hub does for it, each in its own turn. */
export type TrackerRemote = {
  fetch(project: HubProject): Promise<unknown>
  push(project: HubProject, ref: string, commit: string): Promise<Published>
}

/** The commit goes on top of what the remote has, so that nothing is published with it that was never verified. */
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
        // The executions' own merges build on it; what stands against that is said when the branch is brought up to date.
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
  const seen = await look(deps, branches, 'hub')
  if ('problem' in seen) return { result: 'later', text: seen.problem }
  const { text, onto } = seen
  if (text === null) return { result: 'later', text: `no branch has the tracker's file` }
  // Before the edit that counts: the caller keeps what became of each change in the last one.
  const known = seen.whole || (await isThere(deps, branches, edit))
  const { text: next, message } = edit(text)
  if (next === text && known) return { result: 'written', commit: null }
  const there = await tree.entry(onto)
  const entry = await tree.store(next, there?.mode.startsWith('100') ? there.mode : undefined)
  if (sameEntry(entry, there)) return { result: 'written', commit: null }
  return tree.commit(await tree.treeWith(onto, entry), [onto], message, deps.clock)
}

/** Whether what was written before has reached the remote, and is still there. */
async function isThere(deps: TrackerDeps, branches: TrackerBranches, edit: TrackerEdit): Promise<boolean> {
  const seen = await look(deps, branches, 'remote')
  return !('problem' in seen) && seen.text !== null && edit(seen.text).text === seen.text
}
