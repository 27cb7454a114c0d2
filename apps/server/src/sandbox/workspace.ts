import type { Session } from '@beadloom/core/records/session.ts'
import { EndedEarly, failed } from '../execution/ends.ts'
import { warn, type LiveExecution } from '../execution/live-execution.ts'
import type { Recorded } from '../ports/recorder.ts'
import type { EnvironmentId, Sandbox, SandboxSpec } from '../ports/sandbox.ts'
import { EarlySandbox } from './early-sandbox.ts'
import { resultOf } from './ended-session.ts'
import { AGENT, closeSandbox, openSandbox } from './open-sandbox.ts'
import { adoptServices } from './services/adopt-services.ts'
import { around, besideServices, type Beside } from './services/beside-services.ts'
import type { LeftSandbox } from './reattach.ts'
import { isInHub, lostWith, saveWork, type Left } from './save-work.ts'
import type { SessionFacts, SessionPlan } from './session-plan.ts'
import { runSession } from './session.ts'
import { keepContainer } from './unsaved-containers.ts'
import { learnFrom, takeWarm } from './warm/take-warm.ts'

/** `keepsWork` false: the files of its sessions are worth nothing, and go with the sandbox. */
export type WorkspaceOptions = { network: SandboxSpec['network']; keepsWork: boolean }

/** The place of one line of work: its sandbox, over all sessions and retries, and whether it holds unsaved work. */
export class Workspace {
  readonly #live: LiveExecution
  readonly #options: WorkspaceOptions
  /** Null before the first session, and after a sandbox was lost or closed. */
  #sandbox: Sandbox | null = null
  #used = false
  #unsaved = false
  /** The commit that was checked out in it before anybody worked there, or null. */
  #checkedOut: string | null = null
  /** Why an earlier server's sandbox is gone, if its engine says so. */
  #lost: string | null = null
  /** The result that the last session reported to an earlier server. */
  #toldBefore: Recorded['result'] = null

  constructor(live: LiveExecution, options: WorkspaceOptions) {
    this.#live = live
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#sandbox !== null
  }

  /** The commit in it, clean, until a session has been there; null: the environment's. */
  get checkedOut(): string | null {
    return this.#used ? null : this.#checkedOut
  }

  /** Whether a session has been in it: the next one finds its files. */
  get isUsed(): boolean {
    return this.#used
  }

