import { parentPort, workerData } from 'node:worker_threads'
import { stripAnsi } from '@beadloom/core/ansi.ts'
import type { SearchBatch, SearchHits, SearchPattern } from './log-search.ts'

/*
 * A thread of its own for each search: a hostile regular expression can hang this thread, which is then ended from
 * outside, and never the server.
 */

const { source, flags } = workerData as SearchPattern
const pattern = new RegExp(source, flags)

parentPort?.on('message', ({ firstLine, text, room }: SearchBatch) => {
  const lines = stripAnsi(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8')).split('\n')
  lines.pop() // what follows the last newline is no line
  const hits: number[] = []
  let more = false
  for (const [index, line] of lines.entries()) {
    pattern.lastIndex = 0
    for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
      if (hits.length === room * 3) {
        more = true
        break
      }
      hits.push(firstLine + index, found.index, found[0].length)
      if (found[0].length === 0) pattern.lastIndex += 1 // or it would match the same nothing for ever
    }
    if (more) break
  }
  parentPort?.postMessage({ hits, more } satisfies SearchHits)
})
