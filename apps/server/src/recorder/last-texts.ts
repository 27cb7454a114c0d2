/** Counted for each text beside its characters, so the number of empty texts is limited, too. */
const EACH = 64

/** The last of a session's messages: as many as have room, and at least one. */
export class LastTexts {
  readonly #room: number
  #texts: string[] = []
  /** The index of the first kept text: removing the others from the array each time would move all the rest. */
  #first = 0
  #size = 0

  /** @param room in characters */
  constructor(room: number) {
    this.#room = room
  }

  add(text: string): void {
    this.#texts.push(text)
    this.#size += text.length + EACH
    while (this.#size > this.#room && this.#first < this.#texts.length - 1) {
      this.#size -= (this.#texts[this.#first] ?? '').length + EACH
      this.#texts[this.#first++] = ''
    }
    if (this.#first * 2 > this.#texts.length) {
      this.#texts = this.all()
      this.#first = 0
    }
  }

  all(): string[] {
    return this.#texts.slice(this.#first)
  }
}
