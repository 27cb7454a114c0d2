import { signatureOf } from '../../execution/signature.ts'
import type { SubtaskConflict } from '@beadloom/core/plan/phase-context.ts'
import { phaseMessage, phaseSummary } from '@beadloom/core/plan/phase-words.ts'
import { isDoneOnceMore, joinOrder, resultOf, resultsOf, startsOnTopOf } from '@beadloom/core/plan/join-order.ts'
import type { PhaseHistory, Round } from '@beadloom/core/plan/phase-step.ts'
import type { Subtask } from '@beadloom/core/records/plan.ts'
import { subtaskWords } from '@beadloom/core/plan/subtask-words.ts'
import { outside } from '@beadloom/core/plan/touched-files.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { EndedEarly, failed } from '../../execution/ends.ts'
import { saveRefOf } from '../../execution/save-ref.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'
import { closeChildren } from './children.ts'
import { addFailure } from './failed-subtasks.ts'
import { planOf } from './phase-history.ts'
import type { Join } from '../../ports/hub/merges.ts'
import { crashPoint } from '../../process/crash-point.ts'

/** The limit of files that a warning names. */
const MOST_NAMED = 10

/** The commit where a phase begins; it is stored with the first of its rounds. */
export function startOfPhase(history: PhaseHistory, phase: number): string {
  const row = history.phases.find(({ number }) => number === phase)
  if (!row) throw new Error(`phase ${phase} has not begun`)
  return row.preCommit
}

/** A subtask's commit that conflicts with others; null: it does not. */
export async function conflictOf(
  live: LiveExecution,
  history: PhaseHistory,
  round: Round,
  subtask: Subtask,
): Promise<SubtaskConflict | null> {
  const session = round.conflict === subtask.id ? resultOf(history, round, subtask.id) : undefined
  return session ? { result: await leftBy(live, session), from: startOfPhase(history, round.phase) } : null
}

/** The commit that a session of this phase left; an agent that ended well has left one. */
async function leftBy({ deps: { hub }, project }: LiveExecution, session: SessionId): Promise<string> {
  const commit = await hub.tip(project.id, saveRefOf(session))
  if (commit === null) throw new Error(`the hub has nothing of ${session}`)
  return commit
}

/**
 * The commit where a subtask starts: the beginning of its phase, with the subtasks before it that may touch the same
 * files, or with all others if it conflicted with them. `done`: the start of its newest result.
 */
export async function startOfSubtask(
  live: LiveExecution,
  history: PhaseHistory,
  round: Round,
  subtask: Subtask,
  which: 'next' | 'done' = 'next',
): Promise<string> {
  const onto = startOfPhase(history, round.phase)
  const phase = history.plan[round.phase - 1] ?? []
  const before = startsOnTopOf(history, round, subtask, which)
  if (before.length === 0) return onto
  const ref = `${refOf(live, round)}-before-${phase.indexOf(subtask) + 1}`
  const joined = await joinOf(live, history, round, before, ref)
  if (joined === 'conflict') throw new Error(`what comes before ${subtask.id} conflicts`)
  return joined ?? onto
}

/**
 * The commits of a round's subtasks, or of its mending session, as one; null: nothing was changed. `conflict`: noted.
 */
export async function treeOf(
  live: LiveExecution,
  history: PhaseHistory,
  round: Round,
): Promise<string | null | 'conflict'> {
  if (round.kind === 'subtasks') return joinOf(live, history, round, joinOrder(history, round), refOf(live, round))
  const session = history.sessions.findLast((one) => one.attempt === round.number && one.role === 'fix')
  if (!session) throw new Error(`round ${round.number} has no session`)
  const onto = startOfPhase(history, round.phase)
  const commits = [{ commit: await leftBy(live, session.id), from: onto }]
  return join(live, history, round, commits, refOf(live, round))
}

const refOf = ({ id }: LiveExecution, { phase, attempt, number }: Round): string =>
  `refs/beadloom/${id}/phase-${phase}/attempt-${attempt}/round-${number}`

async function joinOf(
  live: LiveExecution,
  history: PhaseHistory,
  round: Round,
  subtasks: readonly Subtask[],
  ref: string,
): Promise<string | null | 'conflict'> {
  const results = resultsOf(history, round, subtasks)
  const commits: Join['commits'][number][] = []
  for (const { subtask, session } of results) {
    const from = await startOfSubtask(live, history, round, subtask, 'done')
    commits.push({ commit: await leftBy(live, session), from })
  }
  const joined = results.map(({ subtask }) => subtask)
  return join(live, history, round, commits, ref, joined)
}

