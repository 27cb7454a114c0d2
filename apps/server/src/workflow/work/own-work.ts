import { commitMessage, namesBead } from '@beadloom/core/bead/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { OWN_CHECKS } from '@beadloom/core/execution/next-step.ts'
import { parseBeadId } from '@beadloom/core/ids.ts'
import type { Verification } from '@beadloom/core/execution/verification.ts'
import { failed } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import type { WorkTip } from '../../ports/hub.ts'
import { lacksTests } from '../../verify/no-steps.ts'
import { ownCheck } from '../../verify/own-check.ts'
import { digestOfFailures } from './failure-digest.ts'

/** The name of the check that something was committed at all. */
const NOTHING_DONE = 'commit'

/** What a bead has been tried before; nobody tries one more often. */
const MOST_EXECUTIONS = 100

/**
 * Whether the branch has work of this bead: anything that is not in the work branch, not only what this session did,
 * because an earlier execution may have left good work; or work of its own that was merged and never published.
 */
export async function hasWork(live: LiveExecution, tip: string, workTip: WorkTip): Promise<boolean> {
  const { deps, project, bead } = live
  const { hub, store } = deps
  if ((await hub.commits(project.id, workTip.commit, tip, 1)).length > 0) return true
  const unpublished = await hub.commits(project.id, workTip.published, tip)
  if (unpublished.length === 0) return false
  const owners = ownersOf(bead)
  if (unpublished.some(({ subject }) => owners.some((owner) => namesBead(subject, owner)))) return true
  // Agents named their commits as they liked once; what was verified is known whatever it is called.
  const commits = new Set(unpublished.map(({ commit }) => commit))
  return owners.some((owner) =>
    store
      .executions({ project: project.id, bead: parseBeadId(owner), limit: MOST_EXECUTIONS })
      .some(({ kind, commit }) => kind === 'work' && commit !== null && commits.has(commit)),
  )
}

/** A follow-up continues the work of the bead that it was filed for; other beads only mention where they come from. */
function ownersOf({ id, baseBranch, dependencies }: LiveExecution['bead']): string[] {
  if (baseBranch === undefined) return [id]
  return [id, ...dependencies.filter(({ type }) => type === 'discovered-from').map(({ dependsOn }) => dependsOn)]
}

/** The attempt fails with that, and the next one is told. */
export async function noteNothingDone(live: LiveExecution, attempt: number, commit: string): Promise<void> {
  const { deps, id, bead } = live
  const { store } = deps
  const session = store.sessions(id).findLast(({ kind }) => kind === 'work')
  if (!session) throw new Error(`attempt ${attempt} of ${id} has no session`)
  const digest = `No commit arrived on the branch ${storedOf(live).branch}: the session ended without changes. Make the change, commit it with the message "${commitMessage(bead.id, bead.title)}" and push.`
  const common = { attempt, purpose: 'attempt' as const, run: 1, session: session.id, commit }
  const row = ownCheck(live, { ...common, step: 1, name: NOTHING_DONE, summary: 'nothing was committed', digest })
  await store.addVerifications(id, [row])
  await store.addEvent(id, session.id, 'verification', { step: row.name, passed: false, attempt, run: 1, digest })
}

/** The end of work that failed a check of our own, whatever else it did; null: it failed the project's. */
export function endOfOwnCheck(live: LiveExecution, failures: readonly Verification[]): ExecutionEnd | null {
  const [first] = failures
  if (first === undefined) return null
  if (failures.some(lacksTests))
    return failed({ kind: 'no_checks', attempts: first.attempt }, ` Its branch is ${storedOf(live).branch}.`)
  if (!failures.some(({ name, tool }) => name === NOTHING_DONE && tool === OWN_CHECKS)) return null
  return failed({ kind: 'nothing_done' }, ` ${digestOfFailures(live.deps.store.verifications(live.id))}`)
}
