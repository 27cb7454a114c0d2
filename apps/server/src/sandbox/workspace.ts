import type { Session } from '@beadloom/core/execution/session.ts'
import { EndedEarly, failed } from '../execution/ends.ts'
import { warn, type LiveExecution } from '../execution/live-execution.ts'
import type { ContainerSpec, ImageId, OutputSource } from '../ports/engine.ts'
import { EarlySandbox, type StartedSandbox } from './early-sandbox.ts'
import { AGENT, closeLink, closeSandbox, openSandbox, type Sandbox } from './open-sandbox.ts'
import { saveWork } from './save-work.ts'
import type { SessionFacts, SessionPlan } from './session-plan.ts'
import { runSession } from './session.ts'

/** `keepsWork` false: what its sessions leave behind is worth nothing, and goes with the sandbox. */
export type WorkspaceOptions = { network: ContainerSpec['network']; keepsWork: boolean }

/** Outcomes that came from outside of a session: it has not put its leftovers on a ref. */
const CUT_SHORT: ReadonlySet<Session['outcome']> = new Set(['infra_error', 'cancelled', 'timeout'])

/** Where one line of work happens: its sandbox, over all sessions and retries, and whether it holds unsaved work. */
export class Workspace {
  readonly #live: LiveExecution
  readonly #options: WorkspaceOptions
  /** Null before the first session, and after a sandbox was lost or closed. */
  #sandbox: Sandbox | null = null
  /** It was started early, with this output so far. */
  #output: OutputSource | null = null
  #used = false
  #unsaved = false

  constructor(live: LiveExecution, options: WorkspaceOptions) {
    this.#live = live
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#sandbox !== null
  }

  /** A session has been in it: the next one finds its files. */
  get isUsed(): boolean {
    return this.#used
  }

  /**
   * Opens a sandbox where there is none.
   *
   * @param image the image that it has to be of
   * @param guess which that will be, probably: it is started from this one meanwhile
   */
  async open(image: () => Promise<ImageId>, guess: ImageId | null = null): Promise<void> {
    if (this.#sandbox) return
    const { network } = this.#options
    const early = new EarlySandbox(this.#live, guess, network)
    const wanted = await image().catch(async (error: unknown) => {
      await early.discard()
      throw error
    })
    const started = await early.take(wanted)
    this.#hold(
      started ?? { sandbox: await openSandbox(this.#live, { ...AGENT, image: wanted, network }), output: null },
    )
  }

  /** What an earlier server left: its sandbox, where that is still there, and the sessions that were in it. */
  reattach(sandbox: Sandbox | null, sessions: readonly Session[]): void {
    if (!sandbox) return
    const last = sessions.findLast(({ kind }) => kind === AGENT.kind)
    this.#hold({ sandbox, output: null })
    this.#used = last !== undefined
    // An end that the session's own process told comes after it has saved.
    const told = last?.state === 'ended' && !CUT_SHORT.has(last.outcome)
    this.#unsaved = this.#options.keepsWork && last !== undefined && !told
  }

  /** A session of an agent, from its order to the last byte of its output. */
  async session(plan: SessionPlan): Promise<SessionFacts> {
    const sandbox = this.#sandbox
    if (!sandbox) throw new Error(`${plan.id} has no sandbox`)
    const output = this.#output
    this.#output = null
    return this.#follow(
      plan,
      runSession(this.#live, sandbox, plan, output ? { how: 'started', output } : { how: 'start' }),
    )
  }

  /** Continues a session that began before this server did. Where its sandbox is gone the policy for retries decides. */
  async adopt(plan: SessionPlan): Promise<SessionFacts> {
    const { id, deps } = this.#live
    const sandbox = this.#sandbox
    if (!sandbox) {
      await deps.store.endSession(plan.id, 'infra_error', null, 'its container was gone when the server came back')
      throw new EndedEarly(failed({ kind: 'server_restarted' }))
    }
    const text = `the server was restarted during attempt ${plan.attempt}; its container kept running`
    await deps.store.flagExecution(id, { kind: 'adopted', text })
    return this.#follow(plan, runSession(this.#live, sandbox, plan, { how: 'adopted' }))
  }

  /** Between two tries: the sandbox is stopped and stays where it still is; one that is gone leaves what was pushed. */
  async stopForRetry(): Promise<void> {
    const sandbox = this.#sandbox
    if (!sandbox) return
    const { engine, log } = this.#live.deps
    const now = await engine.inspect(sandbox.id).catch((error: unknown) => {
      log.warn({ error, container: sandbox.id }, 'a container could not be looked at; it is tried again')
      return null
    })
    if (now?.state === 'running') await engine.stop(sandbox.id, 0).catch(() => {})
    if (now?.state !== 'gone') return
    this.#drop()
    await closeLink(log, sandbox.link)
  }

  /** Nothing of it is needed any more, unless it holds what is saved nowhere else. */
  async closeIfSaved(): Promise<void> {
    if (!this.#unsaved) await this.close()
  }

  /** Removes it with all that it holds. */
  async close(): Promise<void> {
    const sandbox = this.#sandbox
    if (!sandbox) return
    this.#drop()
    await closeSandbox(this.#live, sandbox)
  }

  /**
   * The end of the work: saves what is on no ref yet and closes the sandbox. What cannot be saved now stays, stopped, and
   * is tried again (`unsaved-containers.ts`). Returns the ref that holds what was saved, or null.
   */
  async leave(): Promise<string | null> {
    const sandbox = this.#sandbox
    if (!sandbox || this.#live.stopper.detached) return null
    this.#output?.close()
    const saved = this.#unsaved ? await saveWork(this.#live, sandbox) : null
    this.#drop()
    if (saved === 'not now') {
      await keep(this.#live, sandbox)
      return null
    }
    await closeSandbox(this.#live, sandbox)
    return saved
  }

  async #follow(plan: SessionPlan, running: Promise<SessionFacts>): Promise<SessionFacts> {
    this.#used = true
    this.#unsaved = this.#options.keepsWork
    const facts = await running
    // One that ended by itself has put its leftovers on a ref; one that was stopped may not have come to it.
    if (!plan.signal.aborted && facts.recorded.result !== null) this.#unsaved = false
    return facts
  }

  #hold({ sandbox, output }: StartedSandbox | { sandbox: Sandbox; output: null }): void {
    this.#sandbox = sandbox
    this.#output = output
    this.#used = false
    this.#unsaved = false
  }

  #drop(): void {
    this.#output?.close()
    this.#sandbox = null
    this.#output = null
    this.#used = false
    this.#unsaved = false
  }
}

async function keep(live: LiveExecution, { id, link }: Sandbox): Promise<void> {
  const { engine, log } = live.deps
  link.letGo()
  await engine.stop(id, 0).catch(() => {})
  const text = `The agent's unsaved work could not be saved now. Its container ${id.slice(0, 12)} is kept for a day, and saving is retried.`
  try {
    await warn(live, text)
  } catch (error) {
    log.error({ error, execution: live.id }, text)
  }
}
