import { phaseBegins } from '@beadloom/core/plan/phase-begins.ts'
import { EndedEarly, failed } from '../../execution/ends.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'
import type { DonePhase } from '../../ports/store/phases.ts'

/** `done`: an earlier execution has done it, and the branch has it. `at`: the commit where it begins. */
export type PhaseStart = { done: DonePhase } | { at: string }

/** The start of a phase, or that it is done already. @param workTip of the work branch */
export async function whereToBegin(live: LiveExecution, phase: number, workTip: string): Promise<PhaseStart> {
  const { deps, project, bead, id } = live
  const { hub, store } = deps
  const { branch, planVersion = 0, baseCommit, fromPhase = Infinity } = storedOf(live)
  const tip = (await hub.tip(project.id, `refs/heads/${branch}`)) ?? baseCommit ?? ''
  const done = store.donePhase(project.id, bead.id, planVersion, phase)
  const has = async (branchTip: string) => done !== null && hub.contains(project.id, branchTip, done.commit)
  const isOnBranch = await has(tip)
  const before = { done, isOnBranch, isMerged: isOnBranch && (await has(workTip)) }
  const begins = phaseBegins(phase, fromPhase, before, store.phases(id))
  if (begins.is === 'taken' && done) return { done }
  if (begins.is !== 'back') return { at: tip }
  await moveBack(live, { branch, tip, to: begins.to, phase })
  return { at: begins.to }
}

/** Moves work that a person wants done again off the branch, and keeps it on a ref. Safe to repeat. */
async function moveBack(
  live: LiveExecution,
  { branch, tip, to, phase }: { branch: string; tip: string; to: string; phase: number },
): Promise<void> {
  const { deps, project, id } = live
  const ref = `refs/beadloom/${id}/before-phase-${phase}`
  await deps.hub.keep(project.id, ref, tip)
  if (!(await deps.hub.advance(project.id, branch, tip, to)))
    throw new EndedEarly(failed({ kind: 'push_conflict', branch, detail: 'somebody else moved the branch meanwhile' }))
  await deps.store.noteExecution(id, { baseCommit: to })
  await warn(live, `Phase ${phase} and those after it are done again. Their former commits are kept on ${ref}`)
}
