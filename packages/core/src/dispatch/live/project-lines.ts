import type { ListedBead } from '../../records/bead.ts'
import { mendsBase } from '../../bead/mending.ts'
import type { BeadId, ProjectId } from '../../records/ids.ts'
import {
  whyClosed,
  whyNotQueued,
  whyNotStarted,
  type Origin,
  type ProjectFacts,
  type ProjectRules,
} from '../bead-reasons.ts'
import type { PlacedExecution, QueuedExecution } from '../dispatch-snapshot.ts'
import { waitOfKind } from '../../records/wait.ts'
import { QUEUED_AHEAD, whatItDoes } from '../dispatch-snapshot.ts'
import { sameReason, type Reason } from '../reason.ts'
import { USUAL_WEIGHT, type Claimant } from '../shares.ts'
import { nextWording } from '../../text/clock-time.ts'
import { gone, needsNoReason } from '../why-not.ts'
import { bestLine, isSamePlace, type Candidate, type Line } from './candidate.ts'
import { LiveWaiting } from './live-waiting.ts'
import { ProjectExecutions } from './project-executions.ts'
import { TurnLine } from './turn-line.ts'

/** The rest of the server's facts about beads of one project, read again after each `touch`. */
export type KnownBeads = Pick<ProjectFacts, 'isTried' | 'isOutdated' | 'isUnapproved'>

/** Takes a project's request to be looked at again: now, or at a time of one of its beads (milliseconds UTC). */
export type Watch = { now(project: ProjectLines): void; at(time: number, project: ProjectLines, bead: BeadId): void }

/** One project's beads and queued executions that may start, in order. */
export class ProjectLines implements Claimant<Candidate> {
  readonly project: ProjectId
  readonly waiting: LiveWaiting
  rules: ProjectRules = { autopilot: false, paused: true, obstacle: null }
  engine = ''
  weight = USUAL_WEIGHT
  limit: number | null = null
  used = 0
  turns = 0
  /** Its slots on its engine in addition to those of its executions. */
  extra = 0
  #taken: Candidate[] = []
  /** The values before anything was taken. */
  #before = { used: 0, turns: 0 }
  #startsNow = 0
  readonly #known: KnownBeads
  readonly #watch: Watch
  readonly #executions = new ProjectExecutions()
  readonly #changed = new Set<BeadId>()
  /** Beads whose executions have changed. */
  readonly #moved = new Set<BeadId>()
  #epics: ReadonlyMap<BeadId, BeadId> = new Map()
  readonly #parts = new Map<BeadId, BeadId[]>()
  readonly #touched = new Set<number>()
  readonly #candidates: (Candidate | undefined)[] = []
  /** The time at which each bead is looked at again, at the latest. */
  readonly #due = new Map<BeadId, number>()
  readonly #lines: Line[]
  #open: Line[] = []
  /** Why each line is closed; null: it is open. */
  #closed: (Reason | null)[] = []
  #later: Reason | null = null
  /** The reasons of everything in its lines may have changed. */
  #isOther = false
  readonly #facts: ProjectFacts

