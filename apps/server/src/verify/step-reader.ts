import type { Digest } from '@beadloom/core/digest/digest-reader.ts'
import type { KnownFailures } from '@beadloom/core/digest/known-failures.ts'
import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { failingOnBase, knownOf } from '@beadloom/core/environment/base/beside-base.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import type { Aside, OutputDigest } from '../ports/aside.ts'
import type { HeardEvent } from '../ports/recorder.ts'

type Ended = { step: VerifyStep; number: number; exitCode: number | null; durationMs: number }
export type StepEnd = Ended & { digest: Digest }

/**
 * Follows a verification's session: each step's output becomes its digest, on a thread aside and in bounded memory.
 * Steps come in their order, each in a section of its name.
 */
export class StepReader {
  readonly #aside: Pick<Aside, 'digest'>
  readonly #steps: readonly VerifyStep[]
  readonly #base: readonly BaseCheck[]
  readonly #ended: (Ended & { digest: Promise<Digest> })[] = []
  #output: OutputDigest | null = null

  /** @param base failures there, too, are left out of a digest */
  constructor(aside: Pick<Aside, 'digest'>, steps: readonly VerifyStep[], base: readonly BaseCheck[] = []) {
    this.#aside = aside
    this.#steps = steps
    this.#base = base
  }

  take = (event: HeardEvent): void => {
    const number = this.#ended.length + 1
    const step = this.#steps[number - 1]
    if (!step) return
    if (event.type === 'section' && event.title === step.name && event.command === step.command) {
      this.#output?.drop()
      this.#output = this.#aside.digest(optionsOf(step, knownOf(failingOnBase(this.#base, step))))
    } else if (event.type === 'output') this.#output?.push(event.stream, event.bytes)
    else if (event.type === 'section_end' && event.title === step.name && this.#output) {
      const { exitCode, durationMs } = event
      const digest = this.#output.end(exitCode)
      digest.catch(() => {}) // callers of `ended` get the error; there may be none
      this.#ended.push({ step, number, exitCode, durationMs, digest })
      this.#output = null
    }
  }

  /** Resolves when more may come; null: it may come now. */
  room = (): Promise<void> | null => this.#output?.room() ?? null

  /** Steps that have ended, in order. */
  ended(): Promise<StepEnd[]> {
    return Promise.all(this.#ended.map(async (one) => ({ ...one, digest: await one.digest })))
  }

  /** The facts about the step during which the session broke off; null when none was running. */
  async broken(): Promise<StepEnd | null> {
    const number = this.#ended.length + 1
    const step = this.#steps[number - 1]
    const output = this.#output
    this.#output = null
    if (!step || !output) return null
    return { step, number, exitCode: null, durationMs: 0, digest: await output.end(null) }
  }

  /** Drops the output of a step that did not end. */
  close(): void {
    this.#output?.drop()
    this.#output = null
  }
}

const optionsOf = ({ command, type }: VerifyStep, known: KnownFailures | null) => ({
  command,
  ...(type === 'custom' ? {} : { type }),
  ...(known && { known }),
})
