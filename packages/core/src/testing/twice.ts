import type { ListedBead } from '../records/bead.ts'
import { DispatchIndex } from '../dispatch/live/dispatch-index.ts'
import { makeSchedule } from './make-schedule.ts'
import {
  HOME,
  type Schedule,
  type DispatchSnapshot,
  type PlacedExecution,
  type ProjectSnapshot,
  type QueuedExecution,
} from '../dispatch/dispatch-snapshot.ts'
import type { Reason } from '../dispatch/reason.ts'
import { USUAL_WEIGHT } from '../dispatch/shares.ts'
import { countStart } from '../dispatch/turns.ts'
import { parseBeadId, type BeadId, type ExecutionId, type ProjectId } from '../records/ids.ts'
import { sampleExecution, sampleSnapshot } from './sample-bead.ts'
import { beadOf, names, plainBead, plainRules, projects, type Change } from './any-change.ts'

/** The same world twice: as maps for a snapshot, and in the index. */
export class Twice {
  now = 0
  readonly index = new DispatchIndex()
  readonly projects = new Map<ProjectId, ProjectSnapshot & { beads: ListedBead[] }>()
  readonly known = new Map(
    projects.map((id) => [id, [new Set<BeadId>(), new Set<BeadId>(), new Set<BeadId>()]] as const),
  )
  readonly running = new Map<ExecutionId, PlacedExecution>()
  readonly queued = new Map<ExecutionId, QueuedExecution>()
  turns: Schedule['turns'] = new Map()
  /** The starts of the last schedule. */
  start: readonly ExecutionId[] = []
  /** Reasons as a reader knows them who asks only for changes. */
  readonly told = new Map<ProjectId, Map<BeadId, Reason>>()
  around = {
    slots: new Map([
      ['local', 2],
      ['cluster', 3],
    ]),
    extra: [] as NonNullable<DispatchSnapshot['extra']>,
    obstacle: null as DispatchSnapshot['obstacle'],
  }

  /** Projects that all have work, as on most servers. */
  constructor() {
    for (const [at, project] of projects.entries()) {
      for (const id of names) this.apply({ is: 'bead', project, bead: { ...plainBead, id, priority: at } })
      this.apply({ is: 'rules', project, rules: { ...plainRules, autopilot: at % 2 === 0 } })
    }
  }

  apply(one: Change): void {
    const { index } = this
    if ('project' in one) this.#begin(one.project)
    switch (one.is) {
      case 'bead': {
        const bead = beadOf((one as Extract<Change, { bead: unknown }>).bead)
        const { project: id } = one as { project: ProjectId }
        const snapshot = this.projects.get(id)!
        const at = snapshot.beads.findIndex((its) => its.id === bead.id)
        snapshot.beads.splice(at < 0 ? snapshot.beads.length : at, at < 0 ? 0 : 1, bead)
        return index.setBead(id, bead)
      }
      case 'no-bead': {
        const { project: id, id: bead } = one as { project: ProjectId; id: string }
        const snapshot = this.projects.get(id)!
        snapshot.beads = snapshot.beads.filter((its) => its.id !== bead)
        return index.removeBead(id, parseBeadId(bead))
      }
      case 'rules': {
        const { project: id, rules: set } = one as Extract<Change, { rules: unknown }>
        const { claims, ...rest } = set
        const snapshot = this.projects.get(id)!
        const next = { ...snapshot, ...rest, ...(claims && { claimsIn: 'bd' }) }
        if (!claims) delete (next as { claimsIn?: string }).claimsIn
        this.projects.set(id, next)
        return this.#tell(next)
      }
      case 'no-project':
        this.told.delete((one as { project: ProjectId }).project)
        this.projects.delete((one as { project: ProjectId }).project)
        return index.dropProject((one as { project: ProjectId }).project)
      case 'queued': {
        const its = one as Extract<Change, { byAutopilot: boolean }>
        const id = sampleExecution(String(its.number))
        const { project: of, byAutopilot, retryAt, queuedAt } = its
        const execution = {
          id,
          project: of,
          bead: parseBeadId(its.id),
          kind: its.review ? 'review' : 'work',
          byAutopilot,
          retryAt,
          queuedAt,
        } as const
        this.running.delete(id)
        this.queued.delete(id)
        this.queued.set(id, execution)
        return index.setQueued(execution)
      }
      case 'running': {
        const its = one as Extract<Change, { waits: unknown }>
        const id = sampleExecution(String(its.number))
        const bead = parseBeadId(its.id)
        for (const [other, { bead: busy, project: of }] of this.running)
          if (busy === bead && of === its.project && other !== id) return
        const { project: of, engine: at, waits } = its
        const execution = { id, project: of, bead, engine: at, waits }
        this.queued.delete(id)
        this.running.set(id, execution)
        return index.setRunning(execution)
      }
      case 'ended': {
        const id = sampleExecution(String((one as { number: number }).number))
        this.running.delete(id)
        this.queued.delete(id)
        return index.dropExecution(id)
      }
      case 'known': {
        const { project: id, which, ids } = one as Extract<Change, { which: number }>
        const set = this.known.get(id)![which]!
        const former = [...set]
        set.clear()
        for (const bead of ids) set.add(parseBeadId(bead))
        for (const bead of [...former, ...set]) index.touch(id, bead)
        return
      }
      case 'parts': {
        const { project: id, epic, ids } = one as Extract<Change, { epic: string }>
        const partOf = new Map(ids.map((part) => [parseBeadId(part), parseBeadId(epic)]))
        this.projects.set(id, { ...this.projects.get(id)!, partOf })
        return index.setParts(id, partOf)
      }
      case 'now':
        this.now = (one as { now: number }).now
        return
      case 'server': {
        const its = one as Extract<Change, { extra: unknown }>
        this.around = { slots: new Map(its.slots), extra: its.extra, obstacle: its.obstacle }
        return
      }
      case 'starts':
        for (const id of this.start.slice(0, (one as { most: number }).most)) this.#start(id)
    }
  }

