import type { Socket } from 'node:net'
import type { Clock } from '../process/clock.ts'
import type { EgressBounds } from './egress-bounds.ts'

/** `sent`, `received`: the bytes that the ledger knows. `at`: when a byte last moved. */
type Open = {
  socket: Socket
  tell: (sent: number, received: number) => void
  sent: number
  received: number
  at: number
}

/** The connections of one session to hosts outside: their bytes are counted, and idle ones ended. */
export class Traffic {
  readonly #open = new Set<Open>()
  readonly #bounds: EgressBounds
  readonly #clock: Clock
  readonly #closed = new AbortController()
  #bytes = 0
  #looks = false

  constructor(bounds: EgressBounds, clock: Clock) {
    this.#bounds = bounds
    this.#clock = clock
  }

  /** Whether the session has used all the bytes that it may have. */
  get isUsedUp(): boolean {
    return this.#bytes >= this.#bounds.bytes
  }

  watch(socket: Socket, tell: Open['tell']): void {
    const open = { socket, tell, sent: 0, received: 0, at: this.#clock.monotonic() }
    this.#open.add(open)
    socket.once('close', () => {
      this.#count(open)
      this.#open.delete(open)
    })
    if (this.#closed.signal.aborted) socket.destroy()
    else void this.#look()
  }

  /** Ends all of them; their bytes are counted. */
  close(): void {
    this.#closed.abort()
    for (const open of this.#open) {
      this.#count(open)
      open.socket.destroy()
    }
  }

  async #look(): Promise<void> {
    if (this.#looks) return
    this.#looks = true
    while (this.#open.size > 0 && !this.#closed.signal.aborted) {
      await this.#clock.sleep(this.#bounds.lookMs, this.#closed.signal)
      for (const open of this.#open) {
        const isMoving = this.#count(open)
        if (isMoving) open.at = this.#clock.monotonic()
        const isIdle = this.#clock.monotonic() - open.at >= this.#bounds.idleMs
        if (isIdle || this.isUsedUp) open.socket.destroy()
      }
    }
    this.#looks = false
  }

  /** Counts new bytes; whether there were any. */
  #count(open: Open): boolean {
    const { bytesWritten, bytesRead } = open.socket
    const [sent, received] = [bytesWritten - open.sent, bytesRead - open.received]
    if (sent === 0 && received === 0) return false
    open.sent = bytesWritten
    open.received = bytesRead
    this.#bytes += sent + received
    open.tell(sent, received)
    return true
  }
}
