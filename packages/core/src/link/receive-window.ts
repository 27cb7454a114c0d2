import { FIRST_WINDOW_BYTES, GROWN_WINDOWS_BYTES, MAX_WINDOW_BYTES } from './link-limits.ts'

/** What the windows of one link have grown by, all together. */
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

/** How much the other end may send before somebody has read. Never more than its size is unread or on its way. */
export class ReceiveWindow {
  readonly #budget: WindowBudget
  #size = FIRST_WINDOW_BYTES
  /** What the other end may still send. */
  #open = FIRST_WINDOW_BYTES
  #unread = 0
  #granted = 0
  #isClosed = false

  constructor(budget: WindowBudget) {
    this.#budget = budget
  }

  /** False: it was more than allowed. */
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

  /** What has been granted and not been told to the other end. It is told now. */
  takeGranted(): number {
    const granted = this.#granted
    this.#granted = 0
    return granted
  }

  get hasGranted(): boolean {
    return this.#granted > 0
  }

  /** Nothing more will come: what it had grown by is free for others. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#budget.giveBack(this.#size - FIRST_WINDOW_BYTES)
  }
}
