import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { Clock } from '../../process/clock.ts'
import { inTime } from '../../process/within.ts'
import type { Projects } from '../projects/projects.ts'

export type NewestSettingsDeps = {
  store: Pick<PatientStore, 'execution'>
  projects: Pick<Projects, 'refresh'>
  clock: Clock
  /** Finds out other facts that an execution needs; never rejects. */
  ask: (id: ExecutionId) => Promise<void>
  /** Called when a project has been read. */
  read: () => void
}

/** A remote that does not answer delays a start no longer than this: it starts with the settings from before. */
const GIVE_UP_AFTER_MS = 10_000

/**
 * Before an execution starts, its project's settings are read from the newest commit. They may keep it from starting,
 * which the next schedule decides.
 */
export class NewestSettings {
  readonly #deps: NewestSettingsDeps
  readonly #asked = new Map<ExecutionId, 'reading' | 'read'>()

  constructor(deps: NewestSettingsDeps) {
    this.#deps = deps
  }

  /** False: the project is being read. */
  mayStart(id: ExecutionId): boolean {
    const state = this.#asked.get(id)
    const execution = state === undefined ? this.#deps.store.execution(id) : null
    if (execution) void this.#read(id, execution.project)
    return state === 'read'
  }

  /** Reads the project again: its executions have waited for minutes, and its settings may have changed. */
  again(project: ProjectId): void {
    for (const [id, state] of this.#asked)
      if (state === 'read' && this.#deps.store.execution(id)?.project === project) this.#asked.delete(id)
  }

  /** After a round: forgets executions that have started, or never will. */
  forget(): void {
    for (const [id, state] of this.#asked)
      if (state === 'read' && this.#deps.store.execution(id)?.state !== 'QUEUED') this.#asked.delete(id)
  }

  /** Never rejects: `refresh` does not. */
  async #read(id: ExecutionId, project: ProjectId): Promise<void> {
    const { projects, clock, ask, read } = this.#deps
    this.#asked.set(id, 'reading')
    const done = new AbortController()
    await Promise.race([projects.refresh(project).then(() => ask(id)), clock.sleep(GIVE_UP_AFTER_MS, done.signal)])
    done.abort(inTime)
    this.#asked.set(id, 'read')
    read()
  }
}
