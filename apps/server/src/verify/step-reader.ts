import { StringDecoder } from 'node:string_decoder'
import { DigestReader, type Digest } from '@beadloom/core/digest/digest-reader.ts'
import type { KnownFailures } from '@beadloom/core/digest/known-failures.ts'
import type { BaseCheck } from '@beadloom/core/environment/proof.ts'
import { failingOnBase, knownOf } from '@beadloom/core/execution/beside-base.ts'
import type { VerifyStep } from '@beadloom/core/execution/verification.ts'
import type { HeardEvent } from '../ports/recorder.ts'

export type StepEnd = { step: VerifyStep; number: number; exitCode: number | null; durationMs: number; digest: Digest }

/**
 * Follows a verification's session: what each step printed becomes its digest while it is printed, in memory that does
 * not grow with it. Steps come in their order, each in a section of its name.
 */
export class StepReader {
  readonly #steps: readonly VerifyStep[]
  readonly #base: readonly BaseCheck[]
  readonly #ended: StepEnd[] = []
  #reader: DigestReader | null = null
  #decoders = decoders()

  /** @param base what fails there, too, is left out of a digest */
  constructor(steps: readonly VerifyStep[], base: readonly BaseCheck[] = []) {
    this.#steps = steps
    this.#base = base
  }

  /** Steps that have ended, in order. */
  get ended(): readonly StepEnd[] {
    return this.#ended
  }

  take = (event: HeardEvent): void => {
    const number = this.#ended.length + 1
    const step = this.#steps[number - 1]
    if (!step) return
    if (event.type === 'section' && event.title === step.name && event.command === step.command) {
      this.#reader = readerOf(step, knownOf(failingOnBase(this.#base, step)))
      this.#decoders = decoders()
    } else if (event.type === 'output') this.#reader?.push(this.#decoders[event.stream].write(event.bytes))
    else if (event.type === 'section_end' && event.title === step.name && this.#reader) {
      const { exitCode, durationMs } = event
      this.#ended.push({ step, number, exitCode, durationMs, digest: this.#reader.end(exitCode) })
      this.#reader = null
    }
  }

  /** What is known of the step during which the session broke off; null when none was running. */
  broken(): StepEnd | null {
    const number = this.#ended.length + 1
    const step = this.#steps[number - 1]
    if (!step || !this.#reader) return null
    return { step, number, exitCode: null, durationMs: 0, digest: this.#reader.end(null) }
  }
}

const decoders = () => ({ stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') })

const readerOf = ({ command, type }: VerifyStep, known: KnownFailures | null): DigestReader =>
  new DigestReader({ command, ...(type === 'custom' ? {} : { type }), ...(known && { known }) })
