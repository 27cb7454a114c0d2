/** Each text costs this beside its characters, so that empty ones are not kept without end. */
const EACH = 64

/** The last of a session's messages: as many as have room, and at least one. */
export class LastTexts {
  readonly #room: number
  #texts: string[] = []
  /** The first that is kept: taking it out of the array would move all others, each time. */
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
