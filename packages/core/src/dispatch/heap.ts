/** A binary heap with one owner: the smallest item by `compare` is at its top. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #compare: (a: T, b: T) => number

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#items.length
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  /** In no order. */
  all(): readonly T[] {
    return this.#items
  }

  push(item: T): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = items[up] as T
      if (this.#compare(item, parent) >= 0) break
      items[at] = parent
      at = up
    }
    items[at] = item
  }

  pop(): T | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (items.length > 0) this.#sink(last as T)
    return top
  }

  #sink(item: T): void {
    const items = this.#items
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= items.length) break
      if (down + 1 < items.length && this.#compare(items[down + 1] as T, items[down] as T) < 0) down += 1
      if (this.#compare(items[down] as T, item) >= 0) break
      items[at] = items[down] as T
      at = down
    }
    items[at] = item
  }
}