  /** Both schedules, and both reasons for each possible bead. */
  schedules() {
    const { now, turns, around, index } = this
    const [running, queued] = [[...this.running.values()], [...this.queued.values()]]
    const claiming = new Set(queued.slice(0, 1).map(({ id }) => id))
    const { reasons, ...plain } = makeSchedule({
      ...around,
      turns,
      now,
      running,
      queued,
      claiming,
      projects: [...this.projects.values()],
    })
    const made = { ...index.schedule({ now, ...around, claiming }), turns: index.turns() }
    this.turns = plain.turns
    this.start = plain.start
    this.#learn()
    const beads = [...this.projects.keys()].flatMap((id) => names.map((bead) => ({ id, bead: parseBeadId(bead) })))
    const words = beads.map(({ id, bead }) => ({
      id,
      bead,
      plain: reasons.get(id)?.get(bead) ?? null,
      made: index.why(id, bead),
      told: this.told.get(id)?.get(bead) ?? null,
    }))
    return { plain, made, words }
  }

  #learn(): void {
    for (const [id, beads] of this.index.takeChanged()) {
      const reasons = this.told.get(id) ?? new Map<BeadId, Reason>()
      this.told.set(id, reasons)
      for (const bead of beads) {
        const reason = this.index.why(id, bead)
        if (reason === null) reasons.delete(bead)
        else reasons.set(bead, reason)
      }
    }
  }

  #start(id: ExecutionId): void {
    const execution = this.queued.get(id)
    const rules = execution && this.projects.get(execution.project)
    if (!execution || !rules) return
    const at = rules.engine ?? HOME
    const { project: of, bead } = execution
    this.queued.delete(id)
    const running = { id, project: of, bead, engine: at }
    this.running.set(id, running)
    this.index.setRunning(running)
    // A project that has changed its engine since the schedule has no turn there.
    if (this.turns.get(at)?.get(of)?.active !== true) return
    this.turns.set(at, countStart(this.turns.get(at)!, of, rules.weight ?? USUAL_WEIGHT))
    this.index.countStart(of)
  }

  #begin(id: ProjectId): void {
    if (this.projects.has(id)) return
    const [tried, outdated, unapproved] = this.known.get(id)!
    const snapshot = { ...sampleSnapshot([], { id, tried, outdated, unapproved, autopilot: true }), beads: [] }
    this.projects.set(id, snapshot)
    this.#tell(snapshot)
  }

  #tell(snapshot: ProjectSnapshot): void {
    const [tried, outdated, unapproved] = this.known.get(snapshot.id)!
    this.index.setProject(snapshot.id, snapshot, snapshot, {
      isTried: (bead) => tried.has(bead),
      isOutdated: (bead) => outdated.has(bead),
      isUnapproved: (bead) => unapproved.has(bead),
    })
  }
}
