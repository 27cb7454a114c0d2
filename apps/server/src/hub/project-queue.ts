/** One job at a time for each name, in order of arrival; jobs of different names run side by side. */
export class ProjectQueue {
  #last = new Map<string, Promise<unknown>>()

  /** Aborting `signal` ends the wait for a turn; a running job has to watch it itself. */
  run<T>(name: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    let begun = false
    const begin = () => {
      signal?.throwIfAborted()
      begun = true
      return job()
    }
    const result = before.then(begin, begin) // a failed job told its own caller
    this.#last.set(name, result)
    const forget = () => {
      if (this.#last.get(name) === result) this.#last.delete(name)
    }
    result.then(forget, forget)
    if (!signal) return result
    return new Promise<T>((resolve, reject) => {
      const leave = () => begun || reject(signal.reason as Error)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
      void result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }
}
