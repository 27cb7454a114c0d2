import type { Execution, ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { SessionOutcome } from '@beadloom/core/execution/session.ts'
import type { HubProject } from '../ports/hub.ts'
import { crashPoint } from '../process/crash-point.ts'
import { Pause } from './pause.ts'
import { runPipeline } from './pipeline.ts'
import { ProjectImages } from './project-image.ts'
import type { RunContainer, RunContext } from './run-context.ts'
import { failed, wordedFor } from './failed.ts'
import { endSessions } from './end-sessions.ts'
import { settingsOfRun } from './agent-order.ts'
import { settingsOfReview } from './review.ts'
import { runExecution } from './run-execution.ts'
import { sentence } from './run-session.ts'
import type { RunnerDeps } from './deps.ts'
import { Stopper, type StopReason } from './stop.ts'
import { Watchdog } from './watchdog.ts'

/** What the runner asks about a project when an execution starts. */
export type ProjectSource = {
  /** Throws when the project cannot run; the sentence says why. */
  open(project: ProjectId): { hub: HubProject; settings: ProjectSettings }
  sync(project: ProjectId): Promise<void>
}

const STORE_RETRY_MS = 5_000

type Live = { stopper: Stopper; pause: Pause; finished: Promise<void> }

/** Runs executions that the scheduler chose; nothing else starts one. */
export class Runner {
  #deps: RunnerDeps
  #projects: ProjectSource
  #images: ProjectImages
  #detached = false
  #live = new Map<ExecutionId, Live>()

  constructor(deps: RunnerDeps, projects: ProjectSource) {
    this.#deps = deps
    this.#projects = projects
    this.#images = new ProjectImages(deps)
  }

  /** Moves the execution to RUNNING and goes on in the background; false when it could not start (any more). */
  start(id: ExecutionId): boolean {
    const { store, clock } = this.#deps
    const queued = store.execution(id)
    if (!queued || queued.state !== 'QUEUED') return false
    const { hub, settings } = this.#projects.open(queued.project)
    const started = store.startExecution(id, clock.now() + settings.limits.executionTimeoutMs)
    if ('refused' in started) return false
    crashPoint('after-claim')
    const stops = { stopper: this.#stopper(id), pause: new Pause() }
    const finished = this.#run(started, hub, settings, stops).finally(() => this.#live.delete(id))
    this.#live.set(id, { ...stops, finished })
    return true
  }

  /**
   * Goes on with an execution that was RUNNING when the server stopped; `container` is its agent's, with a new link, or
   * null when it is gone.
   */
  resume(execution: Execution, container: RunContainer | null): void {
    const stops = { stopper: this.#stopper(execution.id), pause: new Pause() }
    const { stopper } = stops
    const reason = this.#deps.store.stopReason(execution.id) as StopReason | null
    if (reason) stopper.stop(reason)
    // Asked of the store: somebody may have cancelled it while its container was looked for.
    else if (this.#deps.store.execution(execution.id)?.cancelRequestedAt) stopper.stop({ stop: 'cancelled' })
    const run = async () => {
      const { hub, settings } = this.#projects.open(execution.project)
      await this.#run(execution, hub, settings, stops, container)
    }
    const finished = run()
      .catch((error) =>
        this.#end(execution.id, wordedFor(execution, failed({ kind: 'server_restarted' }, ` ${sentence(error)}`))),
      )
      .catch((error) => this.#deps.log.error({ error, execution: execution.id }, 'an execution could not go on'))
      .finally(() => this.#live.delete(execution.id))
    this.#live.set(execution.id, { ...stops, finished })
  }

  /** Cancels at any moment: queued ones end at once, running ones are stopped. */
  cancel(id: ExecutionId): void {
    const live = this.#live.get(id)
    if (live) return live.stopper.stop({ stop: 'cancelled' })
    // Of an earlier server, and not taken up yet: what its container holds is saved first. `resume` sees that it was asked.
    if (this.#deps.store.execution(id)?.state === 'RUNNING') return
    const end: ExecutionEnd = { state: 'CANCELLED', detail: 'Cancelled by a person before it started.' }
    this.#end(id, end).catch((error) => this.#deps.log.error({ error, execution: id }, 'a cancel was not finished'))
  }

  /** Its wait for the next run is over; what does not wait is left alone. */
  retryNow(id: ExecutionId): void {
    this.#live.get(id)?.pause.cutShort()
  }

  /** Everything that an execution needs while it runs; also for a restarted server that settles an old one. */
  context(
    execution: Execution,
    hub: HubProject,
    settings: ProjectSettings,
    stopper: Stopper,
    pause = new Pause(),
  ): RunContext {
    const { store } = this.#deps
    const bead = store.bead(execution.project, execution.bead)
    if (!bead) throw new Error(`the bead ${execution.bead} is gone`)
    const { executionTimeoutMs, inactivityTimeoutMs } = settings.limits
    let sessions = store.sessions(execution.id).length
    return {
      deps: this.#deps,
      execution,
      bead,
      project: hub,
      settings: execution.kind === 'review' ? settingsOfReview(settings) : settingsOfRun(settings, execution),
      stopper,
      watchdog: new Watchdog(
        this.#deps.clock,
        { wallClockMs: executionTimeoutMs, silenceMs: inactivityTimeoutMs },
        {
          elapsedMs: execution.elapsedMs,
          note: (elapsedMs) => this.#note(() => store.noteElapsed(execution.id, elapsedMs)),
        },
      ),
      pause,
      nextSession: () => ++sessions,
      notice: null,
      merged: execution.pendingPush !== null,
      container: null,
      unsaved: false,
      resumed: false,
      savedRef: null,
    }
  }

  /**
   * Lets go of everything that runs: containers go on, records are closed at their checkpoint, nothing is written any
   * more. Takes at most `limitMs`; what is not done by then is cut off as by a crash.
   */
  async detach(limitMs: number): Promise<void> {
    this.#detached = true
    const live = [...this.#live.values()]
    for (const { stopper } of live) stopper.stop({ stop: 'detach' })
    const done = new AbortController()
    const finished = Promise.all(live.map((one) => one.finished)).then(() => done.abort())
    await Promise.race([finished, this.#deps.clock.sleep(limitMs, done.signal)])
  }

  /** Its reason is stored before anything is stopped, so that a restart goes on stopping it. */
  #stopper(id: ExecutionId): Stopper {
    return new Stopper((reason) => {
      crashPoint('before-stop-intent')
      this.#note(() => this.#deps.store.noteStop(id, reason))
      crashPoint('after-stop-intent')
    })
  }

  /** A store that cannot write must not keep anything from being stopped. */
  #note(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#deps.log.error({ error }, 'a note for the next server could not be stored')
    }
  }

  /** Never rejects: nobody waits for it but a server that stops. */
  async #run(
    started: Execution,
    hub: HubProject,
    settings: ProjectSettings,
    stops: Omit<Live, 'finished'>,
    container?: RunContainer | null,
  ): Promise<void> {
    const { log, clock } = this.#deps
    const { stopper } = stops
    const end = await this.#endOfRun(started, hub, settings, stops, container)
    let ended: Execution | null | undefined
    while (!stopper.detached && !this.#detached) {
      try {
        endSessions(this.#deps.store, started.id, 'nothing more is known of it')
        ended ??= this.#toEnd(started.id, end)
        return ended ? await this.#afterEnd(ended) : undefined
      } catch (error) {
        // A store that cannot write (a full disk) must not leave it RUNNING for ever.
        log.error({ error, execution: started.id }, 'the end of an execution could not be stored; trying again')
        await clock.sleep(STORE_RETRY_MS)
      }
    }
  }

  async #endOfRun(
    started: Execution,
    hub: HubProject,
    settings: ProjectSettings,
    { stopper, pause }: Omit<Live, 'finished'>,
    container?: RunContainer | null,
  ): Promise<ExecutionEnd> {
    try {
      const run = this.context(started, hub, settings, stopper, pause)
      if (container !== undefined) takeUp(run, container)
      return await runExecution(run, this.#images)
    } catch (error) {
      return { state: 'FAILED', reason: 'infra_error', detail: `It could not start: ${sentence(error)}` }
    }
  }

  async #end(id: ExecutionId, end: ExecutionEnd): Promise<void> {
    const ended = this.#toEnd(id, end)
    if (ended) await this.#afterEnd(ended)
  }

  /** Null when it has ended in another way already. */
  #toEnd(id: ExecutionId, end: ExecutionEnd): Execution | null {
    const { store, log } = this.#deps
    const ended = store.endExecution(id, end)
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

const CUT_SHORT: ReadonlySet<SessionOutcome> = new Set(['infra_error', 'cancelled', 'timeout'])

/** What is known of a container that an earlier server started. */
function takeUp(run: RunContext, container: RunContainer | null): void {
  const sessions = run.deps.store.sessions(run.execution.id).filter(({ kind }) => kind === 'work')
  const last = sessions.at(-1)
  run.resumed = true
  run.container = container
  if (!container) return
  container.used = last !== undefined
  // An end that the session's own process told comes after it has saved.
  const told = last?.state === 'ended' && last.outcome !== null && !CUT_SHORT.has(last.outcome)
  run.unsaved = run.execution.kind === 'work' && last !== undefined && !told
}
