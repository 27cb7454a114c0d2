/** The file being read. No state of the page: it changes with scrolling, and only the list of files draws it. */
export class FileRead {
  #at = 0
  #heard = new Set<() => void>()

  readonly now = (): number => this.#at

  readonly subscribe = (hear: () => void): (() => void) => {
    this.#heard.add(hear)
    return () => this.#heard.delete(hear)
  }

  is(at: number): void {
    if (at === this.#at) return
    this.#at = at
    for (const hear of this.#heard) hear()
  }
}
