import { judge } from '../execution/next-step.ts'
import { isAnswered, isToAsk, toAskOf, type Questions } from '../execution/questions.ts'
import type { Session } from '../records/session.ts'
import type { Verification } from '../records/verification.ts'
import { askStep, type Ask } from '../review/ask-step.ts'
import { judgeReview, parseAnswer, type ParsedAnswer } from '../review/review.ts'
import type { Subtask } from '../records/plan.ts'
import { startsOf, type SubtaskStatus } from './start-order.ts'

/** A phase is done at most twice: again if its review says no, or its checks keep failing. */
export const PHASE_ATTEMPTS = 2
/** The most sessions that repair the tree of one attempt at a phase. */
export const MOST_FIXES = 2

/**
 * A phase that has begun. `commit`: its approved commit; null until then. `from`: the earlier execution that did it.
 */
export type PhaseRow = { number: number; preCommit: string; commit: string | null; from?: string | null }

/**
 * The work that leads to one tree: the subtasks of an attempt at a phase, or a session that repairs failures. `number`
 * counts over the whole execution, and is the attempt of its sessions and verifications. `commit`: the tree as a commit
 * on the phase's `preCommit`; null until it is made. `empty`: nothing was changed.
 */
export type Round = {
  number: number
  phase: number
  attempt: number
  kind: 'subtasks' | 'fix'
  commit: string | null
  empty: boolean
  /** The subtask that conflicts with others and is repeated on top of them; null: none. */
  conflict: string | null
}

export type PhaseRole = 'subtask' | 'fix' | 'review'

/** An agent's session of a phase. `attempt` is the number of its round; `subtask` '' for the other roles. */
export type PhaseSession = Pick<Session, 'id' | 'kind' | 'attempt' | 'state' | 'outcome' | 'detail' | 'container'> & {
  role: PhaseRole
  subtask: string
}

/** All stored facts about the phases of an execution, each in order. */
export type PhaseHistory = {
  /** The subtasks of each phase. */
  plan: readonly (readonly Subtask[])[]
  /** The most subtasks at the same time. */
  limit: number
  /** A person decides whether the next phase begins. */
  pauses?: boolean
  /** The phase after which a person continued it; absent: none yet. */
  continuedAfter?: number | undefined
  maxSessions: number
  /** Subtasks that are left out: they were done or dropped elsewhere before they began. */
  skipped?: readonly string[]
  /** The number of agent sessions when the last retry was decided; the retry repeats the last of these. */
  answered: number
  /** The agents' questions that are for a person; absent: a question ends the execution. */
  questions?: Questions
  phases: readonly PhaseRow[]
  rounds: readonly Round[]
  sessions: readonly PhaseSession[]
  verifications: readonly Verification[]
  answers: readonly { session: Session['id']; text: string }[]
}

export type PhaseStep =
  /** A person decides whether the next phase begins. */
  | { do: 'wait'; after: number }
  /** Stores the commit at which the phase begins. */
  | { do: 'begin_phase'; phase: number }
  /** Nothing of it is left to do. */
  | { do: 'skip_phase'; phase: number }
  | { do: 'begin_round'; phase: number; attempt: number; kind: Round['kind']; number: number }
  | { do: 'adopt'; session: Session['id']; round: Round; role: PhaseRole; subtask: string }
  /** Sessions of these subtasks, at the same time. */
  | { do: 'subtasks'; round: Round; ids: string[] }
  | { do: 'fix'; round: Round }
  /** Asks a person what these sessions' agents want to know. */
  | { do: 'ask_person'; round: Round; sessions: PhaseSession[] }
  /** Joins their results into one commit. */
  | { do: 'join'; round: Round }
  | { do: 'verify'; round: Round; commit: string }
  | ({ do: 'review'; round: Round; commit: string } & Pick<Ask, 'wrong' | 'question'>)
  /** The branch moves to the commit, and the phase is done. */
  | { do: 'approve'; round: Round; commit: string }
  | { do: 'end_as_session'; session: Session['id']; round: Round; role: PhaseRole; subtask: string }
  | { do: 'end'; because: 'checks_failed' | 'review_rejected'; round: Round }
  | { do: 'end'; because: 'command_missing' | 'sessions_used' }
  /** Every phase is approved: the rest is the same as for any work, with attempts counted from here. */
  | { do: 'finish'; after: number }

/** The next step of a phased execution, only from facts in the store. */
export function phaseStep(history: PhaseHistory): PhaseStep {
  const { plan, phases, rounds } = history
  const last = rounds.at(-1)
  const phase = plan.findIndex((_, at) => !phases.some((row) => row.number === at + 1 && row.commit !== null)) + 1
  if (phase === 0) return { do: 'finish', after: last?.number ?? 0 }
  if (!phases.some((row) => row.number === phase))
    return isToWait(history, phase - 1) ? { do: 'wait', after: phase - 1 } : { do: 'begin_phase', phase }
  const number = (last?.number ?? 0) + 1
  if (isAllSkipped(history, phase)) return { do: 'skip_phase', phase }
  if (last?.phase !== phase) return { do: 'begin_round', phase, attempt: 1, kind: 'subtasks', number }
  const open = history.sessions.find(({ state }) => state !== 'ended')
  if (open) return { do: 'adopt', session: open.id, round: last, role: open.role, subtask: open.subtask }
  if (last.commit !== null) return afterTree(history, last, last.commit)
  return last.empty ? afterFailedChecks(history, last) : towardsTree(history, last)
}

