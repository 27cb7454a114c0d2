/**
 * Output that follows its line raw instead of inside of it: `bytes` bytes, plus a newline that does not count. This
 * saves encoding much output as JSON.
 *
 * Those bytes never contain a line that begins like an event, so a reader that starts in their middle takes none for an
 * event; such output travels in an `output` line, as JSON text.
 */
export type OutputHead = { n: number; at: number; stream: 'stdout' | 'stderr'; bytes: number }

/** The most bytes that may follow one line. */
export const MAX_OUTPUT_BYTES = 64 * 1024
/** The longest head, with the largest numbers. */
const MAX_HEAD_LENGTH = 128
const HEAD =
  /^\{"n":([1-9]\d{0,15}),"at":(\d{1,16}),"type":"output_bytes","stream":"(stdout|stderr)","bytes":([1-9]\d{0,4})\}$/

export const outputHead = ({ n, at, stream, bytes }: OutputHead): string =>
  `{"n":${n},"at":${at},"type":"output_bytes","stream":"${stream}","bytes":${bytes}}`

/** Null for anything that `outputHead` does not write. */
export function parseOutputHead(line: string): OutputHead | null {
  if (line.length > MAX_HEAD_LENGTH) return null
  const match = HEAD.exec(line)
  if (!match) return null
  const [n, at, bytes] = [Number(match[1]), Number(match[2]), Number(match[4])]
  const isExact = Number.isSafeInteger(n) && Number.isSafeInteger(at)
  return isExact && bytes <= MAX_OUTPUT_BYTES ? { n, at, stream: match[3] as OutputHead['stream'], bytes } : null
}

/** Whether a line in the text begins like an event. */
export const looksLikeEvents = (text: string): boolean => text.startsWith('{"n":') || text.includes('\n{"n":')
