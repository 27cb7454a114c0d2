/**
 * The most bytes that wait in a carrier. Few, because a request cannot overtake them: without a bound, small requests
 * took 60 to 90 ms beside a flood of output.
 */
export const IN_FRONT_BYTES = 64 * 1024

/** Writes its end's frames to a carrier, one batch at a time, from one buffer that is used again. */
export class CarrierPump {
  readonly #take: (into: Uint8Array) => number
  readonly #write: (bytes: Uint8Array, written: () => void) => void
  readonly #buffer = new Uint8Array(IN_FRONT_BYTES)
  #state: 'idle' | 'due' | 'writing' | 'stopped' = 'idle'
  #mayHaveMore = false

  /** `write` calls `written` when the carrier no longer needs the bytes, and never if it has failed. */
  constructor(take: (into: Uint8Array) => number, write: (bytes: Uint8Array, written: () => void) => void) {
    this.#take = take
    this.#write = write
  }

  /** There may be something to send. Wishes of the same moment are sent together. */
  wake(): void {
    this.#mayHaveMore = true
    if (this.#state !== 'idle') return
    this.#state = 'due'
    void Promise.resolve().then(() => this.#state === 'due' && this.#send())
  }

  stop(): void {
    this.#state = 'stopped'
  }

  #send(): void {
    this.#state = 'writing'
    let length = 0
    while (length === 0 && this.#mayHaveMore) {
      this.#mayHaveMore = false
      length = this.#take(this.#buffer) // which may call `wake`
      if (this.#isStopped()) return
    }
    if (length === 0) {
      this.#state = 'idle'
      return
    }
    this.#mayHaveMore = true
    this.#write(this.#buffer.subarray(0, length), () => this.#state === 'writing' && this.#send())
  }

  #isStopped(): boolean {
    return this.#state === 'stopped'
  }
}