/** Waits only after a phase that this execution has done itself. */
const isToWait = ({ phases, pauses, continuedAfter }: PhaseHistory, after: number): boolean =>
  pauses === true &&
  continuedAfter !== after &&
  phases.some(({ number, commit, from = null }) => number === after && commit !== null && from === null)

const isAllSkipped = ({ plan, skipped = [] }: PhaseHistory, phase: number): boolean =>
  (plan[phase - 1] ?? []).every(({ id }) => skipped.includes(id))

const ofRound = (history: PhaseHistory, round: Round, role: PhaseRole): PhaseSession[] =>
  history.sessions.filter((one) => one.attempt === round.number && one.role === role)

/** Whether a session is to be repeated: it never began, its retry is decided, or its question is answered. */
function isToRepeat(history: PhaseHistory, one: PhaseSession): boolean {
  if (one.outcome === 'infra_error' && one.container === null) return true
  if (isAnswered(history.questions, one)) return true
  // For sessions that failed at the same time, a retry of one is a retry of all.
  const isRetried = history.sessions.findIndex(({ id }) => id === one.id) < history.answered
  return isRetried && isRepeatable(one)
}

const isRepeatable = ({ outcome }: PhaseSession): boolean => outcome === 'failed' || outcome === 'infra_error'

/**
 * The failed subtasks of the newest round without a decision yet: a retry of one is a retry of all. `final`: one that
 * ended in a way that no retry repeats, which ends the execution; a question to a person does not.
 */
export function failedTogether(
  history: PhaseHistory,
): { round: Round; failed: PhaseSession[]; final: PhaseSession | null } | null {
  const round = history.rounds.at(-1)
  if (!round) return null
  const failed = failedIn(history, round).filter((one) => !isToAsk(history.questions, one))
  return { round, failed, final: failed.find((one) => !isRepeatable(one)) ?? null }
}

/** The newest sessions of subtasks that did not end well and are not to be repeated. */
const failedIn = (history: PhaseHistory, round: Round): PhaseSession[] =>
  [...newestOf(history, round).values()].filter(
    (one) => one.state === 'ended' && one.outcome !== 'success' && !isToRepeat(history, one),
  )

const isUsedUp = (history: PhaseHistory, more: number): boolean => history.sessions.length + more > history.maxSessions

function towardsTree(history: PhaseHistory, round: Round): PhaseStep {
  if (round.kind === 'fix') {
    const last = ofRound(history, round, 'fix').at(-1)
    if (last && !isToRepeat(history, last))
      return last.outcome === 'success' ? { do: 'join', round } : afterFailed(history, round, [last])
    return isUsedUp(history, continued(history, round, '') === null ? 1 : 0)
      ? { do: 'end', because: 'sessions_used' }
      : { do: 'fix', round }
  }
  const failed = failedIn(history, round)
  if (startable(history, round, new Set()).length === 0)
    return failed.length > 0 ? afterFailed(history, round, failed) : { do: 'join', round }
  const ids = subtasksToStart(history, round, new Set())
  return ids.length === 0 ? { do: 'end', because: 'sessions_used' } : { do: 'subtasks', round, ids }
}

/** If nothing but questions is left, a person is asked all of them at once. */
function afterFailed(history: PhaseHistory, round: Round, failed: readonly PhaseSession[]): PhaseStep {
  const sessions = toAskOf(history.questions, failed)
  if (sessions.length > 0) return { do: 'ask_person', round, sessions }
  // Its policy may retry the others, and a question is asked after that.
  return endAs(failed.find((one) => !isToAsk(history.questions, one)) ?? failed[0]!, round)
}

const newestOf = (history: PhaseHistory, round: Round): Map<string, PhaseSession> =>
  new Map(ofRound(history, round, 'subtask').map((one) => [one.subtask, one]))

/**
 * The subtasks of a round that may start beside the running ones, in the order of the plan: as many as the limit and
 * the remaining sessions allow, and none once one has failed. One that continues with an answer starts alone:
 * a message that still waits has to go to one agent only.
 */
export function subtasksToStart(history: PhaseHistory, round: Round, running: ReadonlySet<string>): string[] {
  const ids = startable(history, round, running)
  const answered = ids.find((id) => continued(history, round, id) !== null)
  if (answered !== undefined) return running.size === 0 ? [answered] : []
  return ids.filter((_, at) => !isUsedUp(history, at + 1))
}

/**
 * The session that ended with a question and is continued by `session`; without `session`, by the next one of its
 * subtask (`''`: of mending). Sessions that broke in between do not count. Null: none.
 */
