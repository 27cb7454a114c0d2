import { shadows } from '@beadloom/core/project/branch-name.ts'
import { HubError } from '../../ports/hub.ts'
import { MIRRORED, remoteHeadOf } from '../clones/names.ts'
import type { Refs } from '../git/refs.ts'
import type { Remote } from './remote.ts'

/*
 * Finds a project's base branch if none is named, and the advice if there is none. No advice here moves a working
 * tree's HEAD or its index.
 */

export const REMOTE_HEADS = 'refs/remotes/origin/'

/** A remote's HEAD: the branch that it names, and its commit; null: none. */
export type RemoteHead = { branch: string | null; commit: string | null }

/** Reads the answer of `git ls-remote --symref … HEAD`. */
export const parseHead = (answer: string): RemoteHead => ({
  branch: /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer)?.[1] ?? null,
  commit: /^([0-9a-f]{40,64})\tHEAD$/m.exec(answer)?.[1] ?? null,
})

export async function chooseDefault(refs: Refs, remote: Remote, head: RemoteHead): Promise<string> {
  for (const branch of [head.branch, 'main', 'master']) {
    if (branch !== null && (await refs.tip(remoteHeadOf(branch))) !== null) return branch
  }
  const all = await branchesOf(refs)
  if (all.length === 0) throw noBranches(remote, head)
  const branches = await withoutOwn(refs, all)
  const there = await branchesAt(refs, branches, head.commit)
  const why =
    head.branch !== null
      ? `its HEAD names ${head.branch}, which does not exist`
      : head.commit === null
        ? 'its HEAD names no branch that exists'
        : `its HEAD is at the commit ${head.commit.slice(0, 12)} and on no branch (a detached HEAD)`
  const offered = there[0] ?? branches[0]
  if (offered === undefined)
    throw new HubError(
      'no-default-branch',
      `${remote.name} has no default branch: ${why}. It has only what Beadloom published there (${listed(all)}). Push the branch that work starts from again.`,
    )
  throw new HubError(
    'no-default-branch',
    `${remote.name} has no default branch: ${why}, and there is neither main nor master. It has ${listed(branches)}${there.length > 0 ? `; at that commit ${there.length > 1 ? 'are' : 'is'} ${listed(there)}` : ''}. Name the one that work starts from as the base branch: --base ${offered}`,
  )
}

export async function noSuchBranch(refs: Refs, remote: Remote, branch: string, head: RemoteHead): Promise<HubError> {
  const all = await branchesOf(refs)
  if (all.length === 0) return noBranches(remote, head)
  const branches = await withoutOwn(refs, all)
  if (branches.length === 0)
    return new HubError(
      'no-default-branch',
      `${remote.name} has no branch ${branch}, only what Beadloom published there (${listed(all)}). Push ${branch} again.`,
    )
  return new HubError(
    'no-default-branch',
    `${remote.name} has no branch ${branch} (it has ${listed(branches)}). Name one that exists: "baseBranch" in the default branch's beadloom.json, or --base where the project is added.`,
  )
}

/** An existing branch that rules this one out, because git would need it as a folder too; null: none does. */
export async function inTheWayOf(refs: Refs, branch: string): Promise<string | null> {
  const [root = branch] = branch.split('/', 1)
  const near = [...(await refs.under(`${REMOTE_HEADS}${root}/`)).map((name) => `${root}/${name}`), root]
  for (const name of near)
    if (name !== branch && shadows(name, branch) && (await refs.tip(remoteHeadOf(name))) !== null) return name
  return null
}

function noBranches(remote: Remote, { commit }: RemoteHead): HubError {
  if (commit === null)
    return new HubError(
      'empty',
      `${remote.name} has no commits yet. Make a first commit on its main branch (and push it).`,
    )
  const short = commit.slice(0, 12)
  const how =
    remote.kind === 'path' ? ` Make one there: git branch main ${short} leaves HEAD and files as they are.` : ''
  return new HubError('no-default-branch', `${remote.name} has commits and no branch: its HEAD is at ${short}.${how}`)
}

async function branchesAt(refs: Refs, branches: readonly string[], commit: string | null): Promise<string[]> {
  const there: string[] = []
  if (commit === null) return there
  for (const branch of branches.slice(0, MOST_COMPARED))
    if ((await refs.tip(remoteHeadOf(branch))) === commit) there.push(branch)
  return there
}
const MOST_COMPARED = 1000

const branchesOf = (refs: Refs) => refs.under(REMOTE_HEADS)

/** Branches that the hub has published are no base: work would start from itself. */
async function withoutOwn(refs: Refs, branches: readonly string[]): Promise<string[]> {
  const here = new Set(await refs.under('refs/heads/'))
  for (const mirrored of await refs.under(MIRRORED)) here.delete(mirrored)
  return branches.filter((branch) => !here.has(branch))
}

const listed = (branches: readonly string[]) =>
  branches.length <= 10 ? branches.join(', ') : `${branches.slice(0, 10).join(', ')} and ${branches.length - 10} more`
