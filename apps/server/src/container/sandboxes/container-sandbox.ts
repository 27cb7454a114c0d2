import type { Readable } from 'node:stream'
import { COPYING, type OrderAnswer, type SessionView } from '@beadloom/core/supervisor/session-control.ts'
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
import type { Containers } from '../containers.ts'
import { carryByExec } from './carry-by-exec.ts'
import { ContainerLife } from './container-life.ts'
import { tagOf } from './environment-tag.ts'
import { firstFileIn } from './first-file.ts'
import { openLink, removeLink, type Links, type OpenLink } from './links.ts'
import { RunningSession } from './running-session.ts'
import { nameOfSession } from './session-name.ts'
import { START_MS } from './supervisor-orders.ts'

/** For a supervisor without a session. */
const CONTAINER_GRACE_MS = 10_000

/** The pause before the engine is asked again whether it has a place. */
const PLACE_LOOK_MS = 2_000
/** A machine that starts many containers at once is slow. If it takes longer than this, something is wrong. */
const SLOW_START_MS = 300_000

const staysInImage = (name: string): string =>
  `${JSON.stringify(name)} is too large to be copied at each start, or cannot be read: folders in it cannot be renamed.`

const whyNot = (answer: OrderAnswer | null | undefined): string =>
  answer && 'refused' in answer ? answer.detail : 'its supervisor did not answer'

/**
 * Whether something outside of the container ended it: the engine as it went down, or somebody on the machine. Nothing
 * inside can have sent the signal, because no agent was in it yet. A container that ran out of memory, or ended by
 * itself, would do so again.
 */
const isEndedByOthers = ({ code, oomKilled, outside }: Exit): boolean =>
  !oomKilled && (outside === true || code === 137 || code === 143)

const endedByOthers = ({ code }: Exit): string =>
  `was ended before its session began (exit code ${code}): by Docker as it went down, or by somebody on the machine`

/** A container with its supervisor, and the link to that. */
export class ContainerSandbox implements Sandbox {
  readonly id: string
  readonly name: string
  readonly #containers: Containers
  readonly #links: Links
  #link: OpenLink | null
  #life: ContainerLife | null = null
  /** Whether we started it, and have not stopped it since. */
  #isStarted = false
  /** The last session of this server. */
  #session: RunningSession | null = null
  /** The end of a session that this server has stopped. */
  #stopped: Exit | null = null

  constructor(containers: Containers, links: Links, { id, name }: Pick<Sandbox, 'id' | 'name'>, link: OpenLink | null) {
    this.id = id
    this.name = name
    this.#containers = containers
    this.#links = links
    this.#link = link
  }

  async warm(): Promise<void> {
    const { link } = await this.#open()
    if (!link.isTaken) await this.#start()
    else await this.#started() // its supervisor is connected to us: no need to ask the engine
  }

  async stepAhead(): Promise<void> {
    const life = await this.#started()
    const { orders } = await this.#open()
    await orders.startAhead(life.over)
  }

