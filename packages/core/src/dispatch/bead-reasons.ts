import type { ListedBead } from '../records/bead.ts'
import { isWork } from '../bead/ready.ts'
import { hasEnded, type Waiting } from '../bead/waiting.ts'
import type { ExecutionKind } from '../records/execution.ts'
import type { BeadId } from '../records/ids.ts'
import type { Reason } from './reason.ts'
import {
  doneAlready,
  inPlan,
  manual,
  needsNoReason,
  partsRun,
  planWaits,
  projectPaused,
  retryLater,
  whyClaimed,
  whyItWaits,
  whyNotByItself,
} from './why-not.ts'

/** A project's rules for all of its beads. */
export type ProjectRules = {
  autopilot: boolean
  paused: boolean
  /** Why nothing of this project can start ("no model configured: …"), or null. */
  obstacle: Reason | null
  /** Why autopilot starts nothing more by itself, or null; a person still can. */
  brake?: Reason | null
  /** An epic's children are its plan, so autopilot starts the epic before them. */
  epicsFirst?: boolean
  /** The name of the tracker, if its claims count ("bd"); absent: they do not. */
  claimsIn?: string
}

/** The facts from which the reasons of one project's beads follow. Beads are named by their positions in `waiting`. */
export type ProjectFacts = {
  rules: ProjectRules
  waiting: Waiting
  /** It had an execution that ended, in any way: autopilot does not start it again. */
  isTried(id: BeadId): boolean
  /** It is tried, and was edited while its last execution ran. */
  isOutdated(id: BeadId): boolean
  /** Its plan waits for a person's approval. */
  isUnapproved(id: BeadId): boolean
  /** The queued or running epic whose plan it belongs to. */
  epicOf(id: BeadId): BeadId | undefined
  /** Parts of its own plan that run by themselves. */
  runningParts(id: BeadId): readonly BeadId[]
}

export type Wanted = { kind?: ExecutionKind; retryAt: number | null; byAutopilot?: boolean }

/**
 * Why a queued execution does not start, for reasons of its bead or its own times, which remain when the project's and
 * the server's trouble is over. Null: `whyClosed` decides.
 */
export function whyNotStarted(
  { kind, retryAt }: Wanted,
  bead: ListedBead,
  at: number,
  facts: ProjectFacts,
  now: number,
): { before: Reason | null; after: Reason | null } {
  const after = retryAt !== null && retryAt > now ? retryLater(retryAt, now) : null
  // A review looks at existing work, so it ignores its bead's blockers; planning begins nothing.
  if (kind === 'review') return { before: null, after }
  const before = needsNoReason(bead)
    ? doneAlready
    : (whyClaimed(bead, facts.rules.claimsIn) ?? whyPart(bead, facts) ?? whyItWaits(at, facts.waiting))
  return { before, after }
}

/** Why a bead without an execution is not queued, for reasons of its own. Null: `whyClosed` decides. */
export function whyNotQueued(bead: ListedBead, at: number, facts: ProjectFacts, now: number): Reason | null {
  const { rules, waiting } = facts
  // Without autopilot a person starts every bead, so an open bead may have been tried any number of times.
  const tried = facts.isTried(bead.id) && (rules.autopilot || bead.status !== 'open')
  const outdated = tried && bead.status === 'in_progress' && facts.isOutdated(bead.id)
  const claim = isWork(bead) ? whyClaimed(bead, rules.claimsIn) : null
  const part = whyPart(bead, facts) ?? (rules.autopilot && rules.epicsFirst ? whyAfterEpic(bead, facts, now) : null)
  return (
    part ??
    claim ??
    whyNotByItself(bead, at, waiting, now, outdated ? 'outdated' : tried) ??
    (facts.isUnapproved(bead.id) ? planWaits(bead.id) : null)
  )
}

/** The origin of a start: an execution queued by a person or by autopilot, or a fresh one of autopilot. */
export type Origin = 'person' | 'autopilot' | 'fresh'

/** Why nothing of this kind starts in the project; a broken base does not stop a bead that mends it. */
export function whyClosed(rules: ProjectRules, server: Reason | null, origin: Origin, mends: boolean): Reason | null {
  const { obstacle, autopilot, paused, brake = null } = rules
  if (obstacle !== null && !(mends && obstacle.code === 'base_broken')) return obstacle
  if (server !== null) return server
  if (paused) return projectPaused
  if (origin === 'person') return null
  if (!autopilot) return origin === 'fresh' ? manual : null
  return brake
}

/** Why a bead does not run because of a plan: it is part of one, or parts of its own plan are running. */
function whyPart({ id }: ListedBead, facts: ProjectFacts): Reason | null {
  const epic = facts.epicOf(id)
  if (epic !== undefined) return inPlan(epic)
  const parts = facts.runningParts(id)
  return parts.length === 0 ? null : partsRun(parts)
}

/** An epic that autopilot could start itself has its children as its plan. */
function whyAfterEpic(bead: ListedBead, { waiting, isTried }: ProjectFacts, now: number): Reason | null {
  if (hasEnded(bead)) return null // a pinned note belongs to no plan
  for (const edge of bead.dependencies) {
    if (edge.type !== 'parent-child') continue
    const epic = waiting.target(edge)
    if (epic === undefined || epic.type !== 'epic' || epic.status !== 'open' || isTried(epic.id)) continue
    if (whyNotByItself(epic, waiting.positionOf(epic.id), waiting, now, false) === null) return inPlan(epic.id)
  }
  return null
}
