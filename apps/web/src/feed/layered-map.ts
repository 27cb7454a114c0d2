/** With more changes than these above the base, everything is copied once more. */
const MOST_ABOVE = 256

/**
 * A map that never changes, with cheap changed copies. A few of thousands of beads change in each animation frame;
 * copying all of them each time would only make garbage.
 */
export class LayeredMap<V> implements ReadonlyMap<string, V> {
  readonly #below: ReadonlyMap<string, V>
  /** Differences from `#below`; undefined: the entry is gone. */
  readonly #above: ReadonlyMap<string, V | undefined>
  readonly size: number

  private constructor(below: ReadonlyMap<string, V>, above: ReadonlyMap<string, V | undefined>, size: number) {
    this.#below = below
    this.#above = above
    this.size = size
  }

  static of<V>(all: ReadonlyMap<string, V>): LayeredMap<V> {
    return new LayeredMap(new Map(all), new Map(), all.size)
  }

  /** A copy with the values of `all`, which differs from this map in no other keys. */
  changed(all: ReadonlyMap<string, V>, keys: ReadonlySet<string>): LayeredMap<V> {
    if (this.#above.size + keys.size > MOST_ABOVE) return LayeredMap.of(all)
    const above = new Map(this.#above)
    for (const key of keys) above.set(key, all.get(key))
    return new LayeredMap(this.#below, above, all.size)
  }

  get(key: string): V | undefined {
    const value = this.#above.get(key)
    return value === undefined && !this.#above.has(key) ? this.#below.get(key) : value
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  *entries(): Generator<[string, V], undefined> {
    for (const entry of this.#below) {
      if (!this.#above.has(entry[0])) yield entry
      else {
        const value = this.#above.get(entry[0])
        if (value !== undefined) yield [entry[0], value]
      }
    }
    for (const [key, value] of this.#above) if (value !== undefined && !this.#below.has(key)) yield [key, value]
    return undefined
  }

  *keys(): Generator<string, undefined> {
    for (const [key] of this.entries()) yield key
    return undefined
  }

  *values(): Generator<V, undefined> {
    for (const [, value] of this.entries()) yield value
    return undefined
  }

  [Symbol.iterator](): Generator<[string, V], undefined> {
    return this.entries()
  }

  forEach(run: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) run(value, key, this)
  }
}
