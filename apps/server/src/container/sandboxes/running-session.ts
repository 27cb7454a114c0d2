import { join } from 'node:path'
import { SUPERVISOR_FOLDER } from '@beadloom/core/execution/session-order.ts'
import { exitOf } from '@beadloom/core/supervisor/session-note.ts'
import { EngineError } from '../../ports/engine.ts'
import type { Exit, Running } from '../../ports/sandbox.ts'
import { lostExit, lostFor } from '../container-state.ts'
import type { Containers } from '../containers.ts'
import type { ContainerLife } from './container-life.ts'
import type { DeadSession } from './dead-session.ts'
import { exitWith } from './ended-session.ts'
import { copiesOf, type Links, type OpenLink } from './links.ts'
import { OutputCopy } from './output-copy.ts'
import { readDead } from './read-dead.ts'
import { SpoolOutput } from './spool-output.ts'
import { WatchedSession } from './watched-session.ts'

export type RunningSessionOptions = {
  /** The supervisor's name for it. */
  name: string
  container: { id: string; name: string; life: ContainerLife }
  containers: Containers
  links: Links
  open: OpenLink
}

/** A session that has begun, wherever its output and its end come from. */
export class RunningSession implements Running {
  readonly output: SpoolOutput
  readonly #options: RunningSessionOptions
  readonly #watched: WatchedSession
  readonly #forgotten = new AbortController()
  /** The session as read from the disk of its ended container; held until nobody needs it. */
  #dead: Promise<DeadSession | null> | null = null
  readonly #leaving = new AbortController()
  #exit: Exit | null = null

  constructor(options: RunningSessionOptions) {
    const { name, container, links, open } = options
    const { link } = open
    const { clock, report } = links
    this.#options = options
    this.#watched = new WatchedSession(link, name)
    this.output = new SpoolOutput({
      session: name,
      link,
      copy: new OutputCopy(join(copiesOf(links, container.name), name), clock),
      over: container.life.over,
      forgotten: this.#forgotten.signal,
      dead: () => this.#onDisk(),
      clock,
      report,
    })
  }

  /** Null: nobody has seen it end. */
  get exit(): Exit | null {
    return this.#exit
  }

  async ended(signal: AbortSignal): Promise<Exit> {
    this.#exit = await this.#seenToEnd(signal)
    if (this.#watched.isForgotten) this.#forgotten.abort()
    return this.#exit
  }

  close(): void {
    this.output.forget().catch(this.#options.links.report)
    this.#options.open.requests.withdraw()
    this.#closeDisk()
  }

  /** Leaves everything to the next server. */
  letGo(): void {
    this.output.close()
    this.#closeDisk()
  }

  async #seenToEnd(signal: AbortSignal): Promise<Exit> {
    const { life } = this.#options.container
    await this.#watched.over(AbortSignal.any([signal, life.over]))
    const { end } = this.#watched
    if (end) return end.how === 'stopped' ? this.#unlessTaken(exitOf(end)) : exitOf(end)
    if (signal.aborted) throw new EngineError('refused', 'stopped waiting for the session before it ended')
    if (life.exit) {
      signal.addEventListener('abort', () => this.#leaving.abort(), { once: true })
      return exitWith(life.exit, (await this.#onDisk())?.end ?? null)
    }
    if (this.#watched.isForgotten) return { ...lostExit, unseen: true }
    throw new EngineError('refused', 'this server has let go of the sandbox')
  }

  /** Checks whether the engine took the container: the supervisor does not know who asked it to end. */
  async #unlessTaken(exit: Exit): Promise<Exit> {
    const { container, containers } = this.#options
    if (exit.code === 0) return exit // its work was done by then
    const why = (await containers.takenAway?.(container.id)) ?? null
    return why === null ? exit : { ...exit, ...lostFor(why) }
  }

  #onDisk(): Promise<DeadSession | null> {
    const { name, container, containers, links } = this.#options
    return (this.#dead ??= readDead({
      archive: () => containers.archive(container.id, `${SUPERVISOR_FOLDER}/sessions/${name}`),
      folder: join(copiesOf(links, container.name), `${name}.disk`),
      clock: links.clock,
      leave: this.#leaving.signal,
    }))
  }

  #closeDisk(): void {
    this.#leaving.abort()
    void this.#dead?.then((session) => session?.close()).catch(this.#options.links.report)
    this.#dead = null
  }
}
