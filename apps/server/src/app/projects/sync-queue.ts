import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { SyncCause, SyncRun } from '@beadloom/core/api/projects/sync-api.ts'
import { shortened } from '@beadloom/core/text/shortened.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'

/** `full`: with the project's remote and its settings, not only its tracker. */
type Sync = { full: boolean; done: Promise<void> }

const KEPT = 50
/** A longer one is shown on the project's page alone, for the last sync. */
const LONGEST_PROBLEM = 1_000

/** One sync of a project at a time. The last fifty are remembered, in memory, for the dashboard's history. */
export class SyncQueue {
  readonly #deps: { store: Pick<Store, 'project' | 'trackerState'>; clock: Clock }
  readonly #running = new Map<ProjectId, Sync>()
  readonly #runs = new Map<ProjectId, SyncRun[]>()

  constructor(deps: { store: Pick<Store, 'project' | 'trackerState'>; clock: Clock }) {
    this.#deps = deps
  }

  /** The remembered syncs, newest first, and whether one is running. */
  of(project: ProjectId): { running: boolean; runs: SyncRun[] } {
    return { running: this.#running.has(project), runs: this.#runs.get(project) ?? [] }
  }

  forget(project: ProjectId): void {
    this.#runs.delete(project)
  }

  /** Calls that come while a sync is running share the next one, unless that does less than they want. */
  async inTurn(project: ProjectId, cause: SyncCause, read: () => Promise<void>): Promise<void> {
    const full = cause !== 'tracker'
    const running = this.#running.get(project)
    if (running) await running.done.catch(() => {})
    for (let shared = this.#running.get(project); shared && shared !== running; shared = this.#running.get(project)) {
      if (shared.full || !full) return shared.done
      await shared.done.catch(() => {})
    }
    const done = this.#noted(project, cause, read).finally(() => {
      if (this.#running.get(project) === next) this.#running.delete(project)
    })
    const next: Sync = { full, done }
    this.#running.set(project, next)
    return done
  }

  async #noted(project: ProjectId, cause: SyncCause, read: () => Promise<void>): Promise<void> {
    const { clock } = this.#deps
    const [at, began] = [clock.now(), clock.monotonic()]
    const note = (error: unknown) => {
      try {
        this.#note(project, { at, cause, tookMs: Math.round(clock.monotonic() - began) }, error)
      } catch {
        // A stopping server closes the store during a sync, and nobody will read this any more.
      }
    }
    try {
      await read()
    } catch (error) {
      note(error)
      throw error
    }
    note(null)
  }

  #note(project: ProjectId, run: Pick<SyncRun, 'at' | 'cause' | 'tookMs'>, error: unknown): void {
    const { store } = this.#deps
    const row = store.project(project)
    if (!row) return // removed while it was read
    const { waiting, problem } = store.trackerState(project)
    const said = error instanceof Error ? error.message : (row.problem?.text ?? problem)
    const whole: SyncRun = {
      ...run,
      problem: said === '' ? null : shortened(said, LONGEST_PROBLEM),
      warnings: row.warnings.length,
      waiting,
    }
    this.#runs.set(project, [whole, ...(this.#runs.get(project) ?? [])].slice(0, KEPT))
  }
}
