import type { TrackerFile } from '../../ports/tracker.ts'

/** The whole text of a tracker's file; null without one. */
export async function fileText(file: TrackerFile | null): Promise<string | null> {
  if (file === null) return null
  const pieces: Buffer[] = []
  for await (const piece of file.pieces()) pieces.push(Buffer.from(piece))
  await file.close?.()
  return Buffer.concat(pieces).toString('utf8')
}
