import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { waitsForPerson, type PersonsWait } from '@beadloom/core/records/wait.ts'
import { limitText } from '@beadloom/core/budget/budget-states.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { reasonText } from '../bead/end-words.ts'
import type { Tone } from '../bead/states.ts'

/** The page or object that a notice opens. */
export type NoticePlace =
  | { is: 'bead'; bead: string }
  | { is: 'review'; review: string; bead: string | null }
  | { is: 'reviews' }
  | { is: 'sync' }
  | { is: 'board' }

export type Notice = {
  id: string
  at: number
  /** Its subject: notices with the same one are shown together. */
  about: string
  word: string
  tone: Tone
  /** A sentence or a title, written by a stranger. */
  text: string
  place: NoticePlace
  /**
   * Set if the notice waits for a person: it is settled once this bead continues. `answer`: a text lets it continue.
   * `since`: the start of the wait, which identifies the question. `until`: another event settles it: the bead runs
   * again or is done, or its plan is approved.
   */
  waits?: { bead: string; execution: string; answer: boolean; since?: number; until?: 'runs' | 'approved' }
  /** Trouble that lasts until it is no longer found. */
  standing?: true
}

const LONGEST = 300
const BUDGET = 'waits for budget'
const NEEDS_YOU = 'needs you'
const MERGED = 'merged'
/** Long enough to read a question to its end. */
const LONGEST_QUESTION = 4_000
const brief = (text: string, most = LONGEST): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** The question of an execution that waits for a person. */
function questionOf({ id, beadTitle }: ExecutionView, wait: PersonsWait): Pick<Notice, 'id' | 'word' | 'text'> {
  switch (wait.kind) {
    case 'budget':
      return { id: `${id} budget ${wait.since}`, word: BUDGET, text: brief(limitText(wait, wait.currency)) }
    case 'phase':
      return {
        id: `${id} phase ${wait.after}`,
        word: `waits for you after phase ${wait.after}`,
        text: brief(beadTitle),
      }
    case 'pause':
      return { id: `${id} question ${wait.since}`, word: NEEDS_YOU, text: brief(wait.question, LONGEST_QUESTION) }
  }
}

/** The notice about an execution that has ended, or waits for a person; null for most. `card`: its bead, if known. */
export function noticeOf(execution: ExecutionView, card?: Pick<BeadCard, 'plan'>): Notice | null {
  const { id, kind, state, bead, endedAt, waits: wait } = execution
  if (waitsForPerson(wait))
    return {
      ...questionOf(execution, wait),
      at: wait.since,
      about: bead,
      tone: 'blocked',
      place: { is: 'bead', bead },
      waits: { bead, execution: id, answer: wait.kind === 'pause', since: wait.since },
    }
  if (!isTerminal(state) || endedAt === null || state === 'CANCELLED') return null
  const workBranch = kind === 'review' && bead === WORK_BRANCH_BEAD
  const base = { id: `${id} ${state}`, at: endedAt, about: workBranch ? 'Work branch' : bead }
  const text = brief(execution.detail || execution.beadTitle)
  if (kind === 'review') {
    const place: NoticePlace = { is: 'review', review: id, bead: workBranch ? null : bead }
    return state === 'COMPLETED'
      ? { ...base, word: 'review finished', tone: 'review', text, place }
      : { ...base, word: 'review failed', tone: 'failed', text, place }
  }
  const place: NoticePlace = { is: 'bead', bead }
  const waits = (until: 'runs' | 'approved') => ({ bead, execution: id, answer: false, until })
  if (kind === 'plan' && state === 'COMPLETED')
    return waitsForApproval(execution, card)
      ? { ...base, word: 'has a plan for you to approve', tone: 'blocked', text, place, waits: waits('approved') }
      : null
  switch (state) {
    case 'FAILED':
      return {
        ...base,
        word: failureText(execution),
        tone: 'failed',
        text,
        place,
        ...(kind === 'work' && { waits: waits('runs') }),
      }
    case 'TIMEOUT':
      return {
        ...base,
        word: `timed out: ${reasonText(execution) ?? 'time limit reached'}`,
        tone: 'timeout',
        text,
        place,
        ...(kind === 'work' && { waits: waits('runs') }),
      }
    case 'BLOCKED':
      return {
        ...base,
        word: NEEDS_YOU,
        tone: 'blocked',
        text: brief((execution.progress ? null : execution.blockedReason) ?? execution.detail, LONGEST_QUESTION),
        place,
        waits: { bead, execution: id, answer: true },
      }
    case 'COMPLETED': {
      const flag = execution.flags.find(({ kind: one }) => one === 'tampered' || one === 'secrets')
      const word = flag?.kind === 'secrets' ? 'done, but a secret was found' : 'done, but tests were weakened'
      return flag ? { ...base, word, tone: 'blocked', text: brief(flag.text), place } : null
    }
  }
}

/** Good news, for the desktop alone: the inbox is for what needs a person. */
export function mergedNotice({ id, kind, state, bead, beadTitle, endedAt }: ExecutionView): Notice | null {
  if (kind !== 'work' || state !== 'COMPLETED' || endedAt === null) return null
  const place: NoticePlace = { is: 'bead', bead }
  return {
    id: `${id} merged`,
    at: endedAt,
    about: bead,
    word: MERGED,
    tone: 'completed',
    text: brief(beadTitle),
    place,
  }
}

