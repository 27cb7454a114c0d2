import { parseExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { HubError, type Hub } from '../../ports/hub.ts'
import { CANDIDATES, candidatesOf, checkCommit, checkRef, headOf } from '../clones/names.ts'
import { Refs } from '../git/refs.ts'
import { importFolder } from '../import-folder.ts'
import { joinCommits } from '../join.ts'
import { broughtInto, flatten, keepCandidate, mergeInto } from '../merge.ts'
import { takeUpWork, workTip } from '../work-branch.ts'
import type { HubParts } from './parts.ts'

type Merges = Pick<
  Hub,
  | 'workTip'
  | 'takeUpWork'
  | 'ensureBranch'
  | 'integrate'
  | 'candidate'
  | 'brought'
  | 'forgetCandidates'
  | 'advance'
  | 'flatten'
  | 'keep'
  | 'join'
  | 'importFolder'
>

/** Makes commits and moves refs of a clone, one change of a project at a time. */
export function hubMerges(parts: HubParts): Merges {
  const { git, clones, clock, queue, existing, merging, refsOf } = parts
  return {
    workTip: (project, workBranch, baseBranch, by) =>
      queue.run(project.id, async () => {
        await clones.prepare(project.id)
        return workTip(await merging(project.id, by), workBranch, baseBranch)
      }),
    takeUpWork: (project, workBranch, by) =>
      queue.run(project.id, async () => takeUpWork(await merging(project.id, by), workBranch)),
    ensureBranch: (project, branch, commit) => queue.run(project, () => ensureBranch(parts, project, branch, commit)),
    integrate: (project, branch, commit, message, tracker, by) =>
      queue.run(project, async () => mergeInto(await merging(project, by), branch, commit, message, tracker)),
    candidate: (merge) =>
      queue.run(merge.project, async () => keepCandidate(await merging(merge.project, merge.by), merge)),
    brought: async (merge) => broughtInto(await merging(merge.project), merge),
    forgetCandidates: (project, isOver) =>
      queue.run(project, async () => {
        const gitDir = await clones.known(project)
        if (gitDir === null) return
        const refs = new Refs(git, gitDir)
        const owners = new Set((await refs.under(CANDIDATES)).map((name) => name.slice(0, name.indexOf('/'))))
        for (const owner of owners) if (isOver(parseExecutionId(owner))) await refs.removeUnder(candidatesOf(owner))
      }),
    advance: (project, branch, from, to) =>
      queue.run(project, async () => (await refsOf(project)).move(headOf(branch), from, checkCommit(to))),
    flatten: async (project, { onto, commit, message, by }) =>
      flatten(await merging(project, by), checkCommit(onto), checkCommit(commit), message),
    keep: (project, ref, commit) =>
      queue.run(project, async () => {
        await (await refsOf(project)).move(checkRef(ref), null, checkCommit(commit))
      }),
    join: (project, wanted) => queue.run(project, async () => joinCommits(await merging(project, wanted.by), wanted)),
    importFolder: async (project, folder) => {
      const { onto } = folder
      const checked = { ...folder, ref: checkRef(folder.ref), onto: onto === null ? null : checkCommit(onto) }
      return importFolder({ ...(await existing(project)), clock }, checked)
    },
  }
}

async function ensureBranch({ refsOf }: HubParts, project: ProjectId, branch: string, commit: string): Promise<string> {
  const refs = await refsOf(project)
  const ref = headOf(branch)
  const known = await refs.tip(ref)
  if (known !== null) return known
  if (await refs.move(ref, null, checkCommit(commit))) return commit
  const first = await refs.tip(ref) // somebody made it just now
  if (first === null) throw new HubError('git-failed', `${branch} could not be created at ${commit}`)
  return first
}
