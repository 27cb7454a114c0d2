import type { Bead } from '@beadloom/core/records/bead.ts'
import { slotsOn } from '@beadloom/core/dispatch/capacity.ts'
import { DispatchIndex } from '@beadloom/core/dispatch/live/dispatch-index.ts'
import { parseProjectId, type BeadId, type ExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { beadsOf } from './scheduling.ts'
import { figure, type Report, type Row } from './support/figure.ts'

const ROUNDS = 2_000
const NOW = Date.UTC(2026, 2, 1)
const ENGINE = 'cluster'
/** One project in `AUTOPILOTS` has autopilot; in each other one, people have queued `QUEUED` beads. */
const AUTOPILOTS = 10
const QUEUED = 40
/** Ten sandboxes fit on each node. */
const SANDBOX = { cpus: 2, memoryBytes: 4 * 1024 ** 3 }
const NODE = { cpus: 20, memoryBytes: 64 * 1024 ** 3 }
const LARGEST = { beads: 1_000_000, projects: 1_000, nodes: 1_000 }
const SIZES = [{ beads: 100_000, projects: 10, nodes: 10 }, LARGEST]

type Size = typeof LARGEST
type Live = { id: ExecutionId; project: ProjectId; bead: Bead; byAutopilot: boolean }

/**
 * A server's day, step by step: an execution ends and its bead is done, the scheduler makes a schedule, its executions are
 * queued and started. Each step is timed separately.
 */
class Simulation {
  readonly index = new DispatchIndex()
  readonly #beads = new Map<ProjectId, Map<BeadId, Bead>>()
  /** All started executions; the first `#ended` of them have ended. */
  readonly #running: Live[] = []
  #ended = 0
  readonly #queued = new Map<ExecutionId, Live>()
  readonly #nodes
  #count = 0

  constructor(size: Size) {
    this.#nodes = Array.from({ length: size.nodes }, () => NODE)
    const known = { isTried: () => false, isOutdated: () => false, isUnapproved: () => false }
    for (let at = 0; at < size.projects; at++) {
      const id = parseProjectId(`p-${at}`)
      const rules = { autopilot: at % AUTOPILOTS === 0, paused: false, obstacle: null }
      this.index.setProject(id, rules, { engine: ENGINE, weight: 1 + (at % 3), limit: at % 5 === 0 ? 50 : null }, known)
      const beads = beadsOf(size.beads / size.projects, id)
      for (const bead of beads) this.index.setBead(id, bead)
      this.#beads.set(id, new Map(beads.map((bead) => [bead.id, bead])))
      if (!rules.autopilot) for (let first = 0; first < QUEUED; first++) this.#queueNext(id)
    }
  }

  get running(): number {
    return this.#running.length - this.#ended
  }

  decide(): void {
    const schedule = this.index.schedule({
      now: NOW,
      slots: new Map([[ENGINE, slotsOn(this.#nodes, SANDBOX)]]),
      extra: [],
      obstacle: null,
      claiming: new Set(),
    })
    for (const id of schedule.start) this.#start(id)
    for (const { project, bead } of schedule.enqueue) this.#queue(project, bead)
  }

  /** Ends the execution that has run longest. */
  endOne(): void {
    const one = this.#running[this.#ended++]
    if (one === undefined) return
    this.index.dropExecution(one.id)
    this.index.setBead(one.project, { ...one.bead, status: 'done' })
    if (!one.byAutopilot) this.#queueNext(one.project)
  }

  /** Queues the next bead, ready or not, as people do. */
  #queueNext(project: ProjectId): void {
    const next = this.#beads.get(project)?.keys().next().value
    if (next !== undefined) this.#queue(project, next, false)
  }

  #queue(project: ProjectId, id: BeadId, byAutopilot = true): void {
    const bead = this.#beads.get(project)?.get(id)
    if (bead === undefined) return
    this.#beads.get(project)?.delete(id)
    const execution = `ex-${String(++this.#count).padStart(10, '0')}` as ExecutionId
    this.#queued.set(execution, { id: execution, project, bead, byAutopilot })
    this.index.setQueued({ id: execution, project, bead: id, queuedAt: NOW, retryAt: null, byAutopilot })
  }

  #start(id: ExecutionId): void {
    const one = this.#queued.get(id)
    if (one === undefined) return
    this.#queued.delete(id)
    this.#running.push(one)
    this.index.setRunning({ id, project: one.project, bead: one.bead.id, engine: ENGINE })
    this.index.setBead(one.project, { ...one.bead, status: 'in_progress' })
    this.index.countStart(one.project)
  }
}

/** Times the scheduler's work for each thing that happens, up to the size of a cluster. */
export async function dispatching(asked: number | null): Promise<Report> {
  return { rows: SIZES.flatMap((size) => rowsOf(size, asked ?? ROUNDS)), parts: [] }
}

function rowsOf(size: Size, rounds: number): Row[] {
  const simulation = new Simulation(size)
  const since = performance.now()
  simulation.decide()
  const began = performance.now() - since
  for (let fill = 0; fill < 20; fill++) simulation.decide()
  for (let warm = 0; warm < 200; warm++) {
    simulation.endOne()
    simulation.decide()
  }
  const times = Array.from({ length: rounds }, () => {
    const from = performance.now()
    simulation.endOne()
    simulation.decide()
    return performance.now() - from
  })
  const count = (value: number) => value.toLocaleString('en-US')
  const { beads, projects, nodes } = size
  const name = `${count(beads)} beads, ${count(projects)} projects, ${count(nodes)} nodes, ${count(simulation.running)} sandboxes`
  const row = { bench: 'dispatching', baseline: null }
  const worst = times.toSorted((a, b) => a - b)
  return [
    {
      ...row,
      what: `one ends, the next starts: ${name}`,
      ours: figure('ms', times),
      aim: { of: 'ours', at: 'most', value: 1 },
    },
    {
      ...row,
      what: 'the same, 99 of 100',
      ours: figure('ms', [worst[Math.floor(times.length * 0.99)] ?? 0]),
      aim: null,
    },
    { ...row, what: 'the first schedule, of everything', ours: figure('ms', [began]), aim: null },
  ]
}
