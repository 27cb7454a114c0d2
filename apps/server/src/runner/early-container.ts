import type { ImageId } from '../ports/engine.ts'
import { crashPoint } from '../process/crash-point.ts'
import { closeContainer, openContainer } from './containers.ts'
import type { RunContainer, RunContext } from './run-context.ts'

/** What every agent's container is called within its execution. */
export const WORK = { kind: 'work', serial: 'work' } as const

/**
 * The agent's container, started while the hub still fetches: a start takes longer than a fetch, and neither needs the
 * other. It is made of the project's latest image, which nearly always turns out to be the right one; its agent process
 * asks for a session and waits. Nothing of a wrong guess, or of one that fails, is seen or left behind.
 */
export class EarlyContainer {
  readonly #run: RunContext
  readonly #image: ImageId | null
  readonly #opened: Promise<RunContainer | null>

  constructor(run: RunContext, image: ImageId | null) {
    this.#run = run
    this.#image = image
    this.#opened = image === null ? Promise.resolve(null) : start(run, image)
  }

  /** The running container when it is of this image; null when there is none, so that the caller makes one. */
  async take(image: ImageId): Promise<RunContainer | null> {
    if (image === this.#image) return this.#opened
    await this.discard()
    return null
  }

  async discard(): Promise<void> {
    const container = await this.#opened
    if (container) await close(this.#run, container)
  }
}

async function start(run: RunContext, image: ImageId): Promise<RunContainer | null> {
  const { engine, log } = run.deps
  let container: RunContainer | null = null
  try {
    container = await openContainer(run, { ...WORK, image, network: run.settings.network })
    container.waiting = await engine.attach(container.id)
    await engine.start(container.id)
    crashPoint('after-start')
    return container
  } catch (error) {
    // The caller tries again without haste, and then the error is the execution's.
    log.info({ error, execution: run.execution.id }, 'a container could not be started early')
    if (container) await close(run, container)
    return null
  }
}

async function close(run: RunContext, container: RunContainer): Promise<void> {
  container.waiting?.close()
  await closeContainer(run, container)
}
