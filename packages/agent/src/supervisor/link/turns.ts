/** Lets a number of users in at once; the others wait in order of arrival. */
export class Turns {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(most: number) {
    this.#free = most
  }

  /** False: `gone` aborted before there was room. After true, call `leave` once. */
  async enter(gone: AbortSignal): Promise<boolean> {
    if (gone.aborted) return false
    if (this.#free > 0) {
      this.#free -= 1
      return true
    }
    return new Promise((resolve) => {
      const end = (isIn: boolean): void => {
        gone.removeEventListener('abort', giveUp)
        this.#waiting.delete(enter)
        resolve(isIn)
      }
      const enter = (): void => end(true)
      const giveUp = (): void => end(false)
      this.#waiting.add(enter)
      gone.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Gives the place to the next one. */
  leave(): void {
    const [next] = this.#waiting
    if (next) next()
    else this.#free += 1
  }
}
