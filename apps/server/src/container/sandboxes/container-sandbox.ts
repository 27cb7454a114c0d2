import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { SessionView } from '@beadloom/core/supervisor/session-control.ts'
import { SUPERVISOR_FOLDER, WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { exitOf } from '@beadloom/core/supervisor/session-note.ts'
import { EngineError } from '../../ports/engine.ts'
import type {
  EnvironmentId,
  EnvironmentKey,
  Exit,
  Running,
  Sandbox,
  SandboxState,
  SessionCall,
} from '../../ports/sandbox.ts'
import { AGENT_COMMAND } from '../container-config.ts'
import type { Containers } from '../containers.ts'
import { carryByExec } from './carry-by-exec.ts'
import { ContainerLife } from './container-life.ts'
import { DeadSession } from './dead-session.ts'
import { exitWith } from './ended-session.ts'
import { tagOf } from './environment-tag.ts'
import { firstFileIn } from './first-file.ts'
import { copiesOf, openLink, removeLink, type Links, type OpenLink } from './links.ts'
import { OutputCopy } from './output-copy.ts'
import { nameOfSession } from './session-name.ts'
import { SpoolOutput } from './spool-output.ts'
import { WatchedSession } from './watched-session.ts'

/** From the container's start to the answer to the first order: a host with much to do starts slowly. */
const START_MS = 60_000
/** Beyond the time that a session has for its end: then the container is stopped as a whole. */
const ANSWER_MS = 3_000
/** For a supervisor without a session. */
const CONTAINER_GRACE_MS = 10_000
/** For what is asked of a supervisor of which nothing has been heard yet. */
const STATE_MS = 10_000

const UNKNOWN: Exit = { code: -1, oomKilled: false, lost: true, startedAt: 0, finishedAt: 0 }

/** A container with its supervisor, and the link to that. */
export class ContainerSandbox implements Sandbox {
  readonly id: string
  readonly name: string
  readonly #containers: Containers
  readonly #links: Links
  #link: OpenLink | null
  #life: ContainerLife | null = null
  #output: SpoolOutput | null = null
  /** What had to be read from its disk after it had ended; held until nobody needs it. */
  #dead: Promise<DeadSession | null> | null = null
  /** How its last session of this server ended. */
  #last: Exit | null = null

  constructor(containers: Containers, links: Links, { id, name }: Pick<Sandbox, 'id' | 'name'>, link: OpenLink | null) {
    this.id = id
    this.name = name
    this.#containers = containers
    this.#links = links
    this.#link = link
  }

  async warm(): Promise<void> {
    await this.#open()
    await this.#start()
  }

  async run(call: SessionCall): Promise<Running> {
    const open = await this.#offering(call)
    const name = nameOfSession(call.order.session)
    try {
      const life = await this.#start()
      await this.#begin(open, name, life)
      return this.#running(open, name, life)
    } catch (error) {
      open.requests.withdraw()
      throw error
    }
  }

  async adopt(call: SessionCall): Promise<Running> {
    const open = await this.#offering(call)
    const name = nameOfSession(call.order.session)
    const life = (this.#life ??= this.#watch())
    void this.#beginIfUnknown(open, name, life)
    return this.#running(open, name, life)
  }

  async listen(): Promise<void> {
    await this.#open()
    this.#life ??= this.#watch()
  }

  async state(): Promise<SandboxState> {
    const state = await this.#containers.inspect(this.id)
    if (state.state === 'exited') return this.#last ? { state: 'exited', exit: this.#last } : state
    if (state.state !== 'running') return state
    const sessions = await this.#sessions()
    if (!sessions) return state
    const last = sessions.at(-1)
    if (!last) return { state: 'created', startedAt: state.startedAt }
    return last.state === 'running'
      ? { state: 'running', startedAt: last.startedAt }
      : { state: 'exited', exit: exitOf(last.end) }
  }

  async readFile(path: string, mostBytes: number): Promise<Buffer | null> {
    const tar = await this.#containers.archive(this.id, path)
    return tar && firstFileIn(tar, path, mostBytes)
  }

  async readFolder(path: string): Promise<Readable> {
    const tar = await this.#containers.archive(this.id, path)
    if (!tar) throw new EngineError('refused', `there is no ${path} in ${this.name}`)
    return tar
  }

  async keepAs(key: EnvironmentKey): Promise<EnvironmentId> {
    const sessions = (await this.#containers.inspect(this.id)).state === 'running' ? await this.#sessions() : []
    if (sessions?.some(({ state }) => state === 'running'))
      throw new EngineError(
        'refused',
        `a session is still running in ${this.name}; stop it before it becomes an environment`,
      )
    for (const { session } of sessions ?? []) await this.#order('session-forget', { session }, undefined, ANSWER_MS)
    await this.#containers.stop(this.id, CONTAINER_GRACE_MS)
    return this.#containers.commit(this.id, tagOf(key))
  }

  bytes(): Promise<number | null> {
    return this.#containers.sizeOf(this.id)
  }

  async stop(graceMs: number): Promise<void> {
    const running = this.#link?.link.state?.sessions.findLast(({ state }) => state === 'running')
    const stopped =
      running &&
      (await this.#order('session-stop', { session: running.session, graceMs }, undefined, graceMs + ANSWER_MS))
    if (stopped && 'session' in stopped && stopped.session.state === 'ended') this.#last ??= exitOf(stopped.session.end)
    await this.#containers.stop(this.id, stopped ? CONTAINER_GRACE_MS : graceMs)
    this.#life = null // whoever waits for its end has it; the next session is in another one
  }

  letGo(): void {
    this.#output?.close()
    this.#forgetDead()
    this.#life?.leave()
    this.#link?.letGo()
  }

  async close(): Promise<void> {
    try {
      await this.#containers.remove(this.id)
    } finally {
      this.letGo()
      await removeLink(this.#links, this.name).catch(this.#links.report)
    }
  }

  async #open(): Promise<OpenLink> {
    return (this.#link ??= await openLink(this.#links, this.name))
  }

  async #offering({ order, handlers, onRequest }: SessionCall): Promise<OpenLink> {
    const open = await this.#open()
    open.requests.offer(order, handlers, onRequest)
    return open
  }

  /** A container that runs already continues to. */
  async #start(): Promise<ContainerLife> {
    await this.#containers.start(this.id)
    if (!this.#life || this.#life.exit) this.#life = this.#watch()
    return this.#life
  }

  /**
   * An engine that is away cannot say that a container has ended whose supervisor can still be heard; one that has
   * removed it can. And one that was started again in the same moment has not ended.
   */
  #watch(): ContainerLife {
    const life = new ContainerLife(this.#containers, this.id, async (exit) => {
      const state = await this.#containers.inspect(this.id).catch(() => null)
      if (state === null) return !(exit.lost && this.#link?.link.isTaken)
      return state.state !== 'running'
    })
    if (this.#link) {
      const { link } = this.#link
      const { clock, report } = this.#links
      const linkBy = () => this.#containers.linkBy()
      const carrier = () => this.#containers.carrier(this.id)
      carryByExec({ link, linkBy, carrier, over: life.over, clock }).catch(report)
    }
    return life
  }

  async #begin(open: OpenLink, name: string, life: ContainerLife): Promise<void> {
    const late = this.#limit(START_MS, life.over)
    const start = { argv: AGENT_COMMAND, env: {}, cwd: WORKSPACE }
    try {
      const answer = await open.link.order('session-start', { session: name }, start, late.signal)
      if (answer && 'session' in answer) return
      const why = answer && 'refused' in answer ? `its supervisor refused: ${answer.detail}` : await this.#whyNot(life)
      throw new EngineError('refused', `no session could be started in ${this.name}: ${why}`)
    } finally {
      late.done()
    }
  }

  async #whyNot({ exit }: ContainerLife): Promise<string> {
    const words = (await this.#containers.lastWords(this.id).catch(() => '')).trim()
    const said = words === '' ? '' : `. It said: ${words}`
    if (exit) return `its container ended with exit code ${exit.code}${said}`
    return `its supervisor did not answer for ${START_MS / 1000} s${said}`
  }

  /** A server before this one may have died between offering a session and starting it. */
  async #beginIfUnknown(open: OpenLink, name: string, life: ContainerLife): Promise<void> {
    if (!(await open.link.until(() => open.link.state !== null, life.over))) return
    if (open.link.state?.sessions.some(({ session }) => session === name)) return
    await this.#begin(open, name, life).catch(() => {}) // it has no output then, and no end but its container's
  }

  #running(open: OpenLink, name: string, life: ContainerLife): Running {
    this.#last = null
    this.#forgetDead()
    const readDead = () => (this.#dead ??= this.#readDead(name))
    const { clock, report } = this.#links
    const copy = new OutputCopy(join(copiesOf(this.#links, this.name), name), clock)
    const { link } = open
    const gone = new AbortController()
    const forgotten = gone.signal
    const { over } = life
    const output = new SpoolOutput({ session: name, link, copy, over, forgotten, dead: readDead, clock, report })
    const watched = new WatchedSession(link, name)
    this.#output?.close()
    this.#output = output
    return {
      output,
      ended: async (signal) => {
        const exit = await this.#ended(watched, life, readDead, signal)
        if (watched.isForgotten) gone.abort()
        return exit
      },
      close: () => {
        output.forget().catch(report)
        open.requests.withdraw()
        this.#forgetDead()
      },
    }
  }

  async #ended(
    watched: WatchedSession,
    life: ContainerLife,
    readDead: () => Promise<DeadSession | null>,
    signal: AbortSignal,
  ): Promise<Exit> {
    await watched.over(AbortSignal.any([signal, life.over]))
    const { end } = watched
    if (end) return (this.#last = exitOf(end))
    if (signal.aborted) throw new EngineError('refused', 'stopped waiting for the session before it ended')
    if (life.exit) return (this.#last = exitWith(life.exit, (await readDead())?.end ?? null))
    if (watched.isForgotten) return (this.#last = UNKNOWN)
    throw new EngineError('refused', 'this server has let go of the sandbox')
  }

  async #readDead(name: string): Promise<DeadSession | null> {
    try {
      const tar = await this.#containers.archive(this.id, `${SUPERVISOR_FOLDER}/sessions/${name}`)
      return tar && (await DeadSession.read(tar, this.#links.clock.now()))
    } catch (error) {
      if (error instanceof EngineError) return null // gone
      throw error
    }
  }

  #forgetDead(): void {
    void this.#dead?.then((session) => session?.close()).catch(this.#links.report)
    this.#dead = null
  }

  /** What its supervisor says of its sessions, in the order in which they began; null: it says nothing. */
  async #sessions(): Promise<SessionView[] | null> {
    const { link } = await this.#open()
    this.#life ??= this.#watch()
    const late = this.#limit(STATE_MS)
    try {
      if (!(await link.until(() => link.state !== null, late.signal))) return null
      return [...(link.state?.sessions ?? [])].sort((a, b) => begunAt(a) - begunAt(b))
    } finally {
      late.done()
    }
  }

  async #order(...[kind, header, body, ms]: [...Parameters<OrderArguments>, number]) {
    const { link } = await this.#open()
    const late = this.#limit(ms)
    try {
      return await link.order(kind, header, body, late.signal)
    } finally {
      late.done()
    }
  }

  /** A signal that aborts after a time, or with another one. */
  #limit(ms: number, other?: AbortSignal): { signal: AbortSignal; done: () => void } {
    const done = new AbortController()
    const late = new AbortController()
    void this.#links.clock.sleep(ms, done.signal).then(() => late.abort())
    const signal = other ? AbortSignal.any([late.signal, other]) : late.signal
    return { signal, done: () => done.abort() }
  }
}

type OrderArguments = (
  kind: Parameters<OpenLink['link']['order']>[0],
  header: Parameters<OpenLink['link']['order']>[1],
  body: unknown,
) => void

const begunAt = (session: SessionView): number =>
  session.state === 'running' ? session.startedAt : session.end.startedAt