/** Kinds that a person can turn on and off for the desktop. */
export const noticeKinds = ['needs_you', 'failed', 'budget', 'merged', 'other'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export function kindOf({ word, tone }: Pick<Notice, 'word' | 'tone'>): NoticeKind {
  if (word === BUDGET) return 'budget'
  if (word === MERGED) return 'merged'
  if (tone === 'failed' || tone === 'timeout') return 'failed'
  return tone === 'blocked' ? 'needs_you' : 'other'
}

type Known = {
  beads: ReadonlyMap<string, Pick<BeadCard, 'status' | 'execution' | 'plan'>>
  executions: ReadonlyMap<string, Pick<ExecutionView, 'waits'>>
}

/** Whether the matter is settled: answered here or elsewhere, granted, stopped, or its bead closed. */
export function isSettled({ waits }: Pick<Notice, 'waits'>, { beads, executions }: Known): boolean {
  if (waits === undefined) return false
  const card = beads.get(waits.bead)
  if (waits.until !== undefined) {
    if (card === undefined) return false
    const isOver = card.status === 'done' || card.execution !== waits.execution
    return isOver || (waits.until === 'approved' && card.plan?.approved === true)
  }
  if (waits.since === undefined)
    return card !== undefined && (card.status !== 'blocked' || card.execution !== waits.execution)
  const wait = executions.get(waits.execution)?.waits
  return !waitsForPerson(wait) || wait.since !== waits.since
}

/** A plan for one session needs no approval. */
const waitsForApproval = ({ chosen }: ExecutionView, card: Pick<BeadCard, 'plan'> | undefined): boolean =>
  chosen?.planning?.approve === 'ask' && card?.plan?.phased === true && !card.plan.approved

/** "checks failed 3 times"; "failed: no retries left" if the reason alone would not say so. */
function failureText(execution: ExecutionView): string {
  const reason = reasonText(execution)
  if (reason === null) return 'failed'
  return execution.reason === 'verification_exhausted' ? reason : `failed: ${reason}`
}

/** Notices about the project itself. Notices without their own time get `now`, when they were seen. */
export function projectNotices(
  { problem, problemKind, base, brake, tracker, pullRequest }: ProjectView,
  now: number,
): Notice[] {
  const notices: Notice[] = []
  const sync = (id: string, about: string, word: string, text: string) =>
    notices.push({
      id: `${id} ${text.slice(0, 80)}`,
      at: now,
      about,
      word,
      tone: 'failed',
      text: brief(text),
      place: { is: 'sync' },
      standing: true,
    })
  const isBroken = base !== undefined && base.state !== 'green' && base.state !== 'proving'
  if (isBroken)
    notices.push({
      // A proof at another commit with the same text is the same trouble.
      id: `base ${base.state} ${base.text.slice(0, 80)}`,
      at: base.endedAt ?? now,
      about: 'Base',
      word: base.by === null ? 'has failing checks' : 'is broken: nothing starts',
      tone: base.by === null ? 'blocked' : 'failed',
      text: brief(base.text),
      place: { is: 'board' },
      standing: true,
    })
  if (problem !== null && !(isBroken && problemKind === 'base')) sync('problem', 'Project', 'cannot run', problem)
  if (brake) sync('brake', 'Autopilot', 'paused itself', brake.text)
  if (tracker !== null && tracker.problem !== '') sync('tracker', 'Tracker', 'cannot be updated', tracker.problem)
  if (pullRequest !== null && pullRequest.endedAt !== null) {
    const { id, state, detail, endedAt, review } = pullRequest
    const said = pullRequestWords[state]
    if (said)
      notices.push({
        id: `${id} ${state}`,
        at: endedAt,
        about: 'Work branch',
        ...said,
        text: brief(detail),
        place: state === 'not_ready' && review !== null ? { is: 'review', review, bead: null } : { is: 'reviews' },
        standing: true, // a newer one replaces it
      })
  }
  return notices
}

const pullRequestWords: Partial<Record<string, Pick<Notice, 'word' | 'tone'>>> = {
  open: { word: 'pull request opened', tone: 'completed' },
  pushed: { word: 'branch pushed', tone: 'completed' },
  not_ready: { word: 'pull request not ready', tone: 'blocked' },
  failed: { word: 'pull request failed', tone: 'failed' },
}

/** Older ones are dropped: after weeks away, the board is the place to look. */
export const MOST_NOTICES = 100

export const newestFirst = (notices: Iterable<Notice>): Notice[] =>
  [...notices].toSorted((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1)).slice(0, MOST_NOTICES)

export type NoticeGroup = { newest: Notice; older: Notice[] }
export const TOGETHER_MS = 5 * 60_000

/**
 * One row for notices about one thing within five minutes; rows in the order of their newest notice. A notice that
 * waits for a person begins its own row: later news would hide it, and be dismissed with it.
 */
export function grouped(notices: readonly Notice[]): NoticeGroup[] {
  const groups: NoticeGroup[] = []
  for (const notice of notices) {
    const open = groups.find(
      ({ newest, older }) => newest.about === notice.about && (older.at(-1) ?? newest).at - notice.at <= TOGETHER_MS,
    )
    if (open && notice.waits === undefined) open.older.push(notice)
    else groups.push({ newest: notice, older: [] })
  }
  return groups
}
