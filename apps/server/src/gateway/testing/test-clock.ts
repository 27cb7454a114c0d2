import { HandClock } from '../../ports/testing/hand-clock.ts'

/** Waits up to `throughMs` pass by themselves and are noted; longer ones wait for `advance`. */
export class TestClock extends HandClock {
  readonly slept: number[] = []
  #throughMs: number

  constructor(throughMs: number) {
    super(throughMs)
    this.#throughMs = throughMs
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= this.#throughMs && !signal?.aborted) this.slept.push(ms)
    return super.sleep(ms, signal)
  }
}
