import { refusedOf } from '@beadloom/core/budget/wait.ts'
import type { Execution, ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { ExecutionId, SessionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { sessionsByPlan } from '@beadloom/core/plan/sessions-by-plan.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { CommonDeps } from '../execution/deps.ts'
import { failed } from '../execution/ends.ts'
import { engineOf, onEngine } from '../execution/on-engine.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { EarlyWait } from '../execution/early-wait.ts'
import { Stopper, type StopReason } from '../execution/stop.ts'
import { Turns } from '../execution/turns.ts'
import { Watchdog } from '../execution/watchdog.ts'
import type { HubProject } from '../ports/hub.ts'
import { crashPoint } from '../process/crash-point.ts'
import { endSessions } from '../sandbox/end-sessions.ts'
import type { ProjectEnvironments } from '../sandbox/project-environment.ts'
import { drive, type LeftBehind } from './drive.ts'
import { runPipeline } from './ending/pipeline.ts'
import { kinds } from './kinds.ts'

/** The questions about a project when one of its executions starts. */
export type ProjectSource = {
  /**
   * Throws when the project cannot run; the sentence says why. `started`: the settings that an execution already has,
   * which count whatever the project's are now.
   */
  open(project: ProjectId, started?: ProjectSettings | null): { hub: HubProject; settings: ProjectSettings }
  sync(project: ProjectId): Promise<void>
}

const STORE_RETRY_MS = 5_000

/** `finished` never rejects. */
type InHand = { stopper: Stopper; retryWait: EarlyWait; turns: Turns; finished: Promise<void> }
type Controls = Omit<InHand, 'finished'>

/** The executions that this server drives. The scheduler chooses which start; nothing else starts one. */
export class Executions {
  readonly #deps: CommonDeps
  readonly #projects: ProjectSource
  readonly #environments: ProjectEnvironments
  readonly #inHand = new Map<ExecutionId, InHand>()
  #detached = false

  constructor(deps: CommonDeps, projects: ProjectSource, environments: ProjectEnvironments) {
    this.#deps = deps
    this.#projects = projects
    this.#environments = environments
  }

  /** Moves the execution to RUNNING and continues in the background; false when it could not start (any more). */
  async start(id: ExecutionId): Promise<boolean> {
    const { store, clock } = this.#deps
    const queued = store.execution(id)
    if (!queued || queued.state !== 'QUEUED') return false
    const opened = this.#projects.open(queued.project).settings
    // Stored, so that its sandboxes are found on their engine even if the default changes.
    const settings = { ...opened, engine: this.#deps.engines.nameOf(opened.engine) }
    const { limits, maxAttempts } = settings
    const newest =
      queued.kind === 'work' ? this.#limitsOf(queued, { maxAttempts, maxSessions: limits.maxSessions }) : undefined
    const started = await store.startExecution(id, clock.now() + limits.executionTimeoutMs, newest, settings)
    if ('refused' in started) return false
    crashPoint('after-claim')
    const controls = this.#controls(id)
    // Somebody may have cancelled it while it was being stored, before it was in hand.
    if (store.execution(id)?.cancelRequestedAt) controls.stopper.stop(this.#asked(id))
    this.#take(id, controls, this.#toTheEnd(started, controls))
    return true
  }

  /** Whether this server drives it. */
  isInHand(id: ExecutionId): boolean {
    return this.#inHand.has(id)
  }

  /** Continues an execution that was RUNNING when the earlier server stopped. */
  reattach(execution: Execution, left: LeftBehind): void {
    const { id } = execution
    const { store, log } = this.#deps
    const controls = this.#controls(id)
    const { stopper } = controls
    const reason = store.stopReason(id) as StopReason | null
    if (reason) stopper.stop(reason)
    // From the store: somebody may have cancelled it while its container was looked for.
    else if (store.execution(id)?.cancelRequestedAt) stopper.stop(this.#asked(id))
    const finished = this.#toTheEnd(execution, controls, left).catch((error) =>
      log.error({ error, execution: id }, 'an execution could not be continued'),
    )
    this.#take(id, controls, finished)
  }

  /** Cancels at any moment: queued ones end at once, running ones are stopped. */
  cancel(id: ExecutionId): void {
    const inHand = this.#inHand.get(id)
    if (inHand) return inHand.stopper.stop(this.#asked(id))
    // An earlier server's, not reattached yet: its container's work is saved first. `reattach` sees the request.
    if (this.#deps.store.execution(id)?.state === 'RUNNING') return
    const end: ExecutionEnd = { state: 'CANCELLED', detail: 'You cancelled it before it started.' }
    this.#end(id, end).catch((error) => this.#deps.log.error({ error, execution: id }, 'a cancel was not finished'))
  }

  /** A person's stop; at a limit it is the answer to the question whether the execution may have more. */
  #asked(id: ExecutionId): StopReason {
    const wait = waitOfKind(this.#deps.store.execution(id)?.waits, 'budget')
    return wait && !wait.granted ? { stop: 'budget', limit: refusedOf(wait) } : { stop: 'cancelled' }
  }

  /**
   * Gives up waiting for a sandbox that cannot be stopped: the execution ends, its slot is free, and its container is
   * left to the sweep. False when it is not waiting for one.
   */
  abandon(id: ExecutionId): boolean {
    const inHand = this.#inHand.get(id)
    if (!inHand || !this.#deps.store.execution(id)?.stopPending) return false
    inHand.stopper.abandon()
    return true
  }

  /** Ends its wait for a retry; an execution that does not wait is left alone. */
  retryNow(id: ExecutionId): void {
    this.#inHand.get(id)?.retryWait.cutShort()
  }

  /**
   * Ends what its agents do, but not the agents: their commands, or the answers of their models. Never rejects.
   *
   * @param only the agent in front, those that people can say something to, or one of them
   * @param by the name of who wants it; '' for the holder of the access token
   */
  async stopTurn(
    id: ExecutionId,
    { only, by }: { only: 'front' | 'workers' | 'all' | SessionId; by: string },
  ): Promise<void> {
    const { store, recorder, log } = this.#deps
    const turns = this.#inHand.get(id)?.turns
    if (turns === undefined) return
    const working = () => store.messageReaders(id)
    const sessions =
      only === 'all' ? null : only === 'workers' ? working() : only === 'front' ? working().slice(0, 1) : [only]
    const note = (one: SessionId) => recorder.note(one, `${by === '' ? 'A person' : by} has stopped what the agent did`)
    try {
      await turns.stop(sessions, note)
    } catch (error) {
      log.error({ error, execution: id }, 'the turn of an agent could not be stopped')
    }
  }

  /** The parts of an execution that others need to work with it, even after its end. Throws when they are not known. */
  liveOf(
    execution: Execution,
    controls: Controls = { stopper: new Stopper(), retryWait: new EarlyWait(), turns: new Turns() },
  ): LiveExecution {
    const { id, project, kind } = execution
    const { store, clock } = this.#deps
    const deps = onEngine(this.#deps, engineOf(this.#deps, execution))
    const { hub, settings } = this.#projects.open(project, store.startedSettings(id))
    const bead = store.bead(project, execution.bead)
    if (!bead) throw new Error(`the bead ${execution.bead} is gone`)
    const { executionTimeoutMs, inactivityTimeoutMs } = settings.limits
    const note = (elapsedMs: number) => this.#note(() => store.noteElapsed(id, elapsedMs))
    return {
      id,
      deps,
      bead,
      project: hub,
      settings: kinds[kind].settings(settings, execution),
      ...controls,
      watchdog: new Watchdog(
        clock,
        {
          // A person may change it meanwhile.
          get wallClockMs() {
            return store.execution(id)?.course?.executionTimeoutMs ?? executionTimeoutMs
          },
          silenceMs: inactivityTimeoutMs,
        },
        { elapsedMs: execution.elapsedMs, note },
        async () => (await deps.engine.health()).ok,
      ),
    }
  }

  /**
   * Lets go of everything that runs: containers keep running, records are closed at their checkpoint, nothing is
   * written any more. Takes at most `limitMs`; the rest is cut off as by a crash.
   */
  async detach(limitMs: number): Promise<void> {
    this.#detached = true
    const inHand = [...this.#inHand.values()]
    for (const { stopper } of inHand) stopper.stop({ stop: 'detach' })
    const done = new AbortController()
    const finished = Promise.all(inHand.map((one) => one.finished)).then(() => done.abort())
    await Promise.race([finished, this.#deps.clock.sleep(limitMs, done.signal)])
  }

  #limitsOf({ project, bead, planVersion }: Execution, own: Pick<Execution, 'maxAttempts' | 'maxSessions'>) {
    const plan = planVersion === undefined ? null : this.#deps.store.plan(project, bead, planVersion)
    return plan ? sessionsByPlan(plan.plan.subtasks, own) : own
  }

  #take(id: ExecutionId, controls: Controls, work: Promise<void>): void {
    this.#inHand.set(id, { ...controls, finished: work.finally(() => this.#inHand.delete(id)) })
  }

  /** The reason for a stop is stored before anything is stopped, so that a restarted server stops it, too. */
  #controls(id: ExecutionId): Controls {
    const stopper = new Stopper((reason) => {
      crashPoint('before-reason-stored')
      this.#note(() => this.#deps.store.noteStop(id, reason))
      crashPoint('after-reason-stored')
    })
    return { stopper, retryWait: new EarlyWait(), turns: new Turns() }
  }

  /** A store that cannot write must not delay a stop, so nothing waits for this. */
  #note(write: () => void | Promise<void>): void {
    const noted = async () => write()
    void noted().catch((error) => this.#deps.log.error({ error }, 'a note for the next server could not be stored'))
  }

  /** Never rejects: only a stopping server waits for it. */
  async #toTheEnd(execution: Execution, controls: Controls, left?: LeftBehind): Promise<void> {
    const { store, log, clock } = this.#deps
    const end = await this.#endOf(execution, controls, left)
    let ended: Execution | null | undefined
    while (!controls.stopper.detached && !this.#detached) {
      try {
        await endSessions(store, execution.id, 'its server stopped before it ended')
        ended ??= await this.#toEnd(execution.id, end)
        return ended ? await this.#afterEnd(ended) : undefined
      } catch (error) {
        // A store that cannot write (a full disk) must not leave it RUNNING for ever.
        log.error({ error, execution: execution.id }, 'the end of an execution could not be stored; trying again')
        await clock.sleep(STORE_RETRY_MS)
      }
    }
  }

  async #endOf(execution: Execution, controls: Controls, left?: LeftBehind): Promise<ExecutionEnd> {
    let live: LiveExecution
    try {
      live = this.liveOf(execution, controls)
    } catch (error) {
      const why = messageOf(error)
      if (left) return kinds[execution.kind].worded(execution, failed({ kind: 'server_restarted' }, ` ${why}`))
      return { state: 'FAILED', reason: 'infra_error', detail: `It could not start: ${why}` }
    }
    return drive(live, this.#environments, left)
  }

  async #end(id: ExecutionId, end: ExecutionEnd): Promise<void> {
    const ended = await this.#toEnd(id, end)
    if (ended) await this.#afterEnd(ended)
  }

  /** Null when it has already ended in another way. */
  async #toEnd(id: ExecutionId, end: ExecutionEnd): Promise<Execution | null> {
    const { store, log } = this.#deps
    const ended = await store.endExecution(id, end)
    if (!('refused' in ended)) {
      crashPoint('after-end')
      return ended
    }
    log.warn({ execution: id, why: ended.refused }, 'an end was refused')
    return null
  }

  #afterEnd(ended: Execution): Promise<void> {
    return runPipeline({ ...this.#deps, sync: (project) => this.#projects.sync(project) }, ended)
  }
}
