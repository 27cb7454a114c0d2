import { buildOf } from '@beadloom/core/environment/devcontainer/devcontainer-plan.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { asSentence } from '@beadloom/core/text/sentence.ts'
import { EngineError } from '../ports/engine.ts'
import type { Clock } from '../process/clock.ts'

/** An image that failed is not tried again for so long: a registry that is away may take minutes to say nothing. */
const AGAIN_MS = 600_000
const LONGEST = 400

type Left = { build: string; text: string; until: number }

/**
 * Devcontainers whose image is not available here: their projects get Beadloom's own image with the toolchains that the
 * other files ask for. A registry that is out of reach must not keep a project from being tested.
 */
export class LeftDevcontainers {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #left = new Map<ProjectId, Left>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** The sentence for a project whose devcontainer was left out; null: it was not. */
  textFor(project: ProjectId): string | null {
    return this.#left.get(project)?.text ?? null
  }

  /**
   * The result of `prepare` with the project's settings, or with those that do without its devcontainer.
   *
   * @param prepare rejects with an `EngineError` if an image is not available
   */
  async prepared<T>(
    project: ProjectId,
    settings: ProjectSettings,
    prepare: (settings: ProjectSettings) => Promise<T>,
    told: (text: string) => void,
  ): Promise<T> {
    const { devcontainer, instead } = settings
    if (devcontainer === null || instead === null) {
      this.#left.delete(project)
      return prepare(settings)
    }
    const without = { ...settings, devcontainer: null, toolchains: instead }
    const build = JSON.stringify(buildOf(devcontainer))
    const left = this.#left.get(project)
    if (left?.build === build && left.until > this.#clock.monotonic()) return prepare(without)
    try {
      const made = await prepare(settings)
      this.#left.delete(project)
      return made
    } catch (error) {
      if (!(error instanceof EngineError) || !isOfImage(error)) throw error
      const why = oneLine(error.message.split('\n')[0] ?? '').slice(0, LONGEST)
      const text = `The devcontainer of ${oneLine(devcontainer.file)} is not available here, so Beadloom's own image is used, with the toolchains that the other files ask for. ${asSentence(why)}`
      this.#left.set(project, { build, text, until: this.#clock.monotonic() + AGAIN_MS })
      told(text)
      return prepare(without)
    }
  }
}

const isOfImage = ({ kind }: EngineError): boolean => kind === 'image-missing' || kind === 'image-build-failed'
