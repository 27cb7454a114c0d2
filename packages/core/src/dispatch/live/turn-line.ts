import { Heap } from '../heap.ts'
import { byHead, type Head } from '../shares.ts'

/** Its place in a line is lost with `gone`; it stays in the heap until it comes to the top. */
export type LinePlace = Head & { at: number; gone: boolean }

/** Fewer than these are not worth being swept out. */
const FEW = 64

/** What may start, the first at its head: each change costs what a heap does, and looking at the head nothing. */
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

  /** Of one that is in this line. */
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

  /** Takes the head out for a while; `putBack` brings it back. */
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
