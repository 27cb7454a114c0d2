/**
 * One at a time for each key, in the order of asking: Gitea opens two pull requests for two that ask at once. Whoever
 * gives up while waiting gets the signal's reason at once.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = after(before, signal).then(work)
    // Also for the next one when this one gives up: what is before it may still be at work.
    const both = Promise.allSettled([before, mine])
    this.#last.set(key, both)
    try {
      return await mine
    } finally {
      void both.then(() => {
        if (this.#last.get(key) === both) this.#last.delete(key)
      })
    }
  }
}

async function after(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise: given, resolve: giveUp } = Promise.withResolvers<void>()
  const up = () => giveUp()
  signal?.addEventListener('abort', up, { once: true })
  await Promise.race([before.catch(() => {}), given])
  signal?.removeEventListener('abort', up)
  signal?.throwIfAborted()
}
