import { joinText, MOST_FILES_SHOWN, MOST_OF_A_SIDE, type Side } from '@beadloom/core/execution/join-text.ts'
import { failuresOf, isConflict, JOINED, MOST_JOINS } from '@beadloom/core/execution/next-step.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { HubError } from '../../ports/hub.ts'
import type { Conflict } from '../../publish/integrate.ts'
import { ownCheck } from '../../verify/own-check.ts'
import { conflictIn, otherBeads, otherChanges } from './conflict.ts'

const MOST_FILES = 1000
const COMMITS_READ = 100

/**
 * Verified work that conflicts with work merged meanwhile has failed a check of Beadloom's own: the next attempt gets
 * both sides. That is not its fault, so the attempt may be one more than the project allows.
 */
export async function askToJoin(live: LiveExecution, attempt: number, commit: string, conflict: Conflict) {
  const { deps, id } = live
  const { store } = deps
  const asked = store.verifications(id).filter(isConflict).length
  const isAsked = asked < MOST_JOINS
  const files = conflict.files.slice(0, MOST_FILES)
  await store.addEvent(id, null, 'push_conflict', {
    ...conflict,
    files,
    ...(isAsked && { join: asked + 1, of: MOST_JOINS }),
  })
  if (isAsked) await store.noteExecution(id, { maxAttempts: Math.max(storedOf(live).maxAttempts, attempt + 1) })
  const session = store.sessions(id).findLast(({ kind }) => kind === 'work') ?? store.sessions(id).at(-1)
  if (!session) throw new Error(`${id} was verified without a session`)
  const digest = `The work conflicts with what was merged meanwhile: ${otherChanges({ ...conflict, files })}.`
  const common = { attempt, purpose: 'merge' as const, run: 1, session: session.id, commit }
  const row = ownCheck(live, { ...common, step: 1, name: JOINED, summary: 'conflicts with other work', digest })
  await store.addVerifications(id, [row])
}

/** Describes the two sides to the next attempt; null: the one before it did not end in a conflict. */
export async function conflictBefore(live: LiveExecution, attempt: number): Promise<string | null> {
  const { deps, id, project, settings } = live
  const { store, hub } = deps
  const failures = failuresOf(store.verifications(id), attempt - 1)
  const known = failures.some(isConflict) ? conflictIn(store.lastEvent(id, 'push_conflict')?.data) : null
  if (known === null) return null
  const { branch, files, own, other } = known
  const base = await hub.mergeBase(project.id, own, other)
  const sideOf = async (commit: string, path: string): Promise<string> => {
    if (base === null) return ''
    try {
      return (await hub.patch(project.id, base, commit, path, MOST_OF_A_SIDE)).text
    } catch (error) {
      if (error instanceof HubError) return '' // its agent looks for itself
      throw error
    }
  }
  const sides: Side[] = []
  for (const file of files.slice(0, MOST_FILES_SHOWN))
    sides.push({ file, own: await sideOf(own, file), other: await sideOf(other, file) })
  // Later commits of the other side are to be joined as well.
  const merge = branch === settings.workBranch && known.ofWork ? `git merge origin/${branch}` : fetched(other)
  const others = base === null ? [] : await hub.commits(project.id, base, other, COMMITS_READ)
  return joinText({ branch, files, merge, beads: beadsOf(live, others), sides })
}

const fetched = (commit: string): string => `git fetch -q origin ${commit} && git merge ${commit}`

/** The beads of these commits, with their titles, the newest first. */
const beadsOf = (
  { bead, project, deps: { store } }: LiveExecution,
  commits: readonly { subject: string }[],
): string[] =>
  otherBeads(commits, bead.id).map((id) => {
    const found = store.bead(project.id, id)
    return found ? `${id}: ${found.title}` : id
  })
