const FIELDS = 3

/** Places in a log, in the order of its lines. Without an object for each: there may be a hundred thousand. */
export class LogHits {
  #data = new Int32Array(FIELDS * 256)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** `column` and `length` in UTF-16 units of the line without its control sequences. */
  push(line: number, column: number, length: number): void {
    const at = this.#length * FIELDS
    if (at === this.#data.length) {
      const larger = new Int32Array(this.#data.length * 2)
      larger.set(this.#data)
      this.#data = larger
    }
    this.#data[at] = line
    this.#data[at + 1] = column
    this.#data[at + 2] = length
    this.#length++
  }

  line(index: number): number {
    return this.#data[index * FIELDS] ?? -1
  }

  column(index: number): number {
    return this.#data[index * FIELDS + 1] ?? 0
  }

  size(index: number): number {
    return this.#data[index * FIELDS + 2] ?? 0
  }

  /** Index of the first hit at or after a line; `length` if there is none. */
  from(line: number): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.line(middle) < line) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Number of hits in the lines [first, end). */
  within(first: number, end: number): number {
    return this.from(end) - this.from(first)
  }

  has(line: number): boolean {
    return this.line(this.from(line)) === line && this.#length > 0
  }
}
