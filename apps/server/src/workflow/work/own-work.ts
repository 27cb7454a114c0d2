import { commitMessage, namesBead } from '@beadloom/core/records/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { isBeadId, type BeadId } from '@beadloom/core/records/ids.ts'
import { failed } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import type { WorkTip } from '../../ports/hub.ts'
import { ownCheck } from '../../verify/own-check.ts'
import { NOTHING_DONE } from './work-ends.ts'

/** The most executions of a bead that are read; nobody tries a bead more often. */
const MOST_EXECUTIONS = 100
const COMMITS_READ = 100

/**
 * Whether the branch has work of this bead: anything that is not in the work branch, not only this session's, because
 * an earlier execution may have left good work; or work of its own that was merged and never published.
 */
export async function hasWork(live: LiveExecution, tip: string, workTip: WorkTip): Promise<boolean> {
  const { deps, project, bead } = live
  const { hub, store } = deps
  if ((await hub.commits(project.id, workTip.commit, tip, 1)).length > 0) return true
  const unpublished = await hub.commits(project.id, workTip.published, tip)
  if (unpublished.length === 0) return false
  const owners = ownersOf(bead)
  if (unpublished.some(({ subject }) => owners.some((owner) => namesBead(subject, owner)))) return true
  // Older agents named their commits freely; verified work is recognized whatever its name.
  const commits = new Set(unpublished.map(({ commit }) => commit))
  return owners.some((owner) =>
    store
      .executions({ project: project.id, bead: owner, limit: MOST_EXECUTIONS })
      .some(({ kind, commit }) => kind === 'work' && commit !== null && commits.has(commit)),
  )
}

/**
 * Whether a follow-up's work is done already. It continues failed work. If all of that is in the work branch by now,
 * through the bead itself or another of its follow-ups, there is nothing left to commit: its checks decide.
 */
export async function isThereAlready(
  { deps: { hub, store }, project: { id: project }, bead }: LiveExecution,
  workTip: WorkTip,
): Promise<boolean> {
  const [origin] = originsOf(bead)
  if (bead.baseBranch === undefined || origin === undefined) return false
  const failed = store
    .executions({ project, bead: origin, limit: MOST_EXECUTIONS })
    .findLast(({ branch, baseCommit }) => branch === bead.baseBranch && baseCommit !== null)
  const tip = await hub.tip(project, `refs/heads/${bead.baseBranch}`)
  if (!tip || !failed?.baseCommit || !(await hub.contains(project, workTip.commit, tip))) return false
  const commits = await hub.commits(project, failed.baseCommit, tip, COMMITS_READ)
  return commits.some(({ subject }) => !subject.startsWith('Merge '))
}

/** A follow-up continues the work of the bead that it was filed for; other beads only mention their origin. */
const ownersOf = (bead: LiveExecution['bead']): BeadId[] =>
  bead.baseBranch === undefined ? [bead.id] : [bead.id, ...originsOf(bead)]

/** The beads that it was filed for. A tracker may name others, like `external:shop:login`, which have no work here. */
const originsOf = ({ dependencies }: LiveExecution['bead']): BeadId[] =>
  dependencies.flatMap(({ type, dependsOn }) => (type === 'discovered-from' && isBeadId(dependsOn) ? [dependsOn] : []))

/** Fails the attempt for this, and the next one is told. Returns an end if no agent has worked at all. */
export async function noteNothingDone(
  live: LiveExecution,
  attempt: number,
  commit: string,
): Promise<ExecutionEnd | null> {
  const { deps, id, bead } = live
  const { store } = deps
  const session = store.sessions(id).findLast(({ kind }) => kind === 'work')
  if (!session)
    return failed({ kind: 'nothing_done' }, ` The branch ${storedOf(live).branch} has no work that could be checked.`)
  const digest = `No commit arrived on the branch ${storedOf(live).branch}: the session ended without changes. Make the change, commit it with the message "${commitMessage(bead.id, bead.title)}" and push.`
  const common = { attempt, purpose: 'attempt' as const, run: 1, session: session.id, commit }
  const row = ownCheck(live, { ...common, step: 1, name: NOTHING_DONE, summary: 'nothing was committed', digest })
  await store.addVerifications(id, [row])
  await store.addEvent(id, session.id, 'verification', { step: row.name, passed: false, attempt, run: 1, digest })
  return null
}