  async run(call: SessionCall): Promise<Running> {
    const open = await this.#offering(call)
    const name = nameOfSession(call.order.session)
    try {
      const life = await this.#started()
      await this.#begin(open, name, life, call)
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
    void this.#beginIfUnknown(open, name, life, { order: call.order })
    return this.#running(open, name, life)
  }

  async listen(): Promise<void> {
    await this.#open()
    this.#life ??= this.#watch()
  }

  async state(): Promise<SandboxState> {
    const state = await this.#containers.inspect(this.id)
    if (state.state === 'exited') return { state: 'exited', exit: this.#session?.exit ?? this.#stopped ?? state.exit }
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

  async keepAs(key: EnvironmentKey, onLine: (line: string) => void = () => {}): Promise<EnvironmentId> {
    const isRunning = (await this.#containers.inspect(this.id)).state === 'running'
    const sessions = isRunning ? await this.#sessions() : []
    if (sessions?.some(({ state }) => state === 'running'))
      throw new EngineError(
        'refused',
        `a session is still running in ${this.name}; stop it before it becomes an environment`,
      )
    for (const { session } of sessions ?? []) await this.#link?.orders.forget(session)
    if (isRunning && sessions !== null) await this.#setAside(onLine)
    this.#isStarted = false
    await this.#containers.stop(this.id, CONTAINER_GRACE_MS)
    return this.#containers.commit(this.id, tagOf(key))
  }

  /** If this fails, the workspace's files stay in the image: everything works except renaming its folders. */
  async #setAside(onLine: (line: string) => void): Promise<void> {
    const life = await this.#started()
    const answer = await this.#link?.orders.setAside(life.over)
    if (answer && 'left' in answer) for (const name of answer.left) onLine(staysInImage(name))
    else onLine(`What setup made could not be set aside, so its folders cannot be renamed: ${whyNot(answer)}.`)
  }

  async node(): Promise<string | null> {
    return (await this.#containers.nodeOf?.(this.id).catch(() => null)) ?? null
  }

  bytes(): Promise<number | null> {
    return this.#containers.sizeOf(this.id)
  }

  async stop(graceMs: number): Promise<void> {
    const running = this.#link?.link.state?.sessions.findLast(({ state }) => state === 'running')
    const stopped = running && (await this.#link?.orders.stop(running.session, graceMs))
    if (stopped && 'session' in stopped && stopped.session.state === 'ended')
      this.#stopped = exitOf(stopped.session.end)
    this.#isStarted = false
    await this.#containers.stop(this.id, stopped ? CONTAINER_GRACE_MS : graceMs)
    this.#life = null // those who wait for its end have it; the next session is in another one
  }

  async interrupt(youngerMs: number): Promise<number | null> {
    const running = (await this.#link?.orders.sessions())?.findLast(({ state }) => state === 'running')
    const answer = running && (await this.#link?.orders.interrupt(running.session, youngerMs))
    return answer && 'interrupted' in answer ? answer.interrupted : null
  }

  letGo(): void {
    this.#session?.letGo()
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

  /** Does not ask the engine about a container that we have started, until we hear of its end. */
  async #started(): Promise<ContainerLife> {
    return this.#isStarted && this.#life && !this.#life.exit ? this.#life : this.#start()
  }

  /** Starts it, unless it runs already. */
  async #start(): Promise<ContainerLife> {
    await this.#containers.start(this.id)
    this.#isStarted = true
    if (!this.#life || this.#life.exit) this.#life = this.#watch()
    return this.#life
  }

  /**
   * Watches one start. While the engine is away, a container whose supervisor can still be heard counts as running. If
   * the engine has removed it, it has ended. If it was started again in the same moment, it has not.
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
      const linkBy = () => this.#containers.linkBy(this.id)
      const carrier = () => this.#containers.carrier(this.id)
      carryByExec({ link, linkBy, carrier, over: life.over, clock }).catch(report)
    }
    return life
  }

  async #begin(
    open: OpenLink,
    name: string,
    life: ContainerLife,
    { order, onWait, signal }: Pick<SessionCall, 'order' | 'onWait' | 'signal'>,
  ): Promise<void> {
    await this.#placed(life, onWait, signal)
    let answer = await open.orders.start(name, order, life.over)
    while (answer === null && !life.exit && (await this.#isCopying()) && signal?.aborted !== true)
      answer = await open.orders.start(name, order, life.over)
    if (answer && 'session' in answer) return
    const { exit } = life
    if (exit?.lost === true) throw new EngineError('lost', exit.why ?? `${this.name} ended before its session began`)
    if (exit && isEndedByOthers(exit)) throw new EngineError('lost', `${this.name} ${endedByOthers(exit)}`)
    const why = answer && 'refused' in answer ? `its supervisor refused: ${answer.detail}` : await this.#whyNot(life)
    throw new EngineError('refused', `no session could be started in ${this.name}: ${why}`)
  }

  /** Waits while the engine has no place for it, which may take hours. */
  async #placed(life: ContainerLife, onWait?: SessionCall['onWait'], signal?: AbortSignal): Promise<void> {
    let told = ''
    const startedBy = this.#links.clock.monotonic() + SLOW_START_MS
    try {
      while (!life.over.aborted) {
        const why = await this.#containers.waitsFor?.(this.id)
        if (why === null || why === undefined) return
        if (why === '' && this.#links.clock.monotonic() >= startedBy) return // then its silence is reported
        if (why !== '' && why !== told) onWait?.((told = why))
        if (signal?.aborted)
          throw new EngineError('refused', `${this.name} was stopped while it waited: ${why || 'to start'}`)
        await this.#links.clock.sleep(PLACE_LOOK_MS, signal)
      }
    } finally {
      if (told !== '') onWait?.(null)
    }
  }

  /** The supervisor answers nobody until it has copied the workspace, which may take longer than an answer may. */
  async #isCopying(): Promise<boolean> {
    const words = await this.#containers.lastWords(this.id).catch(() => '')
    return words.trimEnd().endsWith(COPYING)
  }

  async #whyNot({ exit }: ContainerLife): Promise<string> {
    const words = (await this.#containers.lastWords(this.id).catch(() => '')).trim()
    const said = words === '' ? '' : `. It said: ${words}`
    if (exit) return `its container ended with exit code ${exit.code}${said}`
    return `its supervisor did not answer for ${START_MS / 1000} s${said}`
  }

  /** Begins a session that an earlier server offered and did not start, because it died in between. */
  async #beginIfUnknown(
    open: OpenLink,
    name: string,
    life: ContainerLife,
    call: Pick<SessionCall, 'order'>,
  ): Promise<void> {
    if (!(await open.link.until(() => open.link.state !== null, life.over))) return
    if (open.link.state?.sessions.some(({ session }) => session === name)) return
    await this.#begin(open, name, life, call).catch(() => {}) // it then has no output, and ends with its container
  }

  #running(open: OpenLink, name: string, life: ContainerLife): Running {
    this.#session?.letGo()
    this.#stopped = null
    const container = { id: this.id, name: this.name, life }
    return (this.#session = new RunningSession({
      name,
      container,
      containers: this.#containers,
      links: this.#links,
      open,
    }))
  }

  /** Null: its supervisor says nothing. */
  async #sessions(): Promise<SessionView[] | null> {
    const { orders } = await this.#open()
    this.#life ??= this.#watch()
    return orders.sessions()
  }
}
