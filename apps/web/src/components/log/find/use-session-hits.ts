import { useEffect, useState } from 'react'
import type { FindQuery } from './log-search.ts'
import { noSessionHits, readCount, type SessionHits } from './session-hits.ts'
import type { FindAcross } from './find-across.ts'
import { ApiFailure } from '../../../api/client.ts'
import { countInSessions } from '../../../api/endpoints.ts'

/** The session's own search begins first: what is on the screen is what a person waits for. */
const AFTER_OWN_MS = 300
const BUSY_MS = 2_000
/** While other sessions still print. */
const AGAIN_MS = 10_000

/** The hits in the other sessions of an execution. `query` null: nothing is looked for. */
export function useSessionHits(across: FindAcross | null, session: string, query: FindQuery | null): SessionHits {
  const [known, setKnown] = useState<SessionHits & { query: FindQuery | null }>({ ...noSessionHits, query: null })
  const { execution, order = [], growing = false } = across ?? {}
  const others = order.filter((one) => one !== session).join(' ')

  useEffect(() => {
    if (execution === undefined || query === null || others === '') return
    const stop = new AbortController()
    let timer = setTimeout(look, AFTER_OWN_MS)
    function look() {
      count(execution!, session, query!, stop.signal, (counts, state) => {
        if (!stop.signal.aborted) setKnown({ counts, state, query })
      }).then(
        () => growing && again(AGAIN_MS),
        (error: unknown) => {
          if (stop.signal.aborted) return
          if (error instanceof ApiFailure && error.status === 429) return again(BUSY_MS)
          setKnown({
            counts: new Map(),
            state: { failed: error instanceof Error ? error.message : String(error) },
            query,
          })
        },
      )
    }
    function again(ms: number) {
      if (!stop.signal.aborted) timer = setTimeout(look, ms)
    }
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [execution, session, query, others, growing])

  if (query === null || others === '') return noSessionHits
  return known.query === query ? known : { counts: new Map(), state: 'searching' }
}

type Tell = (counts: ReadonlyMap<string, number>, state: SessionHits['state']) => void

async function count(execution: string, except: string, query: FindQuery, signal: AbortSignal, tell: Tell) {
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