export function continued(
  history: PhaseHistory,
  round: Round,
  subtask: string,
  session?: Session['id'],
): PhaseSession | null {
  const own = ofRound(history, round, subtask === '' ? 'fix' : 'subtask').filter((one) => one.subtask === subtask)
  const until = own.findIndex(({ id }) => id === session)
  const before = (until === -1 ? own : own.slice(0, until)).findLast((one) => !isRepeatable(one))
  const isAsked = before?.outcome === 'blocked' && (until !== -1 || isAnswered(history.questions, before))
  return isAsked ? before : null
}

/**
 * The subtasks that may start beside the running ones. While agents have questions, only those that had begun before
 * and have to be repeated: a person is asked when nothing else can continue.
 */
function startable(history: PhaseHistory, round: Round, running: ReadonlySet<string>): string[] {
  const newest = newestOf(history, round)
  const statuses = new Map<string, SubtaskStatus>((history.skipped ?? []).map((id) => [id, 'completed']))
  for (const [id, one] of newest) if (one.outcome === 'success') statuses.set(id, 'completed')
  const failed = failedIn(history, round)
  const asking = failed.every((one) => isToAsk(history.questions, one)) ? failed : []
  for (const { subtask } of failed) statuses.set(subtask, asking.length > 0 ? 'running' : 'failed')
  const { conflict } = round
  if (conflict !== null && statuses.get(conflict) === 'completed' && !isRedone(history, round))
    statuses.delete(conflict)
  for (const id of running) statuses.set(id, 'running')
  const ids = startsOf(history.plan[round.phase - 1] ?? [], statuses, history.limit + asking.length).map(({ id }) => id)
  return asking.length === 0 ? ids : ids.filter((id) => newest.get(id)?.state === 'ended')
}

/** Whether the subtask that conflicted has been repeated on top of the others. */
export const isRedone = (history: PhaseHistory, round: Round): boolean =>
  ofRound(history, round, 'subtask').filter((one) => one.subtask === round.conflict && one.outcome === 'success')
    .length > 1

const endAs = ({ id, role, subtask }: PhaseSession, round: Round): PhaseStep => ({
  do: 'end_as_session',
  session: id,
  round,
  role,
  subtask,
})

function afterTree(history: PhaseHistory, round: Round, commit: string): PhaseStep {
  const checked = judge(history.verifications, round.number, 'attempt', commit)
  if (checked.is === 'open') return { do: 'verify', round, commit }
  if (checked.is === 'missing') return { do: 'end', because: 'command_missing' }
  if (checked.is === 'failed') return afterFailedChecks(history, round)
  const step = askStep(reviewsOf(history, round), parseAnswer)
  switch (step.do) {
    case 'ask':
      return { do: 'review', round, commit, ...wishOf(step) }
    case 'ask_person':
      return { do: 'ask_person', round, sessions: history.sessions.filter(({ id }) => id === step.session) }
    case 'adopt':
      return { do: 'adopt', session: step.session, round, role: 'review', subtask: '' }
    case 'answered':
      if (isApproved(step.parsed)) return { do: 'approve', round, commit }
      return again(history, round) ?? { do: 'end', because: 'review_rejected', round }
    case 'end_as_session':
      return { do: 'end_as_session', session: step.session, round, role: 'review', subtask: '' }
    case 'sessions_used':
      return { do: 'end', because: 'sessions_used' }
  }
}

/**
 * Whether the phase is approved. The server has run the checks on this very commit, so a reviewer can only make the
 * verdict worse.
 */
export const isApproved = (parsed: ParsedAnswer): boolean => judgeReview(parsed, 'passed').verdict === 'ready'

const wishOf = ({ wrong, question }: Ask): Pick<Ask, 'wrong' | 'question'> => ({
  wrong,
  ...(question !== undefined && { question }),
})

/** The reviews of a tree as `askStep` counts them: from 1, the second one after an unusable answer. */
export function reviewsOf(history: PhaseHistory, round: Round) {
  let attempt = 1
  const sessions = ofRound(history, round, 'review').map((one) => {
    const counted = { ...one, attempt }
    if (one.outcome === 'success') attempt += 1
    return counted
  })
  const { answers, sessions: all, maxSessions, answered, questions } = history
  const others = all.length - sessions.length
  const room = { maxSessions: Math.max(0, maxSessions - others), answered: answered - others }
  return { sessions, answers, ...room, ...(questions && { questions }) }
}

function afterFailedChecks(history: PhaseHistory, round: Round): PhaseStep {
  const { phase, attempt } = round
  const fixes = history.rounds.filter((one) => one.phase === phase && one.attempt === attempt && one.kind === 'fix')
  if (fixes.length < MOST_FIXES) return { do: 'begin_round', phase, attempt, kind: 'fix', number: round.number + 1 }
  return again(history, round) ?? { do: 'end', because: 'checks_failed', round }
}

function again(_: PhaseHistory, { phase, attempt, number }: Round): PhaseStep | null {
  if (attempt >= PHASE_ATTEMPTS) return null
  return { do: 'begin_round', phase, attempt: attempt + 1, kind: 'subtasks', number: number + 1 }
}
