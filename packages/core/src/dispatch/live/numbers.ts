/** Whole numbers by position, 0 by default: four bytes each, a third of the memory of a growing array. */
export class Numbers {
  #numbers = new Int32Array(64)

  get(at: number): number {
    return this.#numbers[at] ?? 0
  }

  set(at: number, value: number): void {
    if (at >= this.#numbers.length) {
      const larger = new Int32Array(Math.max(at + 1, Math.ceil(this.#numbers.length * 1.5)))
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[at] = value
  }
}
