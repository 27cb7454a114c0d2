// @suite unit-long

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSchedule } from '@beadloom/core/testing/make-schedule.ts'
import type { Schedule, ExtraUse } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { countStart } from '@beadloom/core/dispatch/turns.ts'
import { newExecutionId, parseProjectId, type BeadId, type ExecutionId } from '@beadloom/core/records/ids.ts'
import { planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ProjectRow } from '@beadloom/server/src/ports/store/projects.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { settingsOf } from '@beadloom/server/src/app/stored/stored-settings.ts'
import { DispatchFeed, type FeedDeps } from '@beadloom/server/src/app/scheduling/dispatch-feed.ts'
import { LiveIndex } from '@beadloom/server/src/app/scheduling/live-index.ts'
import { ScheduleMemory } from '@beadloom/server/src/app/scheduling/schedule-memory.ts'
import { asQueued, asRunning, isUnapproved, rulesOf } from '@beadloom/server/src/app/scheduling/project-rules.ts'
import { partsOfPlans } from '@beadloom/server/src/app/scheduling/running-plans.ts'
import { SlotPlaces } from '@beadloom/server/src/app/scheduling/slot-places.ts'
import { openTestStore, seededRandom } from '@beadloom/server/src/store/testing.ts'
import { at, beadsFrom, names } from './any-beads-kit.ts'

/*
 * The scheduler is told only the differences. Over a real store, whatever happens to it, it schedules and says the same as
 * `makeSchedule` does with everything that is stored.
 */

const ids = ['p', 'q', 'r'].map(parseProjectId)
const ENGINES = ['local', 'cluster']

let folder: string
let count = 0
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'dispatch-feed-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A server's store, its knowledge beside that, and both ways to a schedule. */
class World {
  now = 1_000_000
  readonly store: Store
  readonly random = seededRandom(5)
  readonly index: LiveIndex
  readonly memory: ScheduleMemory
  readonly feed: DispatchFeed
  readonly deps: FeedDeps
  readonly places: SlotPlaces
  readonly obstacles = new Map<string, Reason>()
  readonly claimers = new Set<string>()
  readonly cooldowns = new Set<string>()
  slots: Record<string, number> = { local: 2, cluster: 3 }
  extra: ExtraUse[] = []
  claiming: ExecutionId[] = []
  noDisk = false
  /** The changes since the last round are not kept any more: everything is read again. */
  isPruned = false
  turns: Schedule['turns'] = new Map()
  start: readonly ExecutionId[] = []

  constructor() {
    const clock = { now: () => this.now, monotonic: () => this.now, sleep: () => Promise.resolve() }
    let tick = 0
    this.store = openTestStore(join(folder, `${++count}.db`), {
      clock: { ...clock, now: () => this.now + ++tick },
      random: this.random,
    })
    const changesAfter: Store['changesAfter'] = (seq, limit) =>
      this.isPruned ? null : this.store.changesAfter(seq, limit)
    this.index = new LiveIndex(Object.assign(Object.create(this.store) as Store, { changesAfter }))
    this.memory = new ScheduleMemory(this.index)
    const engines = new Map(ENGINES.slice(1).map((name) => [name, { docker: `ssh://${name}` }]))
    const places = new SlotPlaces({
      store: this.store,
      settings: { slots: 2, engines },
      engines: { nameOf: (asked) => asked ?? 'local' },
      health: () => ({ ok: true, text: '', where: null, weaker: [], cpus: 1, memoryBytes: 1 }),
    })
    this.places = places
    this.deps = {
      store: this.store,
      index: this.index,
      projects: {
        obstacle: ({ id }) => this.obstacles.get(id) ?? null,
        claimsIn: ({ id }) => (this.claimers.has(id) ? 'bd' : null),
      },
      facts: {
        obstacle: () => (this.noDisk ? { code: 'no_disk', text: 'full' } : null),
        engineObstacle: () => null,
        cooldown: (model) =>
          this.cooldowns.has(model ?? '') ? { code: 'model_parked', text: `at ${this.now}` } : null,
      },
      places: {
        of: (engine) => this.slots[engine] ?? 0,
        place: (settings) => places.place(settings),
        engineOf: (execution) => places.engineOf(execution),
      },
      claims: { waiting: () => new Set(this.claiming) },
      extraSlots: { uses: () => this.extra },
      clock,
    }
    this.feed = new DispatchFeed(this.deps)
  }

