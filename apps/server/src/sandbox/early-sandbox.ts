import type { LiveExecution } from '../execution/live-execution.ts'
import type { EnvironmentId, Sandbox } from '../ports/sandbox.ts'
import { crashPoint } from '../process/crash-point.ts'
import { AGENT, closeSandbox, openSandbox, type SandboxPlan } from './open-sandbox.ts'
import { takeWarm } from './warm/take-warm.ts'

/** `checkedOut`: the commit that is in its workspace already; null: its environment's. */
export type Begun = { sandbox: Sandbox; checkedOut: string | null }

type Options = Pick<SandboxPlan, 'network' | 'keepsWork'>

/**
 * The agent's sandbox, started while the hub still fetches: a start takes longer than a fetch, and neither needs the
 * other. It is made from the project's latest environment, which nearly always turns out to be the right one. A wrong
 * guess, or one that fails, is not shown and leaves nothing behind.
 */
export class EarlySandbox {
  readonly #live: LiveExecution
  readonly #environment: EnvironmentId | null
  readonly #begun: Promise<Begun | null>

  constructor(live: LiveExecution, environment: EnvironmentId | null, options: Options) {
    this.#live = live
    this.#environment = environment
    this.#begun = environment === null ? Promise.resolve(null) : start(live, environment, options)
  }

  /** The early sandbox if it is of this environment; null when there is none, and the caller opens one. */
  async take(environment: EnvironmentId): Promise<Begun | null> {
    if (environment === this.#environment) return this.#begun
    await this.discard()
    return null
  }

  async discard(): Promise<void> {
    const begun = await this.#begun
    if (begun) await closeSandbox(this.#live, begun.sandbox)
  }
}

async function start(live: LiveExecution, environment: EnvironmentId, options: Options): Promise<Begun | null> {
  let sandbox: Sandbox | null = null
  try {
    const waited = await takeWarm(live, { ...options, environment })
    sandbox = waited?.sandbox ?? (await openSandbox(live, { ...AGENT, ...options, environment }))
    if (!waited) await sandbox.warm()
    crashPoint('after-start')
    return { sandbox, checkedOut: waited?.checkedOut ?? null }
  } catch (error) {
    // The caller tries again later, and then the error is the execution's.
    live.deps.log.info({ error, execution: live.id }, 'a container could not be started early')
    if (sandbox) await closeSandbox(live, sandbox)
    return null
  }
}