  constructor(project: ProjectId, known: KnownBeads, watch: Watch) {
    this.project = project
    this.#known = known
    this.#watch = watch
    this.waiting = new LiveWaiting((at) => this.touchAt(at))
    this.#lines = (['person', 'autopilot', 'fresh'] as const).flatMap((origin) =>
      [false, true].map((mends) => ({ origin, mends, places: new TurnLine<Candidate>() })),
    )
    this.#facts = {
      rules: this.rules,
      waiting: this.waiting,
      isTried: (id) => this.#known.isTried(id),
      isOutdated: (id) => this.#known.isOutdated(id),
      isUnapproved: (id) => this.#known.isUnapproved(id),
      epicOf: (id) => this.#epics.get(id),
      runningParts: (id) => (this.#parts.get(id) ?? []).filter((part) => this.#executions.runs(part)),
    }
  }

  /** Looks at the beads again only if the new rules affect them. */
  setRules(rules: ProjectRules): void {
    const { autopilot, epicsFirst, claimsIn } = this.rules
    const same = autopilot === rules.autopilot && epicsFirst === rules.epicsFirst && claimsIn === rules.claimsIn
    this.rules = rules
    this.#facts.rules = rules
    if (!same) this.touchAll()
    this.#watch.now(this)
  }

  touchAll(): void {
    for (const at of this.waiting.positions()) this.touchAt(at)
    for (const id of this.#executions.beads()) this.touchAnyhow(id)
  }

  touch(id: BeadId): void {
    const at = this.waiting.positionOf(id)
    if (at >= 0) this.touchAt(at)
  }

  touchAt(at: number): void {
    this.#touched.add(at)
    this.#watch.now(this)
  }

  /** Works without such a bead, too: its execution waits for nothing, or runs. */
  touchAnyhow(id: BeadId): void {
    this.touch(id)
    this.#changed.add(id)
    this.#moved.add(id)
    this.#watch.now(this)
  }

  /** The present schedule starts it, or the previous one did. */
  noteStart(id: BeadId): void {
    this.#changed.add(id)
  }

  /** The time for which the bead asked has come. */
  isDue(id: BeadId): void {
    this.#due.delete(id)
    this.touchAnyhow(id)
  }

  removeBead(id: BeadId): void {
    const at = this.waiting.positionOf(id)
    this.waiting.remove(id)
    if (at >= 0) this.#drop(at)
    this.#changed.add(id)
  }

  /** Beads that are part of the plan of a queued or running epic, each with its epic. */
  setParts(epics: ReadonlyMap<BeadId, BeadId>): void {
    for (const [id, epic] of this.#epics) if (epics.get(id) !== epic) this.#touchBoth(id, epic)
    for (const [id, epic] of epics) if (this.#epics.get(id) !== epic) this.#touchBoth(id, epic)
    this.#epics = epics
    this.#parts.clear()
    for (const [id, epic] of epics) this.#parts.set(epic, [...(this.#parts.get(epic) ?? []), id])
  }

  /** `former`: its previous state; `execution` undefined: it no longer runs. */
  setRunning(execution: PlacedExecution | undefined, former: PlacedExecution | undefined): void {
    this.#executions.setRunning(execution, former)
    const id = execution?.bead ?? former?.bead
    const epic = id && this.#epics.get(id)
    if (id !== undefined) this.touchAnyhow(id)
    if (epic !== undefined) this.touch(epic)
  }

  setQueued(execution: QueuedExecution | undefined, former: QueuedExecution | undefined): void {
    this.#executions.setQueued(execution, former)
    const id = execution?.bead ?? former?.bead
    if (id !== undefined) this.touchAnyhow(id)
  }

  /**
   * Beads with a possible change since the last call.
   *
   * @param later the schedule's reason why nothing more of the project starts
   */
  takeChanged(later: Reason | null): Set<BeadId> {
    const changed = new Set(this.#changed)
    this.#changed.clear()
    if (this.#isOther || !sameReason(later, this.#later)) {
      for (const candidate of this.#candidates) if (candidate !== undefined) changed.add(candidate.id)
      if (this.#isOther) for (const id of this.#executions.queuedBeads()) changed.add(id)
    }
    this.#isOther = false
    this.#later = later
    return changed
  }

  /** Brings the lines up to date. */
  look(now: number, server: Reason | null): void {
    for (const id of this.#moved) {
      this.#lookAgain(waitOfKind(this.#executions.running(id)?.waits, 'retry')?.at, id, now)
      this.#lookAgain(this.#executions.queued(id)?.retryAt, id, now)
    }
    this.#moved.clear()
    this.waiting.tellOthers()
    for (const at of this.#touched) {
      const bead = this.waiting.beadAt(at)
      if (bead?.type === 'epic') for (const child of this.waiting.childrenOf(bead.id)) this.#touched.add(child)
      if (bead !== undefined) this.#changed.add(bead.id)
      this.#place(at, bead, now)
    }
    this.#touched.clear()
    const closed = this.#lines.map(({ origin, mends }) => whyClosed(this.rules, server, origin, mends))
    if (closed.some((reason, at) => !sameReason(reason, this.#closed[at] ?? null))) this.#isOther = true
    this.#closed = closed
    this.#open = this.#lines.filter((_, at) => closed[at] === null)
    this.countUsed()
  }

  countUsed(): void {
    this.used = this.#executions.slotsOn(this.engine) + this.extra
  }

  peek(): Candidate | undefined {
    return bestLine(this.#open)?.places.peek()
  }

  take(): void {
    const candidate = bestLine(this.#open)?.places.takeOut()
    if (candidate === undefined) return
    if (this.#taken.length === 0) this.#before = { used: this.used, turns: this.turns }
    this.#taken.push(candidate)
  }

  /** Puts the taken candidates back in their lines, and counts them. */
  putBack(): void {
    for (const one of this.#taken) one.line.places.putBack(one)
    this.#startsNow = this.#taken.length
    this.#taken = []
    Object.assign(this, this.#before)
  }

  /** Used slots, including the last schedule's starts. */
  get usedThen(): number {
    return this.used + this.#startsNow
  }

  forgetTaken(): void {
    this.#startsNow = 0
  }

  /** The number of further executions that autopilot may queue ahead; also 0 if there is none to queue. */
  get room(): number {
    const has = this.#open.some(({ origin, places }) => origin === 'fresh' && places.size > 0)
    return has ? Math.max(0, QUEUED_AHEAD - this.#executions.ahead) : 0
  }

  /** The best fresh candidates in open lines. */
  bestFresh(most: number): Candidate[] {
    const lines = this.#open.filter(({ origin }) => origin === 'fresh')
    const found: Candidate[] = []
    while (found.length < most) {
      const line = bestLine(lines)
      const candidate = line?.places.takeOut()
      if (candidate === undefined) break
      found.push(candidate)
    }
    for (const one of found) one.line.places.putBack(one)
    return found
  }

  /** Why it does not start; null: it may, or needs no reason. `candidate`: it is in an open line. */
  reasonOf(id: BeadId, now: number, server: Reason | null): { reason: Reason | null; candidate: Candidate | null } {
    const known = (reason: Reason | null) => ({ reason, candidate: null })
    const running = this.#executions.running(id)
    if (running !== undefined) return known(whatItDoes(running, now))
    const queued = this.#executions.queued(id)
    const at = this.waiting.positionOf(id)
    const bead = this.waiting.beadAt(at)
    if (bead === undefined) return known(queued === undefined ? null : gone)
    if (queued === undefined && needsNoReason(bead)) return known(null)
    const origin = originOf(queued)
    const closed = () => whyClosed(this.rules, server, origin, mendsBase(bead))
    if (queued === undefined) {
      const reason = whyNotQueued(bead, at, this.#facts, now) ?? closed()
      return { reason, candidate: reason === null ? (this.#candidates[at] ?? null) : null }
    }
    const { before, after } = whyNotStarted(queued, bead, at, this.#facts, now)
    const reason = before ?? closed() ?? after
    return { reason, candidate: reason === null ? (this.#candidates[at] ?? null) : null }
  }

  #place(at: number, bead: ListedBead | undefined, now: number): void {
    const next = bead === undefined ? null : this.#candidateOf(at, bead, now)
    const former = this.#candidates[at]
    if (former !== undefined && next !== null && isSamePlace(former, next)) return
    this.#drop(at)
    if (next === null) return
    this.#candidates[at] = next
    next.line.places.add(next)
  }

  #drop(at: number): void {
    const former = this.#candidates[at]
    if (former === undefined) return
    former.line.places.drop(former)
    this.#candidates[at] = undefined
  }

  #candidateOf(at: number, bead: ListedBead, now: number): Candidate | null {
    this.#setTimers(bead, now)
    if (this.#executions.runs(bead.id)) return null
    const queued = this.#executions.queued(bead.id)
    if (queued === undefined) {
      if (needsNoReason(bead) || whyNotQueued(bead, at, this.#facts, now) !== null) return null
    } else {
      const { before, after } = whyNotStarted(queued, bead, at, this.#facts, now)
      if (before !== null || after !== null) return null
    }
    const origin = originOf(queued)
    const line = this.#lines.find((one) => one.origin === origin && one.mends === mendsBase(bead)) as Line
    const { id, priority } = bead
    return {
      project: this.project,
      id,
      bead: id,
      priority,
      at,
      line,
      gone: false,
      fresh: queued === undefined,
      since: queued?.queuedAt ?? bead.createdAt,
      execution: queued?.id ?? null,
    }
  }

  /** The bead's reason changes at that time, or earlier. */
  #lookAgain(until: number | null | undefined, id: BeadId, now: number): void {
    const time = typeof until === 'number' ? nextWording(until, now) : null
    if (time === null || (this.#due.get(id) ?? Infinity) <= time) return
    this.#due.set(id, time)
    this.#watch.at(time, this, id)
  }

  #setTimers(bead: ListedBead, now: number): void {
    this.#lookAgain(bead.deferUntil, bead.id, now)
    for (const edge of bead.dependencies)
      if (edge.type === 'parent-child') this.#lookAgain(this.waiting.target(edge)?.deferUntil, bead.id, now)
  }

  #touchBoth(id: BeadId, epic: BeadId): void {
    this.touch(id)
    this.touch(epic)
  }
}

const originOf = (queued: QueuedExecution | undefined): Origin =>
  queued === undefined ? 'fresh' : queued.byAutopilot === true ? 'autopilot' : 'person'