  /** The schedule of `makeSchedule` from all that is stored. */
  plain(): Schedule {
    const { store, index, places, deps } = this
    const live = index.live()
    const engines = [...ENGINES, 'other']
    return makeSchedule({
      now: this.now,
      slots: new Map(engines.map((engine) => [engine, this.slots[engine] ?? 0])),
      extra: this.extra,
      turns: this.turns,
      obstacle: deps.facts.obstacle(),
      claiming: deps.claims.waiting(),
      projects: store.projects().map((row) => ({
        id: row.id,
        ...rulesOf(deps, row, settingsOf(row)),
        ...places.place(settingsOf(row)),
        beads: store.beads(row.id),
        tried: index.tried(row.id),
        outdated: index.outdated(row.id),
        unapproved: new Set(names.filter((id) => isUnapproved(index, row.id, id))),
        partOf: partsOfPlans(store, row.id, live),
      })),
      running: live.filter(({ state }) => state === 'RUNNING').map((one) => asRunning(one, places.engineOf(one))),
      queued: live.filter(({ state }) => state === 'QUEUED').map(asQueued),
    })
  }

  round(): void {
    const made = this.feed.schedule()
    this.isPruned = false
    const { reasons, turns, ...plain } = this.plain()
    expect(made).toEqual(plain)
    this.memory.learn(this.feed)
    for (const id of ids) {
      const said = names.map((name) => [name, this.memory.reason(id, name)?.text ?? null])
      expect([id, said]).toEqual([id, names.map((name) => [name, reasons.get(id)?.get(name)?.text ?? null])])
    }
    this.turns = turns
    this.start = plain.start
  }

  /** Makes something happen. `n`: chooses among what exists. */
  do(what: Step, n: number, more: number): void {
    const { store } = this
    const project = at(ids, n)
    const row = store.project(project)
    const live = store.liveExecutions()
    if (what === 'project')
      return row ? this.#setProject(row, more) : void store.addProject({ id: project, source: '/p' })
    if (what === 'remove') {
      if (row && !live.some((one) => one.project === project)) store.removeProject(project)
      return
    }
    if (what === 'pruned') return void (this.isPruned = true)
    if (what === 'around') return this.#around(n, more)
    if (what === 'time') return void (this.now += more * 100_000)
    if (!row) return
    switch (what) {
      case 'sync':
        return void store.replaceBeads(project, beadsFrom(project, more))
      case 'queue':
        return this.#queue(row, at(names, more), more)
      case 'plan': {
        const subtasks = names.filter((_, bit) => ((more >> bit) & 1) === 1).map((id) => subtaskOf(id))
        const plan = {
          project,
          bead: at(names, n + more),
          source: at(['tracker', 'architect'] as const, more),
          plan: planOf(subtasks),
        }
        return void store.addPlan(plan)
      }
      case 'approve': {
        const plan = store.plan(project, at(names, more))
        if (plan) store.approvePlan(project, plan.bead, plan.version)
        return
      }
      case 'start':
        for (const id of this.start.slice(0, 1 + (more % 3))) this.#start(id)
        return
      case 'end': {
        const one = at(live, more)
        if (one?.state === 'RUNNING') this.#end(one.id, more)
        return
      }
      case 'note': {
        const one = at(live, more)
        if (one?.state !== 'RUNNING') return
        return store.noteExecution(one.id, { retryAt: more % 2 === 0 ? this.now + 900_000 : null })
      }
      case 'move':
        return void store.moveBead(project, at(names, more), {
          type: at(['failed', 'completed', 'started'] as const, n + more),
        })
    }
  }

