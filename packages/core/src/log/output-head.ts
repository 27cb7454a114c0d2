/**
 * Output that follows its line as it was printed, instead of inside of it: `bytes` bytes, and a newline that is none of
 * them. Much output is read four times as fast this way, because nobody has to unpack it.
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
  const [, n, at, stream, bytes] = HEAD.exec(line) ?? []
  const head = {
    n: Number(n),
    at: Number(at),
    stream: stream === 'stdout' ? stream : 'stderr',
    bytes: Number(bytes),
  } as const
  const isOne = stream !== undefined && Number.isSafeInteger(head.n) && Number.isSafeInteger(head.at)
  return isOne && head.bytes <= MAX_OUTPUT_BYTES ? head : null
}

/** A line in it begins like an event. */
export const looksLikeEvents = (text: string): boolean => text.startsWith('{"n":') || text.includes('\n{"n":')
