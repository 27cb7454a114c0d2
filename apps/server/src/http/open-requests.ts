import type { ServerResponse } from 'node:http'

/** The requests in progress, so that waiting ones can be ended when the server stops. */
export class OpenRequests {
  readonly #open = new Set<AbortController>()
  #stopped = false

  /** Aborts when the client is gone or has its answer, and when the server stops. */
  begin(response: ServerResponse): AbortSignal {
    const request = new AbortController()
    this.#open.add(request)
    response.once('close', () => {
      this.#open.delete(request)
      request.abort()
    })
    if (this.#stopped || response.destroyed) request.abort()
    return request.signal
  }

  stop(): void {
    this.#stopped = true
    for (const request of this.#open) request.abort()
  }
}
