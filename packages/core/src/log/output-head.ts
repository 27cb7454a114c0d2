/**
 * Output that follows its line as it was printed, instead of inside of it: `bytes` bytes, and a newline that is none of
 * them. Nobody has to put much output into JSON and out of it again.
 *
 * Those bytes never hold a line that begins like an event, so whoever begins to read in their middle takes none of them
 * for one; such output travels in an `output` line, where it is text in JSON.
 */
export type OutputHead = { n: number; at: number; stream: 'stdout' | 'stderr'; bytes: number }

/** Most bytes that may follow one line. */
export const MAX_OUTPUT_BYTES = 64 * 1024
/** With the largest numbers it is no longer than this. */
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

/** A line in it begins like an event. */
export const looksLikeEvents = (text: string): boolean => text.startsWith('{"n":') || text.includes('\n{"n":')
