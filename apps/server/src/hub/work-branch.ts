import { mergeOf } from '@beadloom/core/records/branch.ts'
import { HubError, type WorkTip } from '../ports/hub.ts'
import { mirrorBase } from './remote/fetch.ts'
import { mergeInto, type MergeDeps } from './merge.ts'
import { checkBranch, headOf, remoteHeadOf } from './clones/names.ts'
import { Refs } from './git/refs.ts'

const MOST_FILES_NAMED = 10

/**
 * The work branch with everything that belongs in it: integrated work of the hub, pushes to the remote's work branch,
 * and the base branch. Commits that cannot be merged are left out and named in `behind`; nothing is ever dropped.
 */
export async function workTip(deps: MergeDeps, workBranch: string, baseBranch: string): Promise<WorkTip> {
  const refs = new Refs(deps.git, deps.gitDir)
  const base = await refs.tip(remoteHeadOf(baseBranch))
  if (base === null) {
    throw new HubError(
      'no-default-branch',
      `The project's repository has no branch ${checkBranch(baseBranch)}. Set baseBranch in beadloom.json to one that exists.`,
    )
  }
  await mirrorBase(refs, baseBranch, base)
  const remoteWork = await refs.tip(remoteHeadOf(workBranch))
  const former = await forgetOldMerge(deps, refs, { workBranch, baseBranch, base, remoteWork })
  const behind: string[] = []
  for (const [name, commit] of [
    [`the remote's ${workBranch}`, remoteWork],
    [baseBranch, base],
  ] as const) {
    if (commit === null) continue
    const sentence = await bringIn(deps, workBranch, name, commit)
    if (sentence !== null) behind.push(sentence)
  }
  // The new commits conflict: the earlier merge is better than nothing.
  if (former && behind.length > 0) await refs.move(headOf(workBranch), former.before, former.tip)
  const tip = await refs.tip(headOf(workBranch))
  if (tip === null) throw new HubError('git-failed', `${workBranch} vanished while it was brought up to date`)
  return { commit: tip, published: remoteWork ?? base, behind: behind.length === 0 ? null : behind.join(' ') }
}

/** The same with pushes to the remote's work branch, and nothing else. */
export async function takeUpWork(deps: MergeDeps, workBranch: string): Promise<void> {
  const remote = await new Refs(deps.git, deps.gitDir).tip(remoteHeadOf(workBranch))
  if (remote !== null) await bringIn(deps, workBranch, `the remote's ${workBranch}`, remote)
}

type Ends = { workBranch: string; baseBranch: string; base: string; remoteWork: string | null }

/**
 * A merge of the base branch that nobody has built on gives way to a merge of the current base branch: an idle project
 * would collect one for every push, and publish them all with its next bead.
 */
async function forgetOldMerge(
  deps: MergeDeps,
  refs: Refs,
  ends: Ends,
): Promise<{ before: string; tip: string } | null> {
  const { workBranch, baseBranch, base, remoteWork } = ends
  const work = headOf(workBranch)
  const tip = await refs.tip(work)
  if (tip === null || (await refs.contains(tip, base))) return null
  const [, before, merged, ...more] = await refs.madeOf(tip)
  if (before === undefined || merged === undefined || more.length > 0 || !(await refs.contains(base, merged)))
    return null
  const { gitDir, git } = deps
  const subject = await git.text({ gitDir, args: ['show', '--no-patch', '--format=%s', tip] })
  if (subject !== mergeOf(baseBranch, workBranch)) return null
  if (remoteWork !== null && (await refs.contains(remoteWork, tip))) return null
  const args = ['for-each-ref', `--contains=${tip}`, '--format=%(refname)']
  const others = (await git.text({ gitDir, args })).split('\n').filter((ref) => ref !== '' && ref !== work)
  return others.length === 0 && (await refs.move(work, tip, before)) ? { before, tip } : null
}

async function bringIn(deps: MergeDeps, workBranch: string, name: string, commit: string): Promise<string | null> {
  const advice = `Merge it by hand and push ${workBranch}.`
  try {
    const done = await mergeInto(deps, workBranch, commit, mergeOf(name, workBranch))
    if (done.result !== 'conflict') return null
    const named = done.files.slice(0, MOST_FILES_NAMED).map((file) => JSON.stringify(file).slice(1, -1))
    const more = done.files.length > named.length ? ` and ${done.files.length - named.length} more files` : ''
    return `${name} could not be merged into ${workBranch}: conflicts in ${named.join(', ')}${more}. ${advice}`
  } catch (error) {
    if (!(error instanceof HubError) || error.kind !== 'refused') throw error
    return `${name} could not be merged into ${workBranch}: ${error.message} ${advice}`
  }
}
