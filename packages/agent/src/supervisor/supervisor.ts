import { dirname } from 'node:path'
import {
  MOST_LEFT,
  type OrderAnswer,
  type Refusal,
  type SessionStart,
  type SupervisorState,
} from '@beadloom/core/supervisor/session-control.ts'
import type { SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import type { Spool } from '@beadloom/core/link/spool.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { Clock } from '../process/clock.ts'
import { Ahead } from './ahead.ts'
import { endAll } from './processes/end-all.ts'
import { PastSession } from './past-session.ts'
import { Session, type SessionDeps } from './session.ts'
import { SessionFolders } from './session-folder.ts'
import { isFull } from './spool/order-file.ts'
import { SessionSpool } from './spool/session-spool.ts'
import { setAside } from './workspace/set-aside.ts'

export type SupervisorDeps = Omit<SessionDeps, 'changed'> & {
  /** On the container's own disk, with nothing else in it. Not a tmpfs: that would be gone with the container. */
  folder: string
  /** The folder in which sessions work; null: no image will be made of it. */
  workspace: string | null
  /** The number of starts of this container's supervisor, this one included. */
  starts: number
  /** Writes a line to the engine's log. */
  say: (line: string) => void
}

/** Sessions that are over and stored are remembered up to this number, for a server that asks late. */
const MOST_REMEMBERED = 100

/**
 * Starts the sessions of one sandbox, one at a time, and ends each with everything it has started: between two sessions
 * nothing but process 1, the supervisor and the carriers of the link is alive. So processes of different sessions never
 * have to be told apart.
 */
export class Supervisor {
  #deps: SupervisorDeps
  #folders: SessionFolders
  #live: Session | null = null
  #ahead: Ahead | null = null
  #past = new Map<string, PastSession>()
  #starting: string | null = null
  #clean = true
  #listeners = new Set<() => void>()

  private constructor(deps: SupervisorDeps) {
    this.#deps = deps
    this.#folders = new SessionFolders(deps.folder)
  }

  /**
   * Ends what an earlier supervisor has left running, and takes over its spools.
   *
   * @param ahead a process started just now: the only other process of a new sandbox
   */
  static async open(deps: SupervisorDeps, ahead: Ahead | null = null): Promise<Supervisor> {
    const supervisor = new Supervisor(deps)
    supervisor.#ahead = ahead
    if (!supervisor.#isAlone(ahead)) {
      supervisor.#dropAhead()
      supervisor.#clean = (await endAll(deps.table, deps.clock)).left === 0
    }
    if (!supervisor.#ahead) Ahead.clear(deps.folder)
    for (const name of supervisor.#folders.names()) supervisor.#takeOver(name)
    return supervisor
  }

  state(): SupervisorState {
    const past = [...this.#past.values()].map((one) => one.view())
    const sessions = this.#live ? [...past, this.#live.view()] : past
    return { starts: this.#deps.starts, clean: this.#clean, sessions }
  }

  watch(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }

  findSpool(name: string): Spool | null {
    return this.#live?.name === name ? this.#live.spool : (this.#past.get(name)?.spool ?? null)
  }

  /** Starts a session. If any server has started it before, answers without starting it again. */
  async start(name: string, order: SessionStart): Promise<OrderAnswer> {
    const known = this.#viewOf(name)
    if (known) return { session: known }
    if (this.#starting === name) return refused('busy', 'it is being started')
    if (this.#live || this.#starting) return refused('busy', `session ${this.#live?.name ?? this.#starting} runs`)
    this.#starting = name
    try {
      return await this.#start(name, order)
    } finally {
      this.#starting = null
    }
  }

  /**
   * Starts the process of the next session, which waits for that. Synchronous, so that no order for a session ever
   * finds it half started.
   */
  startAhead(order: SessionStart): OrderAnswer {
    if (this.#live || this.#starting) return refused('busy', `session ${this.#live?.name ?? this.#starting} runs`)
    if (this.#ahead?.isFor(order)) return { ahead: true }
    if (!this.#isAlone(null)) return refused('unclean', 'something in here is still alive')
    try {
      this.#ahead = Ahead.start(this.#deps.folder, order, this.#deps.env)
      return { ahead: true }
    } catch (error) {
      return refused(isFull(error) ? 'disk-full' : 'unwritable', messageOf(error))
    }
  }

  /** Resolves when all processes of the session are gone. */
  async stop(name: string, graceMs: number): Promise<OrderAnswer> {
    const live = this.#live
    if (live?.name === name) {
      await live.stop(graceMs)
      await this.#over(live)
    }
    return this.#answer(name)
  }

  /** Ends what a session has started within this time, but not the session. */
  async interrupt(name: string, youngerMs: number): Promise<OrderAnswer> {
    if (this.#live?.name !== name) return refused('unknown', `session ${name} does not run`)
    return { interrupted: await this.#live.interrupt(youngerMs) }
  }

  /** Sets the workspace aside, in a container that becomes an image. */
  async setAside(): Promise<OrderAnswer> {
    const { workspace, folder } = this.#deps
    if (this.#live || this.#starting) return refused('busy', `session ${this.#live?.name ?? this.#starting} runs`)
    if (workspace === null) return { left: [] }
    this.#starting = 'of nobody' // and none begins meanwhile
    try {
      return { left: (await setAside(dirname(folder), workspace)).slice(0, MOST_LEFT) }
    } finally {
      this.#starting = null
    }
  }

  forget(name: string): OrderAnswer {
    if (this.#live?.name === name) return refused('running', 'it runs: stop it first')
    this.#past.get(name)?.close()
    this.#past.delete(name)
    this.#folders.remove(name)
    this.#tell()
    return { forgotten: true }
  }

  /** Stops everything, at the end of the container. */
  async stopAll(graceMs: number): Promise<void> {
    if (this.#live) await this.stop(this.#live.name, graceMs)
  }

  async #start(name: string, order: SessionStart): Promise<OrderAnswer> {
    const { clock, table, say } = this.#deps
    const ahead = this.#takeAhead(order)
    this.#clean = ahead !== null || (await endAll(table, clock)).left === 0
    if (!this.#clean) return refused('unclean', 'something of an earlier session cannot be ended')
    try {
      const spool = ahead
        ? takeSpool(this.#folders.take(name, ahead.folder), ahead, clock)
        : SessionSpool.create(this.#folders.create(name), clock)
      this.#folders.write({
        state: 'running',
        session: name,
        startedAt: clock.now(),
        pid: 0,
        held: false,
        spool: spool.offsets,
      })
      this.#live = new Session(name, order, spool, { ...this.#deps, changed: () => this.#tell() }, ahead?.child)
      ahead?.begin(order.sessionOrder)
    } catch (error) {
      ahead?.end()
      this.#discard(name)
      if (isFull(error)) return refused('disk-full', `there is no room for its output: ${messageOf(error)}`)
      say(`Session ${name} could not be started: ${messageOf(error)}`)
      return refused('unwritable', `its output cannot be kept: ${messageOf(error)}`)
    }
    const live = this.#live
    void this.#over(live)
    this.#tell()
    return { session: live.view() }
  }

  /** Returns the process that waits for exactly this order, if nothing else is alive; ends any other one. */
  #takeAhead(order: SessionStart): Ahead | null {
    const ahead = this.#ahead
    if (ahead?.isFor(order) && this.#isAlone(ahead)) {
      this.#ahead = null
      return ahead
    }
    this.#dropAhead()
    return null
  }

  #dropAhead(): void {
    this.#ahead?.end()
    this.#ahead = null
  }

  #isAlone(ahead: Ahead | null): boolean {
    return this.#deps.table.others().every(({ pid }) => pid === ahead?.child.pid)
  }

  /** Runs once for each session, however often it is called. */
  async #over(live: Session): Promise<void> {
    const { end, left } = await live.ended
    if (this.#live !== live) return
    this.#clean = left === 0
    this.#live = null
    this.#keep(live.name, new PastSession(live.name, end, live.spool, 0))
    this.#tell()
  }

  #keep(name: string, past: PastSession): void {
    this.#past.set(name, past)
    this.#save(past)
    past.dropWhenStored(() => {
      this.#save(past)
      this.#forgetOld()
      this.#tell()
    })
  }

  #forgetOld(): void {
    const stored = [...this.#past.values()].filter((one) => one.isStored)
    for (const { name } of stored.slice(0, -MOST_REMEMBERED)) {
      this.#past.delete(name)
      this.#folders.remove(name)
    }
  }

  /** On a full disk the former state stays, so the next supervisor would call the end unknown. */
  #save(past: PastSession): void {
    try {
      this.#folders.write(past.view())
    } catch (error) {
      this.#deps.say(`The end of session ${past.name} could not be noted: ${messageOf(error)}`)
    }
  }

  /** Removes what a failed start has made. */
  #discard(name: string): void {
    try {
      this.#folders.remove(name)
    } catch (error) {
      this.#deps.say(`The folder of session ${name} could not be removed: ${messageOf(error)}`)
    }
  }

  #takeOver(name: string): void {
    const known = this.#folders.read(name)
    let end = known?.state === 'ended' ? known.end : this.#unknownEnd(known?.startedAt ?? 0)
    try {
      const spool = SessionSpool.open(this.#folders.pathOf(name), this.#deps.clock)
      if (spool.ended) end = spool.sessionEnd ?? end
      else spool.end(end)
      this.#keep(name, new PastSession(name, end, spool, 0))
    } catch (error) {
      if (known?.state !== 'ended') this.#deps.say(`The output of session ${name} cannot be read: ${messageOf(error)}`)
      this.#keep(name, new PastSession(name, end, null, known?.spool.end ?? 0))
    }
  }

  #unknownEnd(startedAt: number): SessionEnd {
    const detail = 'the supervisor was killed or its container was started anew, so nobody saw how the session ended'
    const now = this.#deps.clock.now()
    return { how: 'unknown', code: null, signal: null, killed: false, memoryKills: null, leftBehind: 0, startedAt, finishedAt: now, detail } // prettier-ignore
  }

  #viewOf(name: string) {
    return this.#live?.name === name ? this.#live.view() : (this.#past.get(name)?.view() ?? null)
  }

  #answer(name: string): OrderAnswer {
    const session = this.#viewOf(name)
    return session ? { session } : refused('unknown', `there is no session ${name}`)
  }

  #tell(): void {
    Array.from(this.#listeners).forEach((changed) => changed())
  }
}

const refused = (word: Refusal['refused'], detail: string): Refusal => ({ refused: word, detail })

/** Throws when the disk has no room. */
const takeSpool = (folder: string, ahead: Ahead, clock: Clock): SessionSpool =>
  SessionSpool.create(folder, clock, ahead.handOver(folder))
