import type { BeadId, ExecutionId, ProjectId } from '../records/ids.ts'
import { parseBeadId, parseProjectId } from '../records/ids.ts'
import { makeSchedule } from './make-schedule.ts'
import type { Schedule, QueuedExecution } from '../dispatch/dispatch-snapshot.ts'
import { countStart, type Turn } from '../dispatch/turns.ts'
import { sampleBead, sampleSnapshot } from './sample-bead.ts'

/** A project of the simulation. `lasts`: the duration of its next execution, in steps. */
export type Trader = {
  name: string
  weight?: number
  limit?: number | null
  engine?: string
  priorities: readonly number[]
  lasts: () => number
  /** The number of initial beads; `file` adds more. */
  beads: number
}

type Live = { id: ExecutionId; project: ProjectId; bead: BeadId; engine: string; until: number }

/**
 * A simulation of projects that compete for slots, step by step, with the real schedule: no clock and no chance of its own.
 */
export class SlotMarket {
  now = 0
  running: Live[] = []
  readonly started = new Map<string, number>()
  readonly waited = new Map<string, number>()
  readonly #traders: readonly Trader[]
  readonly #slots: ReadonlyMap<string, number>
  readonly #queued: QueuedExecution[] = []
  readonly #priorities = new Map<BeadId, number>()
  #turns = new Map<string, Map<ProjectId, Turn>>()
  #count = 0

  constructor(slots: ReadonlyMap<string, number>, traders: readonly Trader[]) {
    this.#slots = slots
    this.#traders = traders
    for (const trader of traders) for (let bead = 0; bead < trader.beads; bead++) this.file(trader.name)
  }

  file(name: string): void {
    const trader = this.#traders.find((one) => one.name === name)!
    const number = ++this.#count
    const bead = parseBeadId(`${name}-${number}`)
    this.#priorities.set(bead, trader.priorities[number % trader.priorities.length] ?? 2)
    const id = `ex-${String(number).padStart(10, '0')}` as ExecutionId
    this.#queued.push({ id, project: parseProjectId(name), bead, queuedAt: this.now, retryAt: null })
  }

  waiting(name: string): number {
    return this.#queued.filter(({ project }) => project === name).length
  }

  /** Whether something waits that may get a slot. */
  get isBusy(): boolean {
    return this.#traders.some(
      ({ name, engine = 'local' }) => this.waiting(name) > 0 && (this.#slots.get(engine) ?? 0) > 0,
    )
  }

  has(name: string): number {
    return this.running.filter(({ project }) => project === name).length
  }

  schedule(): Schedule {
    const beadsOf = (id: ProjectId) =>
      [...this.#queued, ...this.running].flatMap(({ project, bead }) =>
        project === id ? [sampleBead(bead, { priority: this.#priorities.get(bead)! })] : [],
      )
    return makeSchedule({
      now: this.now,
      slots: this.#slots,
      turns: this.#turns,
      obstacle: null,
      projects: this.#traders.map(({ name, weight = 1, limit = null, engine = 'local' }) => {
        const id = parseProjectId(name)
        return sampleSnapshot(beadsOf(id), { id, weight, limit, engine, autopilot: false })
      }),
      running: this.running,
      queued: this.#queued,
    })
  }

  /** Takes a step: due executions end, the schedule's executions start, and time moves on. */
  step(): Schedule {
    this.running = this.running.filter(({ until }) => until > this.now)
    const schedule = this.schedule()
    this.#turns = schedule.turns
    for (const id of schedule.start) this.#start(id)
    this.now += 1
    return schedule
  }

  #start(id: ExecutionId): void {
    const at = this.#queued.findIndex((one) => one.id === id)
    const [{ project, bead, queuedAt }] = this.#queued.splice(at, 1) as [QueuedExecution]
    const { engine = 'local', weight = 1, lasts } = this.#traders.find(({ name }) => name === project)!
    this.running.push({ id, project, bead, engine, until: this.now + lasts() })
    this.started.set(project, (this.started.get(project) ?? 0) + 1)
    this.waited.set(project, Math.max(this.waited.get(project) ?? 0, this.now - queuedAt))
    this.#turns.set(engine, countStart(this.#turns.get(engine) ?? new Map(), project, weight))
  }
}
