/** The most recent answers, up to a number of entries, for answers that never change. */
export class Recent<Value> {
  readonly #most: number
  readonly #found = new Map<string, Value>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const value = this.#found.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#found.delete(key)
    this.#found.set(key, value)
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= this.#most) return
      this.#found.delete(oldest)
    }
  }

  forget(is: (value: Value) => boolean): void {
    for (const [key, value] of this.#found) if (is(value)) this.#found.delete(key)
  }
}