  /**
   * Opens a sandbox if there is none.
   *
   * @param environment makes or finds the environment to start from
   * @param guess the environment that it probably will be: a sandbox is started from it meanwhile
   */
  async open(environment: () => Promise<EnvironmentId>, guess: EnvironmentId | null = null): Promise<void> {
    if (this.#sandbox) return
    const early = new EarlySandbox(this.#live, guess, this.#options)
    const wanted = await environment().catch(async (error: unknown) => {
      await early.discard()
      throw error
    })
    if (this.#options.keepsWork) learnFrom(this.#live, wanted)
    const plan = { ...AGENT, ...this.#options, environment: wanted }
    const waiting = (await early.take(wanted)) ?? (await takeWarm(this.#live, plan))
    this.#hold(waiting?.sandbox ?? (await openSandbox(this.#live, plan)))
    this.#checkedOut = waiting?.checkedOut ?? null
  }

  /** Takes over from an earlier server: the sandbox, if it is still there, and the sessions that were in it. */
  reattach({ sandbox, lost }: LeftSandbox, sessions: readonly Session[]): void {
    this.#lost = lost
    if (!sandbox) return
    const agents = sessions.filter(({ kind }) => kind === AGENT.kind)
    const last = agents.findLast(({ container }) => container === sandbox.id) ?? agents.at(-1)
    this.#hold(sandbox)
    this.#used = last !== undefined
    this.#unsaved = this.#options.keepsWork && last !== undefined
    this.#toldBefore = last?.state === 'ended' ? resultOf(this.#live, last.id) : null
  }

  /** Runs a session of an agent, from its order to the last byte of its output. */
  async session(plan: SessionPlan): Promise<SessionFacts> {
    const sandbox = this.#sandbox
    if (!sandbox) throw new Error(`${plan.id} has no sandbox`)
    return this.#follow(besideServices(this.#live, sandbox, plan, () => runSession(this.#live, sandbox, plan)))
  }

  /** Continues a session that began before this server did. If its sandbox is gone, the policy for retries decides. */
  async adopt(plan: SessionPlan): Promise<SessionFacts> {
    const { id, deps } = this.#live
    const sandbox = this.#sandbox
    if (!sandbox) {
      const why = this.#lost
      const words = `its container was gone when the server came back${why === null ? '' : `: ${why}`}`
      await deps.store.endSession(plan.id, 'infra_error', null, words)
      throw new EndedEarly(failed(why === null ? { kind: 'server_restarted' } : { kind: 'container_lost', why }))
    }
    const text = `the server was restarted during attempt ${plan.attempt}; its container kept running`
    await deps.store.flagExecution(id, { kind: 'adopted', text })
    return this.#follow(this.#adopted(sandbox, plan))
  }

  async #adopted(sandbox: Sandbox, plan: SessionPlan): Promise<Beside<SessionFacts>> {
    const run = () => runSession(this.#live, sandbox, plan, 'adopt')
    if (this.#live.settings.services.length === 0) return { result: await run(), troubles: [] }
    return around(this.#live, await adoptServices(this.#live, sandbox, plan.attempt), run)
  }

  /** Between two tries: stops the sandbox, which stays if it is still there; of a lost one only the pushes remain. */
  async stopForRetry(): Promise<void> {
    const sandbox = this.#sandbox
    if (!sandbox) return
    const { log, store } = this.#live.deps
    const now = await sandbox.state().catch((error: unknown) => {
      log.warn({ error, container: sandbox.id }, 'a container could not be looked at; it is tried again')
      return null
    })
    if (now?.state === 'running') await sandbox.stop(0).catch(() => {})
    if (now?.state === 'created' && now.startedAt <= 0) {
      // It could not be started, so it is unused: the next session is its first.
      this.#used = false
      this.#unsaved = false
    }
    if (now?.state !== 'gone') return
    if (this.#unsaved) await warn(this.#live, lostWith(sandbox.name))
    this.#drop()
    await store.forgetContainer(sandbox.name)
    await sandbox.close().catch((error) => log.warn({ error, container: sandbox.id }, 'something of a container stays'))
  }

  /** Closes it when it is not needed any more, unless it holds unsaved work. */
  async closeIfSaved(): Promise<void> {
    if (!this.#unsaved) await this.close()
  }

  /** Removes it with everything in it. */
  async close(): Promise<void> {
    const sandbox = this.#sandbox
    if (!sandbox) return
    this.#drop()
    await closeSandbox(this.#live, sandbox)
  }

  /**
   * Ends the work: saves what the hub does not have yet and closes the sandbox. One whose work cannot be saved now is
   * kept (`unsaved-containers.ts`). Returns a sentence about a sandbox that somebody has removed, or null.
   */
  async leave(): Promise<string | null> {
    const sandbox = this.#sandbox
    if (!sandbox || this.#live.stopper.detached) return null
    const { abandoned } = this.#live.stopper
    if (this.#unsaved && (await isInHub(this.#live, this.#toldBefore))) this.#unsaved = false
    const left = this.#unsaved ? await leftIn(this.#live, sandbox) : { ref: null }
    this.#drop()
    if ('kept' in left) {
      await keepContainer(this.#live, sandbox, left.kept)
      return null
    }
    if (abandoned.aborted) await leaveToSweep(this.#live, sandbox)
    else await closeSandbox(this.#live, sandbox)
    if (!('lost' in left)) return null
    await warn(this.#live, left.lost)
    return left.lost
  }

  async #follow(running: Promise<Beside<SessionFacts>>): Promise<SessionFacts> {
    this.#used = true
    this.#unsaved = this.#options.keepsWork
    this.#toldBefore = null
    const { result: facts } = await running
    if (this.#unsaved && (await isInHub(this.#live, facts.recorded.result))) this.#unsaved = false
    return facts
  }

  #hold(sandbox: Sandbox): void {
    this.#sandbox = sandbox
    this.#checkedOut = null
    this.#used = false
    this.#unsaved = false
  }

  #drop(): void {
    this.#sandbox = null
    this.#used = false
    this.#unsaved = false
  }
}

/** A sandbox that a person has given up may never stop, so nothing waits for it. */
const leftIn = (live: LiveExecution, sandbox: Sandbox): Promise<Left> =>
  live.stopper.abandoned.aborted
    ? Promise.resolve({ kept: 'its processes could not be stopped yet.' })
    : saveWork(live, sandbox)

async function leaveToSweep({ deps: { store } }: LiveExecution, sandbox: Sandbox): Promise<void> {
  await store.releaseContainer(sandbox.name)
  sandbox.letGo()
}
