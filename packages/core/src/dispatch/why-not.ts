import { pauseText, type Pause } from '../records/pause.ts'
import type { ListedBead } from '../records/bead.ts'
import { isExternal } from '../bead/external.ts'
import type { BudgetState } from '../budget/budget-states.ts'
import { periods } from '../budget/periods.ts'
import { scopeOf } from '../budget/scopes.ts'
import { amountText } from '../budget/used-up.ts'
import { clockTime } from '../text/clock-time.ts'
import { NEEDS_HUMAN } from '../bead/follow-up.ts'
import { oneLine } from '../text/one-line.ts'
import type { Reason } from './reason.ts'
import { deferredUntil, isOpen, isWork, remindedOf, whyNotOpen } from '../bead/ready.ts'
import type { Blockers, Waiting } from '../bead/waiting.ts'

/*
 * The reasons of `makeSchedule`, worded for people: why a bead does not start, and what has to happen. Times are UTC.
 */

/** A sentence names this many ids and counts the rest. */
const NAMED = 3
/** A list is short, because each child of a waiting bead has it on its card. */
const LISTED = 20
const LONGEST_NAME = 60

export const running: Reason = { code: 'running', text: 'running now' }
export const pushPending: Reason = {
  code: 'push_pending',
  text: "verified: waiting for the project's remote to accept it",
}
export const starting: Reason = { code: 'starting', text: 'starts next' }
export const claiming: Reason = { code: 'starting', text: 'starts once its tracker answers' }
export const manual: Reason = { code: 'manual', text: 'ready to run' }
export const needsHuman: Reason = {
  code: 'needs_human',
  text: 'needs you: read what it asks for, then run it',
}
export const planWaits = (id: string): Reason => ({
  code: 'plan_waits',
  text: `its plan waits for your approval: beadloom plan ${id}`,
})
export const phaseWaits = (id: string, after: number): Reason => ({
  code: 'phase_waits',
  text: `phase ${after} is done: waits for you (beadloom plan ${id} --continue)`,
})
export const paused = (pause: Pause): Reason => ({ code: 'paused', text: pauseText(pause) })
export const continues: Reason = { code: 'slots_in_use', text: 'continues as soon as a slot is free' }
export const inPlan = (epic: string): Reason => ({
  code: 'in_plan',
  text: `part of the running plan of ${epic}`,
  beads: [epic],
})
export const partsRun = (parts: readonly string[]): Reason => ({
  code: 'waits_for_children',
  text: `waits for the children ${listed(parts)}, which run by themselves`,
  beads: parts.slice(0, NAMED),
})
/** The reason of a reminder. */
const remindsOf = ({ id, status }: ListedBead): Reason => ({
  code: 'needs_human',
  text: status === 'blocked' ? `waiting for your answer on ${id}` : `a reminder: run ${id}`,
  beads: [id],
})
const leftOver = (id: string): Reason => ({
  code: 'needs_human',
  text: `${id} is done: close this reminder`,
  beads: [id],
})
const originIsDone = (id: string): Reason => ({
  code: 'needs_human',
  text: `${id} is done: close this bead, or run it`,
  beads: [id],
})
export const changedMeanwhile: Reason = {
  code: 'changed_meanwhile',
  text: 'edited while it was running: run it again, or close it',
}
/** The reason for an unknown status in the database, from a newer version or a faulty disk. */
const oddStatus = (word: string): Reason => ({
  code: 'odd_status',
  text: `Beadloom does not know its status in the database: ${JSON.stringify(oneLine(word).slice(0, LONGEST_NAME))}. A newer Beadloom may have written it, or the database is damaged. Run or close the bead to give it a known status`,
})
/** `doing`: the current step of the proof. */
export const baseProving = (branch: string, doing: string): Reason => ({
  code: 'base_proving',
  text: `checking ${branch} first: ${doing}`,
})

/** `until`: the time of the next automatic try; null: after a change of the base, the settings or the lock files. */
export const baseBroken = (text: string, fix: string, until: number | null): Reason => ({
  code: 'base_broken',
  text: `${text} ${fix}`.trim(),
  ...(until !== null && { until }),
})

export const projectPaused: Reason = { code: 'project_paused', text: 'paused: resume the project' }

/** The part of a reason that names projects. */
const CHECKING = /: checking the base of .*$/s

/** @param proving projects whose base is proved in some of the slots, where no bead is visible */
export const slotsInUse = (used: number, slots: number, proving: readonly string[] = []): Reason => ({
  code: 'slots_in_use',
  text: `${used} of ${slots} slots in use${proving.length === 0 ? '' : `: checking the base of ${listed(proving)}`}`,
})

/** Its project has its full share of slots, and others wait for the next one. */
export const shareUsed = (used: number, slots: number): Reason => ({
  code: 'share_used',
  text: `its project has its share of the slots: ${used} of ${slots}`,
})

export const projectLimit = (limit: number): Reason => ({
  code: 'project_limit',
  text: `its project's limit of ${limit} at once is reached`,
})

export const behindOthers = (first: readonly string[]): Reason => ({
  code: 'behind_others',
  text: `the free slots go to ${listed(first)} first`,
  beads: first.slice(0, NAMED),
})

/** A reason for people who do not see all projects: it names no other project and none of its beads. */
export function withoutOthers(reason: Reason): Reason {
  if (reason.code === 'slots_in_use') return { ...reason, text: reason.text.replace(CHECKING, '') }
  return reason.code === 'behind_others' ? { code: reason.code, text: 'the free slots go to others first' } : reason
}

export const retryLater = (at: number, now: number): Reason => ({
  code: 'retry_later',
  text: `retry at ${clockTime(at, now)}`,
  until: at,
})

