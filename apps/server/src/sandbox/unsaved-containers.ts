import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { isTerminal, type Execution } from '@beadloom/core/records/execution.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { CommonDeps } from '../execution/deps.ts'
import { warn, type LiveExecution } from '../execution/live-execution.ts'
import { onEngine } from '../execution/on-engine.ts'
import type { Sandbox } from '../ports/sandbox.ts'
import type { ContainerRow } from '../ports/store/containers.ts'
import { endSessions } from './end-sessions.ts'
import { compareContainers, executionOf } from './known-containers.ts'
import { closeSandbox } from './open-sandbox.ts'
import { saveUnknown, saveWork } from './save-work.ts'

/*
 * An agent's container whose work could not be saved (a full disk, Docker that went away, a hub that cannot be written)
 * outlives its execution. Saving is tried again, less and less often. The container is removed when the work is saved
 * or a person gives it up, never because of its age.
 */

const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000
const OF_NOBODY = 'its execution is not in the database, which may be an older copy.'

/** Keeps the container, stopped. Never rejects. */
export async function keepContainer(live: LiveExecution, sandbox: Sandbox, why: string): Promise<void> {
  const { store, log, clock } = live.deps
  const { name } = sandbox
  sandbox.letGo()
  if (!live.stopper.abandoned.aborted) await sandbox.stop(0).catch(() => {}) // the sweep tries again
  const text = `Unsaved work of the agent is in the container ${name}, which is kept: ${why}`
  try {
    await store.keepContainer(name, why)
    await store.noteSaveTry(name, { why, bytes: await sandbox.bytes(), nextTryAt: clock.now() + FIRST_PAUSE_MS })
    await warn(live, text)
  } catch (error) {
    log.error({ error, execution: live.id }, text) // it is still stored as held, which keeps it as well
  }
}

/** The end of a try: `saved` on this ref (null: the hub had everything), why it is still kept, or that it is `lost`. */
export type Tried = { saved: string | null } | { kept: string } | { lost: string }

/** Containers whose execution is over: removes those that are not needed, and saves the work in kept ones. */
export class LeftContainers {
  readonly #deps: CommonDeps
  /** Everything for working with an ended execution once more; throws when that is not known. */
  readonly #liveOf: (execution: Execution) => LiveExecution
  /** Tries under way, for a sweep or for a person. */
  readonly #busy = new Map<string, Promise<Tried>>()

  constructor(deps: CommonDeps, liveOf: (execution: Execution) => LiveExecution) {
    this.#deps = deps
    this.#liveOf = liveOf
  }

  /** Sweeps one engine, which may have been away when its containers were to be removed. */
  async sweep(name: string): Promise<void> {
    const { clock } = this.#deps
    for (const { row, sandbox } of await this.#found(name)) {
      if (row.state === 'kept' && isDue(row, clock.now())) await this.#once(row, sandbox)
      if (row.state === 'removing') await this.#remove(sandbox)
    }
  }

