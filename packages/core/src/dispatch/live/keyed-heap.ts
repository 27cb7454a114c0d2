/**
 * A heap whose items can be replaced and removed at any place: one item for each key, in logarithmic time. Items are
 * never changed in place.
 */
export class KeyedHeap<K, T> {
  readonly #items: T[] = []
  readonly #places = new Map<K, number>()
  readonly #keyOf: (item: T) => K
  readonly #compare: (a: T, b: T) => number

  constructor(keyOf: (item: T) => K, compare: (a: T, b: T) => number) {
    this.#keyOf = keyOf
    this.#compare = compare
  }

  get size(): number {
    return this.#items.length
  }

  /** In no order. */
  all(): readonly T[] {
    return this.#items
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  set(item: T): void {
    const at = this.#places.get(this.#keyOf(item)) ?? this.#items.length
    this.#settle(at, item)
  }

  pop(): T | undefined {
    const top = this.#items[0]
    if (top !== undefined) this.delete(this.#keyOf(top))
    return top
  }

  delete(key: K): void {
    const at = this.#places.get(key)
    if (at === undefined) return
    this.#places.delete(key)
    const last = this.#items.pop() as T
    if (at < this.#items.length) this.#settle(at, last)
  }

  /** Moves the item to its place, starting from a free position. */
  #settle(from: number, item: T): void {
    const items = this.#items
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = items[up] as T
      if (this.#compare(item, parent) >= 0) break
      this.#put(at, parent)
      at = up
    }
    for (;;) {
      let down = 2 * at + 1
      if (down >= items.length) break
      if (down + 1 < items.length && this.#compare(items[down + 1] as T, items[down] as T) < 0) down += 1
      const child = items[down] as T
      if (this.#compare(child, item) >= 0) break
      this.#put(at, child)
      at = down
    }
    this.#put(at, item)
  }

  #put(at: number, item: T): void {
    this.#items[at] = item
    this.#places.set(this.#keyOf(item), at)
  }
}
