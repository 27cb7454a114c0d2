import type { Readable } from 'node:stream'

/** The kept length of stderr; git's important lines come first and last. */
const STDERR_LIMIT = 64 * 1024

/** The first and the last part of a stream as text; the middle of a flood is dropped. */
export function keepEnds(stream: Readable): () => string {
  let head = ''
  let tail = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    if (head.length < STDERR_LIMIT / 2) head += text
    else tail = (tail + text).slice(-STDERR_LIMIT / 2)
  })
  return () => head.slice(0, STDERR_LIMIT) + tail
}