  /** The part of a sweep that saves nothing, so that it asks the engine alone. */
  async removeUnneeded(name: string): Promise<void> {
    for (const { row, sandbox } of await this.#found(name)) if (row.state === 'removing') await this.#remove(sandbox)
  }

  /** The containers that an engine still has. */
  async #found(name: string): Promise<{ row: ContainerRow; sandbox: Sandbox }[]> {
    const deps = onEngine(this.#deps, name)
    const { known } = await compareContainers(deps)
    return known.flatMap(({ row, engine }) => (engine ? [{ row, sandbox: deps.engine.sandbox(engine) }] : []))
  }

  /**
   * Tries now to save the work in it, after a try that is under way: a sweep does less than a person may ask for. Null:
   * there is no such kept container.
   */
  async save(name: string): Promise<Tried | null> {
    const { store, engines } = this.#deps
    const tried = await this.#busy.get(name)
    if (tried && !('kept' in tried)) return tried
    const row = store.container(name)
    if (row?.state !== 'kept' || row.engineId === null) return null
    return this.#once(row, engines.of(row.engine).sandbox({ id: row.engineId, name }), true)
  }

  /** Discards the work in it for a person. False: there is no such kept container. */
  async discard(name: string): Promise<boolean> {
    const { store, engines } = this.#deps
    await this.#busy.get(name)
    const row = store.container(name)
    if (row?.state !== 'kept') return false
    await store.releaseContainer(name)
    const execution = executionOf(store, row)
    if (execution)
      await store.addEvent(execution.id, null, 'warning', {
        text: `The container ${name} was discarded, with unsaved work.`,
      })
    if (row.engineId !== null) await this.#remove(engines.of(row.engine).sandbox({ id: row.engineId, name }))
    return true
  }

  #once(row: ContainerRow, sandbox: Sandbox, asked = false): Promise<Tried> {
    const known = this.#busy.get(row.name)
    if (known) return known
    const trying = saveAgain(this.#deps, row, sandbox, this.#liveOf, asked).finally(() => this.#busy.delete(row.name))
    this.#busy.set(row.name, trying)
    return trying
  }

  async #remove(sandbox: Sandbox): Promise<void> {
    const { store, log } = this.#deps
    await sandbox.close().then(
      () => store.forgetContainer(sandbox.name),
      (error) => log.warn({ error, container: sandbox.name }, 'a container stays for now'),
    )
  }
}

/** Only newer Beadlooms put the project on the container's label. */
const ofNobody = ({ name }: ContainerRow, project: ProjectId | undefined): string =>
  project === undefined
    ? `${OF_NOBODY} Look into it with Docker, then discard it.`
    : `${OF_NOBODY} Its work can be saved in the hub of ${project}: beadloom containers save ${name}. Or discard it.`

/** A time further away than any pause was noted by a wall clock that was wrong. */
const isDue = ({ nextTryAt }: ContainerRow, now: number): boolean =>
  nextTryAt === null || nextTryAt <= now || nextTryAt > now + LONGEST_PAUSE_MS

/** Tries once more to save the work in a kept container, and removes it after that. Never rejects. */
async function saveAgain(
  deps: CommonDeps,
  row: ContainerRow,
  sandbox: Sandbox,
  liveOf: (execution: Execution) => LiveExecution,
  asked: boolean,
): Promise<Tried> {
  const { store, clock, log } = deps
  const execution = executionOf(store, row)
  // It may be at work in a new container, whose sessions are not ours to end.
  if (execution !== null && !isTerminal(execution.state)) return { kept: row.why }
  try {
    await sandbox.stop(0) // an unknown one may still run
    if (execution === null) {
      const project = store.projects().find(({ id }) => id === row.project)?.id
      if (project === undefined || !asked) return stillKept(ofNobody(row, project), await sandbox.bytes())
      const { ref, unsaved } = await saveUnknown(deps.hub, { ...row, project }, sandbox)
      if (unsaved !== null) return stillKept(unsaved, await sandbox.bytes())
      await closeSandbox({ deps }, sandbox)
      return { saved: ref }
    }
    const live = liveOf(execution)
    await endSessions(store, execution.id, 'its server stopped before it ended')
    const left = await saveWork(live, sandbox)
    if ('kept' in left) {
      sandbox.letGo()
      return stillKept(left.kept, await sandbox.bytes())
    }
    await closeSandbox(live, sandbox)
    if ('ref' in left) return { saved: left.ref }
    await warn(live, left.lost)
    return left
  } catch (error) {
    log.warn({ error, execution: row.owner }, 'what an agent left still cannot be saved')
    return stillKept(messageOf(error), await sandbox.bytes())
  }

  async function stillKept(why: string, bytes: number | null): Promise<Tried> {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** row.tries, LONGEST_PAUSE_MS)
    try {
      await store.noteSaveTry(row.name, { why, bytes, nextTryAt: clock.now() + pause })
    } catch (error) {
      log.error({ error, container: row.name }, 'a try to save could not be noted')
    }
    return { kept: why }
  }
}
