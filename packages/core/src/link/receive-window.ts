import { FIRST_WINDOW_BYTES, GROWN_WINDOWS_BYTES, MAX_WINDOW_BYTES } from './link-bounds.ts'

/** The total growth of the windows of one link. */
export class WindowBudget {
  #left = GROWN_WINDOWS_BYTES

  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}

/** The bytes that the other end may send before somebody reads. At most its size is unread or on its way. */
export class ReceiveWindow {
  readonly #budget: WindowBudget
  #size = FIRST_WINDOW_BYTES
  /** The bytes that the other end may still send. */
  #open = FIRST_WINDOW_BYTES
  #unread = 0
  #granted = 0
  #isClosed = false

  constructor(budget: WindowBudget) {
    this.#budget = budget
  }

  /** False: more than allowed. */
  accept(bytes: number): boolean {
    if (bytes > this.#open) return false
    this.#open -= bytes
    this.#unread += bytes
    return true
  }

  /** True: there is something to grant. */
  read(bytes: number): boolean {
    this.#unread -= bytes
    if (this.#isClosed || this.#unread + this.#open > this.#size / 2) return false
    if (this.#size < MAX_WINDOW_BYTES && this.#budget.take(this.#size)) this.#size *= 2
    const more = this.#size - this.#unread - this.#open
    this.#open += more
    this.#granted += more
    return true
  }

  /** The granted bytes that the other end does not know of; the caller sends them now. */
  takeGranted(): number {
    const granted = this.#granted
    this.#granted = 0
    return granted
  }

  get hasGranted(): boolean {
    return this.#granted > 0
  }

  /** Nothing more will come: its growth is free for others. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#budget.giveBack(this.#size - FIRST_WINDOW_BYTES)
  }
}
