import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import type { MeView } from '@beadloom/core/api/people/people-api.ts'
import type { ChangeInbox, InboxView } from '@beadloom/core/api/projects/inbox-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { execution, now } from './fixture-data.ts'
import { big, blank, demo } from './fixture-projects.ts'
import type { FixtureBead, FixtureProject } from './fixture-data.ts'
import { status } from './fixture-status.ts'
import { bases } from './fixture-bases.ts'
import { edges } from './fixture-edges.ts'
import { followUps } from './fixture-follow-ups.ts'
import { withReviews } from './fixture-reviews.ts'
import { planned } from './fixture-plans.ts'
import { logOf } from './fixture-logs.ts'
import type { FixtureLog } from './fixture-logs.ts'

type Listener = (topic: string, ops: BoardOp[]) => void

/**
 * `silent`: connected, and nothing is answered; `broken`: every question fails; `away`: nobody is there; `ill`: Docker,
 * the model and the disk are in trouble; `strange`: it does not know this browser; `newer`: it has outgrown the page;
 * `viewer`: somebody has signed in who may only look.
 */
const moods = ['well', 'silent', 'broken', 'away', 'ill', 'strange', 'newer', 'viewer'] as const
export type Mood = (typeof moods)[number]
export const parseMood = (text: string): Mood => moods.find((one) => one === text) ?? 'well'

/** The state behind the fixture server: queueing, cancelling, and a running bead that ends now and then. */
export class FixtureWorld {
  readonly epoch = `fixture-${now}`
  seq = 1000
  /** The version that the server says it has. */
  build = 'fixture'
  readonly projects: FixtureProject[]
  readonly #listeners = new Set<Listener>()
  readonly #moodListeners = new Set<() => void>()
  #mood: Mood = 'well'
  #steps = 0
  /** The number of lines of these beads' logs by now, if somebody decides that. */
  readonly said = new Map<string, number>()
  /** The output of a session, or of all sessions of a bead, if a test gives it line by line. */
  readonly printed = new Map<string, readonly string[]>()
  /** Ends the adding of a project, which lasts until then; null: none is added. */
  endAdding: (() => void) | null = null

  constructor(empty: boolean) {
    this.projects = empty ? [] : [withReviews(demo()), big(), blank(), edges(), planned(), followUps(), ...bases()]
  }

