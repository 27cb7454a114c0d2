import type { FindQuery } from './log-search.ts'
import type { SessionHits } from './session-hits.ts'
import { countInSessions } from '../../../api/endpoints.ts'

/** One line of the server's answer; null if its form is unknown. */
type Counted = { session: string; hits: number } | { done: true } | { error: string }

export function readCount(line: string): Counted | null {
  if (line === '') return null
  const value = JSON.parse(line) as Record<string, unknown>
  if (typeof value['session'] === 'string') return { session: value['session'], hits: Number(value['hits']) || 0 }
  if (value['done'] === true) return { done: true }
  if (!('error' in value)) return null
  const { error } = value as { error: { message?: unknown } | null }
  return { error: typeof error?.message === 'string' ? error.message : 'The search failed.' }
}

type Tell = (counts: ReadonlyMap<string, number>, state: SessionHits['state']) => void

/** Asks the server for hits, and reports each new count as it arrives. Rejects with a message for people. */
export async function countSessions(
  execution: string,
  except: string,
  query: FindQuery,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  const { body } = await countInSessions(execution, except, query, signal)
  if (!body) throw new Error('The server sent an empty answer. Search again.')
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  const counts = new Map<string, number>()
  for (let rest = ''; ;) {
    const { done, value } = await reader.read()
    const lines = (rest + (value ?? '')).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    for (const line of lines) {
      const read = readCount(line)
      if (read === null) continue
      if ('error' in read) throw new Error(read.error)
      if ('done' in read) return tell(counts, 'done')
      counts.set(read.session, read.hits)
    }
    if (done) throw new Error('The server ended the search early. Search again.')
    tell(new Map(counts), 'searching')
  }
}
