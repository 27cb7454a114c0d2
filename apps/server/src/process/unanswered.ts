import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Requests of each connection that wait for their answers. Node begins with all that have come at once, thousands in one
 * piece, and keeps their answers in memory. Clients send one after the other; whoever does not is cut off.
 */
export class Unanswered {
  readonly #most: number
  readonly #pending = new WeakMap<Duplex, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Everything that came on this connection has its answer. */
  isDone(connection: Duplex): boolean {
    return (this.#pending.get(connection) ?? 0) === 0
  }

  /** False: nothing is to be done for this request, its connection is being closed. `over`: it has its answer. */
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
