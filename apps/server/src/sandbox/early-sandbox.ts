import type { LiveExecution } from '../execution/live-execution.ts'
import type { ImageId, OutputSource } from '../ports/engine.ts'
import { crashPoint } from '../process/crash-point.ts'
import { AGENT, closeSandbox, openSandbox, type Sandbox, type SandboxPlan } from './open-sandbox.ts'

/** A sandbox that runs already: its agent process waits for the first session's order; `output` since its start. */
export type StartedSandbox = { sandbox: Sandbox; output: OutputSource }

/**
 * The agent's sandbox, started while the hub still fetches: a start takes longer than a fetch, and neither needs the
 * other. It is made of the project's latest image, which nearly always turns out to be the right one. Nothing of a wrong
 * guess, or of one that fails, is seen or left behind.
 */
export class EarlySandbox {
  readonly #live: LiveExecution
  readonly #image: ImageId | null
  readonly #started: Promise<StartedSandbox | null>

  constructor(live: LiveExecution, image: ImageId | null, options: Pick<SandboxPlan, 'network' | 'keepsWork'>) {
    this.#live = live
    this.#image = image
    this.#started = image === null ? Promise.resolve(null) : start(live, image, options)
  }

  /** The running sandbox when it is of this image; null when there is none, so that the caller opens one. */
  async take(image: ImageId): Promise<StartedSandbox | null> {
    if (image === this.#image) return this.#started
    await this.discard()
    return null
  }

  async discard(): Promise<void> {
    const started = await this.#started
    if (started) await discard(this.#live, started)
  }
}

async function start(
  live: LiveExecution,
  image: ImageId,
  options: Pick<SandboxPlan, 'network' | 'keepsWork'>,
): Promise<StartedSandbox | null> {
  const { engine, log } = live.deps
  let sandbox: Sandbox | null = null
  let output: OutputSource | null = null
  try {
    sandbox = await openSandbox(live, { ...AGENT, ...options, image })
    output = await engine.attach(sandbox.id)
    await engine.start(sandbox.id)
    crashPoint('after-start')
    return { sandbox, output }
  } catch (error) {
    // The caller tries again without haste, and then the error is the execution's.
    log.info({ error, execution: live.id }, 'a container could not be started early')
    output?.close()
    if (sandbox) await closeSandbox(live, sandbox)
    return null
  }
}

async function discard(live: LiveExecution, { sandbox, output }: StartedSandbox): Promise<void> {
  output.close()
  await closeSandbox(live, sandbox)
}