  get mood(): Mood {
    return this.#mood
  }
  set mood(mood: Mood) {
    this.#mood = mood
    for (const listener of this.#moodListeners) listener()
  }
  /** The signed-in person. */
  get me(): MeView {
    return this.#mood === 'viewer'
      ? {
          name: 'vera.example',
          role: 'viewer',
          projects: {},
          by: 'oidc',
          people: true,
          signOut: { method: 'post', url: '/sign-out' },
        }
      : { name: 'token', role: 'admin', projects: {}, by: 'token', people: false, signOut: null }
  }
  onMood(listener: () => void): void {
    this.#moodListeners.add(listener)
  }

  onOps(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  project(id: string): FixtureProject | undefined {
    return this.projects.find((one) => one.view.id === id)
  }

  execution(id: string): { project: FixtureProject; run: ExecutionView } | undefined {
    for (const project of this.projects) {
      const run = project.executions.get(id)
      if (run) return { project, run }
    }
    return undefined
  }

  snapshot(topic: string): BoardOp[] | null {
    if (topic === 'home')
      return [
        ...this.projects.map(({ view }): BoardOp => ({ op: 'put', kind: 'project', value: view })),
        { op: 'put', kind: 'status', value: status(this.projects, this.#mood === 'ill') },
      ]
    const project = this.project(topic.slice('board:'.length))
    if (!project) return null
    const live = [...project.executions.values()].filter(({ state }) => state === 'QUEUED' || state === 'RUNNING')
    return [
      ...[...project.beads.values()].map((value): BoardOp => ({ op: 'put', kind: 'bead', value: cardOf(value) })),
      ...live.map((value): BoardOp => ({ op: 'put', kind: 'execution', value })),
    ]
  }

  log(session: string): FixtureLog | null {
    const run = this.execution(session.slice(0, session.indexOf('.')))?.run
    const own = run?.sessions.find(({ id }) => id === session)
    const log = run && own ? logOf(run.bead, own) : null
    const printed = run && (this.printed.get(session) ?? this.printed.get(run.bead))
    if (log && printed) return { ...log, lines: () => printed.length, line: (n) => printed[n] ?? '' }
    return log && run ? { ...log, lines: () => this.said.get(run.bead) ?? log.lines() } : null
  }

  addPlan(project: FixtureProject, bead: FixtureBead, plan: PlanView): PlanView {
    const versions = project.plans?.get(bead.id) ?? []
    project.plans?.set(bead.id, [...versions.map((one) => ({ ...one, newest: plan.version })), plan])
    return plan
  }

  tellBead(project: FixtureProject, bead: FixtureBead): void {
    this.#tell(`board:${project.view.id}`, [{ op: 'put', kind: 'bead', value: cardOf(bead) }])
  }

  removeBead({ view, beads }: FixtureProject, id: string): void {
    beads.delete(id)
    this.#tell(`board:${view.id}`, [{ op: 'remove', kind: 'bead', id }])
  }

  setStatus(project: FixtureProject, bead: FixtureBead, status: 'open' | 'done'): void {
    bead.status = status
    bead.updatedAt = Date.now()
    this.tellBead(project, bead)
  }

  readonly #dismissed = new Map<string, Set<string>>()
  inbox({ view }: FixtureProject, { dismiss = [], restore = [] }: ChangeInbox): InboxView {
    const names = this.#dismissed.get(view.id) ?? new Set<string>()
    this.#dismissed.set(view.id, names)
    for (const name of dismiss) names.add(name)
    for (const name of restore) names.delete(name)
    if (dismiss.length + restore.length > 0) {
      view.dismissals = (view.dismissals ?? 0) + 1
      this.#tell('home', [{ op: 'put', kind: 'project', value: { ...view } }])
    }
    return { dismissed: [...names] }
  }

  tellExecution(project: FixtureProject, run: ExecutionView): void {
    project.executions.set(run.id, run)
    this.#tell(`board:${project.view.id}`, [{ op: 'put', kind: 'execution', value: run }])
    this.#tell('home', [{ op: 'put', kind: 'status', value: status(this.projects, this.#mood === 'ill') }])
  }

  /** Autopilot takes a new bead before its answer is there. */
  added(project: FixtureProject, bead: FixtureBead): void {
    if (project.view.autopilot) this.queue(project, bead)
    else this.tellBead(project, bead)
  }

  live(project: FixtureProject, bead: FixtureBead): ExecutionView | undefined {
    return [...project.executions.values()].find((run) => run.bead === bead.id && !isTerminal(run.state))
  }

  queue(project: FixtureProject, bead: FixtureBead): ExecutionView {
    const run = execution(project.view.id, bead.id, 'QUEUED', { beadTitle: bead.title, queuedAt: Date.now() })
    project.executions.set(run.id, run)
    bead.execution = run.id
    bead.reason = { code: 'slots_in_use', text: '3 of 3 slots in use' }
    this.changed(project, bead, run)
    return run
  }

  end(project: FixtureProject, run: ExecutionView, state: 'CANCELLED' | 'COMPLETED' | 'FAILED', detail: string): void {
    const at = Date.now()
    if (run.kind === 'review') {
      const review = project.reviews.find(({ id }) => id === run.id)
      if (review) Object.assign(review, { state, detail, endedAt: at })
      return this.tellExecution(project, { ...run, state, detail, endedAt: at, activity: null })
    }
    const bead = project.beads.get(run.bead)
    if (!bead) return
    const sessions = run.sessions.map((one) =>
      one.state === 'ended'
        ? one
        : {
            ...one,
            state: 'ended' as const,
            outcome: state === 'COMPLETED' ? ('success' as const) : ('failed' as const),
            endedAt: at,
          },
    )
    const ended = { ...run, state, detail, endedAt: at, activity: null, sessions }
    project.executions.set(run.id, ended)
    bead.status = state === 'COMPLETED' ? 'done' : state === 'FAILED' ? 'in_progress' : 'open'
    bead.ready = bead.status === 'open'
    bead.reason = null
    bead.updatedAt = at
    this.changed(project, bead, ended)
  }

  /** Every few seconds tokens rise, and now and then a bead ends and the next one starts. */
  step(): void {
    const [project] = this.projects
    if (!project) return
    this.#steps++
    for (const run of project.executions.values()) {
      if (run.state !== 'RUNNING') continue
      run.tokens = { input: run.tokens.input + 700, output: run.tokens.output + 60 }
      run.activity =
        ['running npm test', 'reading src/date.ts', 'editing src/date.ts', 'thinking'][this.#steps % 4] ?? null
      this.#tell(`board:${project.view.id}`, [{ op: 'put', kind: 'execution', value: run }])
    }
    if (this.#steps % 5 === 0) this.#exchange(project)
  }

  changed(project: FixtureProject, bead: FixtureBead, run: ExecutionView): void {
    this.#tell(`board:${project.view.id}`, [
      { op: 'put', kind: 'execution', value: run },
      { op: 'put', kind: 'bead', value: cardOf(bead) },
    ])
    this.#tell('home', [{ op: 'put', kind: 'status', value: status(this.projects, this.#mood === 'ill') }])
  }

  projectChanged(project: FixtureProject): void {
    this.#tell('home', [{ op: 'put', kind: 'project', value: project.view }])
  }

  #exchange(project: FixtureProject): void {
    const runs = [...project.executions.values()]
    const ending = runs.find(({ state, kind }) => state === 'RUNNING' && kind === 'work')
    if (ending)
      this.end(
        project,
        ending,
        this.#steps % 10 === 0 ? 'FAILED' : 'COMPLETED',
        'npm test fails: expected 3 to equal 4.',
      )
    const next = runs.find(({ state, kind }) => state === 'QUEUED' && kind === 'work')
    const bead = next && project.beads.get(next.bead)
    if (!next || !bead) return
    const started = execution(project.view.id, next.bead, 'RUNNING', {
      ...next,
      state: 'RUNNING',
      startedAt: Date.now(),
      sessions: [],
      activity: 'starting',
    })
    project.executions.set(started.id, started)
    bead.status = 'in_progress'
    bead.reason = null
    this.changed(project, bead, started)
  }

  #tell(topic: string, ops: BoardOp[]): void {
    this.seq++
    for (const listener of this.#listeners) listener(topic, ops)
  }
}

function cardOf(bead: FixtureBead) {
  const { description, ...card } = bead
  return description === undefined ? bead : card
}
