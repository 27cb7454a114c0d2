import { TrackerError } from '../../ports/tracker.ts'
import type { Splice } from '../jsonl/edit-file.ts'

/** An edit of a whole file as text; empty if the text is unchanged. */
export const asText =
  (edit: (text: string) => string | Promise<string>) =>
  async (pieces: AsyncIterable<Uint8Array>): Promise<Splice[]> => {
    const all: Buffer[] = []
    for await (const piece of pieces) all.push(Buffer.from(piece))
    const bytes = Buffer.concat(all)
    const text = bytes.toString('utf8')
    if (!Buffer.from(text).equals(bytes)) throw new TrackerError('broken', 'not UTF-8')
    const next = await edit(text)
    return next === text ? [] : [{ at: 0, length: bytes.length, bytes: Buffer.from(next) }]
  }
