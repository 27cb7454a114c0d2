import { EngineError } from '../../ports/engine.ts'

type Progress = (line: string) => void
type Running<T> = { result: Promise<T>; listeners: Set<Progress>; waiting: number; controller: AbortController }

/**
 * Lets callers that want the same thing at the same time share one piece of work, and all get its progress. A caller
 * that is stopped leaves; the work itself stops when the last one has left.
 */
export class SharedWork<T> {
  #running = new Map<string, Running<T>>()

  async run(
    key: string,
    onProgress: Progress,
    signal: AbortSignal,
    work: (onProgress: Progress, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) throw abandoned()
    const running = this.#running.get(key) ?? this.#start(key, work)
    running.listeners.add(onProgress)
    running.waiting++
    const left = new AbortController()
    try {
      return await Promise.race([running.result, rejectionOn(signal, left.signal)])
    } finally {
      left.abort()
      running.listeners.delete(onProgress)
      if (--running.waiting === 0) {
        running.controller.abort()
        // Work that is being stopped must not be joined.
        if (this.#running.get(key) === running) this.#running.delete(key)
      }
    }
  }

  #start(key: string, work: (onProgress: Progress, signal: AbortSignal) => Promise<T>): Running<T> {
    const listeners = new Set<Progress>()
    const controller = new AbortController()
    const tell: Progress = (line) => {
      for (const listener of listeners) listener(line)
    }
    // Deferred: this caller's listener must be added before the work reports anything.
    const result = Promise.resolve().then(() => work(tell, controller.signal))
    result.catch(() => {}) // every caller may have left already
    const running = { result, listeners, waiting: 0, controller }
    this.#running.set(key, running)
    return running
  }
}

const abandoned = (): EngineError => new EngineError('refused', 'stopped while an image was being built')

function rejectionOn(signal: AbortSignal, left: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(abandoned()), { once: true, signal: left })
  })
}