export const modelCooldown = (until: number, now: number): Reason => ({
  code: 'model_parked',
  text: `the model asked to wait until ${clockTime(until, now)} (too many requests)`,
  until,
})

/** The limit of a period, until whose end nothing starts. */
export function periodUsedUp(
  { scope, unit, limit }: Pick<BudgetState, 'scope' | 'unit' | 'limit'>,
  now: number,
  currency: string,
): Reason {
  const { name, period } = scopeOf(scope)
  const { adjective, reset, endOf } = periods[period ?? 'day']
  const whose = name === 'the project' ? '' : `${name}'s `
  return {
    code: 'budget_exhausted',
    text: `${whose}${adjective} limit of ${amountText(limit, unit, currency)} reached; it resets ${reset}`,
    until: endOf(now),
  }
}

/** A queued execution whose bead has left the project, or has ended. Cancelling it is up to a person. */
export const gone: Reason = { code: 'not_open', text: 'no longer in the tracker: cancel its execution' }
export const doneAlready: Reason = { code: 'done', text: 'already done: cancel its execution, or reopen the bead' }

/** The owner of the bead's claim, if claims count; null: nobody, or Beadloom. */
export function whyClaimed({ claimedBy }: ListedBead, tracker: string | undefined): Reason | null {
  if (claimedBy === undefined || tracker === undefined) return null
  return { code: 'claimed', text: `claimed by ${oneLine(claimedBy).slice(0, LONGEST_NAME)} in ${tracker}` }
}

/** Why other beads keep this one from starting, or null. */
export function whyItWaits(at: number, waiting: Waiting): Reason | null {
  const blockers = waiting.blockersOf(at)
  return blockers === null ? null : waitsFor(blockers, waiting)
}

function waitsFor({ kind, beads, more = 0, through }: Blockers, waiting: Waiting): Reason {
  const whose = through === null ? '' : `its parent ${through} `
  if (kind === 'children')
    return {
      code: 'waits_for_children',
      text: `${whose}waits for the children ${listed(beads, undefined, more)}`,
      beads: beads.slice(0, LISTED),
    }
  const isKnown = (id: string) => waiting.target({ dependsOn: id, type: 'blocks' }) !== undefined
  const nameOf = (id: string) => (isKnown(id) || isExternal(id) ? id : `${id} (not in the tracker)`)
  // Pages link to `beads`.
  return {
    code: 'waits_for_bead',
    text: `${whose}waits for ${listed(beads, nameOf)}`,
    beads: beads.slice(0, LISTED).filter(isKnown),
  }
}

/** Why autopilot does not queue this bead, for reasons of the bead alone; null: it may. */
export function whyNotByItself(
  bead: ListedBead,
  at: number,
  waiting: Waiting,
  now: number,
  tried: boolean | 'outdated',
): Reason | null {
  if (bead.oddStatus !== undefined) return oddStatus(bead.oddStatus)
  if (!isWork(bead)) return { code: 'not_work', text: notWorkText(bead) }
  const notOpen = whyNotOpen(bead)
  if (notOpen !== null && tried === false) return { code: 'not_open', text: notOpen }
  const waits = whyItWaits(at, waiting)
  if (waits !== null) return waits
  if (tried === 'outdated') return changedMeanwhile
  if (tried) return { code: 'already_tried', text: triedText(bead) }
  const until = deferredUntil(bead, waiting, now)
  if (until !== null) return { code: 'deferred', text: `deferred until ${clockTime(until, now)}`, until }
  if (!isOpen(bead)) return { code: 'not_open', text: 'not open' }
  const reminded = remindedOf(bead, waiting.target)
  if (reminded !== null) return reminded.status === 'done' ? leftOver(reminded.id) : remindsOf(reminded)
  return bead.labels.includes(NEEDS_HUMAN) ? whomItWaitsFor(bead, waiting) : null
}

function whomItWaitsFor(bead: ListedBead, waiting: Waiting): Reason {
  const origin = bead.dependencies.find(({ type }) => type === 'discovered-from')
  const asks = origin && waiting.target(origin)
  if (asks?.status === 'done') return originIsDone(asks.id)
  return asks?.status === 'blocked' ? remindsOf(asks) : needsHuman
}

function notWorkText(bead: ListedBead): string {
  if (bead.trackerStatus === 'pinned' || bead.pinned) return 'pinned: a note, not work'
  if (bead.template) return 'a template, not work'
  if (bead.ephemeral || bead.id.includes('-wisp-'))
    return 'a wisp of the tracker, or left out by "beads.ignore": not work'
  return `${bead.type || 'no type'}: not a type of bead that agents work on`
}

/** Autopilot gives each bead one execution; after that a person decides. */
function triedText(bead: ListedBead): string {
  switch (bead.status) {
    case 'blocked':
      return 'its agent is blocked: answer it, then run the bead again'
    case 'timeout':
      return 'its last execution timed out: run it again by hand'
    case 'in_progress':
      return 'its last execution failed: see why, then run it again by hand'
    case 'open':
    case 'done':
      return 'it has already run: run it again by hand'
  }
}

/**
 * Done, or deleted in the tracker. A bead that was reopened here while its tracker still says "closed" does need a
 * reason.
 */
export const needsNoReason = (bead: ListedBead): boolean => bead.status === 'done' || bead.trackerStatus === 'tombstone'

/** `more`: the number of ids that are not in the list. */
function listed(ids: readonly string[], nameOf = (id: string) => id, more = 0): string {
  const names = ids.slice(0, NAMED).map(nameOf)
  if (ids.length > NAMED) return `${names.join(', ')} and ${ids.length - NAMED + more} more`
  if (names.length <= 1) return names[0] ?? 'other beads'
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