/** @param subtasks whose commits these are, one for each; none for the commit of a mending session */
async function join(
  live: LiveExecution,
  history: PhaseHistory,
  round: Round,
  commits: Join['commits'],
  ref: string,
  subtasks: readonly Subtask[] = [],
): Promise<string | null | 'conflict'> {
  const message = phaseMessage(round.phase, doneIn(history, round.phase), live.bead.id)
  const onto = startOfPhase(history, round.phase)
  const joined = await live.deps.hub.join(live.project.id, { onto, commits, message, ref, by: await signatureOf(live) })
  if (joined?.result !== 'conflict') return joined?.commit ?? null
  const { id = `number ${joined.at + 1}` } = subtasks[joined.at] ?? {}
  const files = joined.files.slice(0, MOST_NAMED).join(', ')
  if (isDoneOnceMore(round) && subtasks[joined.at]) {
    await live.deps.store.noteConflict(live.id, round.number, id)
    await warn(
      live,
      `Subtask ${id} conflicts with others of its phase in ${files}: it is done once more on top of them`,
    )
    return 'conflict'
  }
  const detail = `it conflicts with others of its phase in ${files}`
  await addFailure(live, resultOf(history, round, id) ?? null, { round, subtask: id }, detail)
  throw new EndedEarly(failed({ kind: 'subtask_failed', subtask: subtaskWords(planOf(live).subtasks, id), detail }))
}

/** The subtasks of a phase without the skipped ones. */
const doneIn = ({ plan, skipped = [] }: PhaseHistory, phase: number): Subtask[] =>
  (plan[phase - 1] ?? []).filter(({ id }) => !skipped.includes(id))

/** A phase with nothing left to do ends where it began. */
export async function skipPhase(live: LiveExecution, history: PhaseHistory, phase: number): Promise<void> {
  const commit = startOfPhase(history, phase)
  const of = history.plan.length
  await live.deps.store.approvePhase(live.id, { number: phase, of, commit, summary: '' })
}

/** Notes an agent's changes outside of its plan's files, and commits that it was told not to make. */
export async function noteStrays(
  live: LiveExecution,
  subtask: Subtask,
  session: SessionId,
  from: string,
): Promise<void> {
  const { hub, store } = live.deps
  const left = await leftBy(live, session)
  const paths = (await hub.diff(live.project.id, from, left)).map(({ path }) => path)
  // For a child of an epic, nobody has said which files it touches.
  const strays = subtask.filesTouched.length === 0 ? [] : outside(paths, subtask)
  if (strays.length > 0)
    await warn(
      live,
      `Subtask ${subtask.id} changed files that its plan does not name: ${strays.slice(0, MOST_NAMED).join(', ')}`,
    )
  const commits = await hub.commits(live.project.id, from, left)
  // One commit is the agent's own process's, of the workspace's changes.
  if (commits.length > 1)
    await warn(
      live,
      `Subtask ${subtask.id} committed although it was told not to: that is part of the commit of its phase`,
    )
  await store.addEvent(live.id, session, 'subtask_completed', {
    subtask: subtask.id,
    title: subtask.title,
    commit: left,
  })
}

/** Moves the branch to the commit of the phase, which is then done. Safe to repeat. */
export async function approve(live: LiveExecution, history: PhaseHistory, round: Round, commit: string): Promise<void> {
  const { hub, store } = live.deps
  const { project } = live
  const { branch } = storedOf(live)
  const from = startOfPhase(history, round.phase)
  const moved = await hub.advance(project.id, branch, from, commit)
  if (!moved && (await hub.tip(project.id, `refs/heads/${branch}`)) !== commit)
    throw new EndedEarly(
      failed({
        kind: 'push_conflict',
        branch,
        detail: `somebody else moved the branch while phase ${round.phase} was in work`,
      }),
    )
  const files = await hub.diff(project.id, from, commit)
  const subtasks = doneIn(history, round.phase)
  crashPoint('before-phase-stored')
  await closeChildren(live, subtasks)
  const summary = phaseSummary(round.phase, subtasks, files, [from, commit])
  await store.approvePhase(live.id, { number: round.phase, of: history.plan.length, commit, summary })
  crashPoint('after-phase-approved')
}