  #setProject({ id }: ProjectRow, more: number): void {
    const bit = (which: number) => ((more >> which) & 1) === 1
    const settings = {
      autopilot: bit(0),
      engine: at(['local', 'cluster', 'other', 'local'], more >> 1),
      slots: { weight: 1 + (more % 3), limit: bit(3) ? 1 : null },
      planning: { when: bit(4) ? 'never' : 'children' },
      model: bit(5) ? 'm' : null,
    }
    this.store.updateProject(id, {
      paused: bit(2) && bit(4),
      autopilot: bit(6) ? null : true,
      settings: JSON.stringify(settings),
    })
  }

  #around(n: number, more: number): void {
    const bit = (which: number) => ((more >> which) & 1) === 1
    const project = at(ids, n)
    this.slots = { local: more % 4, cluster: (more >> 2) % 5, ...(bit(4) && { other: 2 }) }
    this.extra = bit(0) ? [{ project, engine: at(ENGINES, more), used: (more % 4) - 1, reserved: more % 2 }] : []
    this.noDisk = more % 11 === 0
    if (bit(3)) this.obstacles.set(project, { code: 'base_broken', text: `red ${more}` })
    else this.obstacles.clear()
    for (const [set, value] of [
      [this.claimers, project],
      [this.cooldowns, 'm'],
    ] as const)
      if (more % 5 === 0) set.add(value)
      else set.delete(value)
    this.claiming = this.store.liveExecutions().flatMap(({ id }, which) => (bit(which) ? [id] : []))
  }

  #queue({ id: project }: ProjectRow, name: BeadId, more: number): void {
    const kind = at(['work', 'work', 'plan', 'review'] as const, more >> 3)
    const id = newExecutionId(this.random)
    const common = { id, project, bead: name, branch: 'b', context: '', maxAttempts: 3 }
    if (!this.store.bead(project, name)) return
    if (kind === 'review')
      return void this.store.queueReview({ ...common, from: '0'.repeat(40), to: '1'.repeat(40), maxAttempts: 2 })
    const planVersion = kind === 'work' ? (this.store.plan(project, name)?.version ?? null) : null
    const chosen = kind === 'plan' ? { chosen: { planning: { approve: 'ask' } as never } } : {}
    this.store.queueExecution({ ...common, kind, byAutopilot: more % 2 === 0, planVersion, ...chosen })
  }

  #start(id: ExecutionId): void {
    const { store } = this
    const project = store.execution(id)!.project
    const settings = settingsOf(store.project(project)!)
    const { engine, weight } = this.places.place(settings)
    if (
      'refused' in store.startExecution(id, this.now + 9_999_999, undefined, { ...settings, engine } as ProjectSettings)
    )
      return
    const turns = this.turns.get(engine)
    // A project that changed its engine since the schedule had no turn.
    if (turns?.get(project)?.active !== true) return
    this.turns.set(engine, countStart(turns, project, weight))
    this.feed.countStart(project)
  }

  #end(id: ExecutionId, more: number): void {
    const { store } = this
    const ends = [
      { state: 'COMPLETED', commit: '1'.repeat(40), detail: '' },
      { state: 'FAILED', reason: 'agent_failed', detail: '' },
      { state: 'CANCELLED', detail: '' },
    ] as const
    const { project, bead: name, kind } = store.execution(id)!
    if (more % 4 === 0) store.flagExecution(id, { kind: 'outdated', text: '' } as never)
    const end = at(ends, more)
    store.endExecution(id, end as never)
    if (kind === 'work') store.moveBead(project, name, { type: end.state === 'COMPLETED' ? 'completed' : 'failed' })
  }
}

const steps = [
  'project',
  'remove',
  'pruned',
  'around',
  'time',
  'sync',
  'queue',
  'plan',
  'approve',
  'start',
  'end',
  'note',
  'move',
] as const
type Step = (typeof steps)[number]
const usual: Step[] = ['sync', 'queue', 'queue', 'start', 'start', 'end', 'project']
const step = fc.tuple(fc.constantFrom(...steps, ...usual), fc.nat(2), fc.nat(127))

test('after any change in and around a store, schedules and reasons are the same as made anew from everything in it', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 5, maxLength: 14 }), (rounds) => {
      const world = new World()
      try {
        for (const id of ids) world.do('project', ids.indexOf(id), 0)
        for (const id of ids) world.do('sync', ids.indexOf(id), ids.indexOf(id) + 3)
        for (const round of rounds) {
          for (const [what, n, more] of round) world.do(what, n, more)
          world.round()
        }
      } finally {
        world.store.close()
      }
    }),
    { numRuns: 15 },
  )
})
