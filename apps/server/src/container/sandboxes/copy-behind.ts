import type { OutputCopy, Printed } from './output-copy.ts'

/** Bytes that may wait for the disk before the sandbox has to wait. */
const MOST_WAITING = 1024 * 1024

type Waiting = Printed & { complete: number }

export type CopyBehindDeps = {
  copy: OutputCopy
  /** Aborted when nobody wants the copy any more. */
  stop: AbortSignal
  /** Called when everything below this offset is in the copy. */
  copied: (offset: number) => void
  /** Called when nothing more can be copied. */
  failed: (error: unknown) => void
}

/** Writes a copy while more is read: everything that came during one write goes into the next. */
export class CopyBehind {
  readonly #deps: CopyBehindDeps
  #waiting: Waiting[] = []
  #bytes = 0
  #writing: Promise<void> | null = null
  #hasFailed = false
  #taken = Promise.withResolvers<void>()

  constructor(deps: CopyBehindDeps) {
    this.#deps = deps
  }

  /**
   * Never rejects. Resolves when there is room for more; null: there is.
   *
   * @param complete the offset behind its last whole record, reported as copied once this is written
   */
  add(printed: Printed, complete: number): Promise<void> | null {
    if (this.#hasFailed || this.#deps.stop.aborted) return null
    this.#waiting.push({ ...printed, complete })
    this.#bytes += printed.bytes.length
    this.#writing ??= this.#write()
    return this.#bytes < MOST_WAITING ? null : this.#taken.promise
  }

  /** Resolves when everything added is written, or never will be. */
  async idle(): Promise<void> {
    await this.#writing
  }

  async #write(): Promise<void> {
    const { copy, stop, copied, failed } = this.#deps
    while (this.#waiting.length > 0) {
      const printed = this.#take()
      try {
        await copy.write(printed, stop)
        copied(printed.at(-1)!.complete)
      } catch (error) {
        this.#hasFailed = true
        this.#take()
        if (!stop.aborted) failed(error)
      }
    }
    this.#writing = null
  }

  #take(): Waiting[] {
    const printed = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    this.#taken.resolve()
    this.#taken = Promise.withResolvers()
    return printed
  }
}
