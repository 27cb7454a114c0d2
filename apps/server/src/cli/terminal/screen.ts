import type { Terminal } from './output.ts'
import { padText, plainText, textWidth } from './terminal-text.ts'

/** Enters the alternate screen and hides the cursor; the terminal's former content comes back afterwards. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H'
const LEAVE = '\x1b[?25h\x1b[?1049l'
/** Terminals that support this show the frame in one go; others ignore it. */
const BEGIN_FRAME = '\x1b[?2026h'
const END_FRAME = '\x1b[?2026l'

/**
 * Draws frames in place. Writes only changed lines, straight over the old ones, so that nothing flickers and a slow
 * connection carries little.
 */
export class Screen {
  readonly #terminal: Pick<Terminal, 'write'>
  #shown: string[] = []
  #size = ''
  #open = false

  constructor(terminal: Pick<Terminal, 'write'>) {
    this.#terminal = terminal
  }

  draw(lines: readonly string[], { columns, rows }: { columns: number; rows: number }): void {
    if (!this.#open) {
      this.#open = true
      this.#terminal.write(ENTER)
    }
    const size = `${columns}x${rows}`
    // A resized terminal has moved the text in its own way.
    const whole = size !== this.#size
    this.#size = size
    const height = Math.max(lines.length, whole ? 0 : this.#shown.length)
    let frame = whole ? '\x1b[2J' : ''
    for (let at = 0; at < height; at += 1) {
      const line = lines[at] ?? ''
      if (!whole && line === this.#shown[at]) continue
      // Spaces instead of "erase to the end", which on some terminals removes the last character of a full line.
      const rest = padText('', columns - textWidth(plainText(line)))
      frame += `\x1b[${at + 1};1H${line}${rest}`
    }
    this.#shown = [...lines]
    if (frame !== '') this.#terminal.write(`${BEGIN_FRAME}${frame}${END_FRAME}`)
  }

  /** Restores the terminal. May be called more than once. */
  close(): void {
    if (this.#open) this.#terminal.write(LEAVE)
    this.#open = false
  }
}
