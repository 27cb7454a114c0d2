import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Counts the unanswered requests of each connection. Node begins with everything that has come, thousands of requests
 * in one piece, and keeps their answers in memory. Clients send one after the other; one that does not is cut off.
 */
export class Unanswered {
  readonly #most: number
  readonly #pending = new WeakMap<Duplex, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether everything that came on this connection is answered. */
  isDone(connection: Duplex): boolean {
    return (this.#pending.get(connection) ?? 0) === 0
  }

  /** False: do nothing for this request, its connection is being closed. `over`: called when it is answered. */
  takes({ socket }: IncomingMessage, response: ServerResponse, over: () => void = () => {}): boolean {
    const pending = (this.#pending.get(socket) ?? 0) + 1
    this.#pending.set(socket, pending)
    if (pending > this.#most) {
      socket.destroy()
      return false
    }
    response.once('close', () => {
      this.#pending.set(socket, (this.#pending.get(socket) ?? 1) - 1)
      over()
    })
    return true
  }
}
