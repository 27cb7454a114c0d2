import { Heap } from '../heap.ts'
import { byHead, type Head } from '../shares.ts'

/** `gone`: it has lost its place in the line, but stays in the heap until it reaches the top. */
export type LinePlace = Head & { at: number; gone: boolean }

/** Fewer dropped items are not worth a sweep. */
const FEW = 64

/** Candidates, the first one at the head: a change costs as much as in a heap, and a look at the head costs nothing. */
export class TurnLine<T extends LinePlace> {
  #heap = new Heap<T>(byHead)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(place: T): void {
    this.#heap.push(place)
    this.#size += 1
  }

  /** Drops a place of this line. */
  drop(place: T): void {
    if (place.gone) return
    place.gone = true
    this.#size -= 1
    if (this.#heap.size > 2 * this.#size + FEW) this.#sweep()
  }

  peek(): T | undefined {
    for (let top = this.#heap.peek(); top !== undefined; top = this.#heap.peek()) {
      if (!top.gone) return top
      this.#heap.pop()
    }
    return undefined
  }

  /** Takes the head out for a while; `putBack` returns it. */
  takeOut(): T | undefined {
    const top = this.peek()
    if (top !== undefined) this.#heap.pop()
    return top
  }

  putBack(place: T): void {
    if (!place.gone) this.#heap.push(place)
  }

  #sweep(): void {
    const kept = new Heap<T>(byHead)
    for (const place of this.#heap.all()) if (!place.gone) kept.push(place)
    this.#heap = kept
  }
}
