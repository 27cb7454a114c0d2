import { setImmediate } from 'node:timers/promises'

/** In characters: about a millisecond's work for the reader. */
const PIECE = 1024 ** 2

/** Cuts a text into pieces of whole lines, and lets other work run after each. */
export async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', Math.min(text.length, from + PIECE))
    const to = end === -1 ? text.length : end + 1
    yield Buffer.from(text.slice(from, to))
    from = to
    await setImmediate()
  }
}
