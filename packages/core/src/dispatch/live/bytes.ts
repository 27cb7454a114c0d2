/** A set of small whole numbers, one byte each. It grows. */
export class Bytes {
  #bytes = new Uint8Array(64)

  has(at: number): boolean {
    return this.#bytes[at] === 1
  }

  set(at: number, value: boolean): void {
    if (at >= this.#bytes.length) {
      if (!value) return
      const larger = new Uint8Array(Math.max(at + 1, this.#bytes.length * 2))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[at] = value ? 1 : 0
  }
}
