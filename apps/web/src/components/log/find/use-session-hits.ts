import { useEffect, useState } from 'react'
import type { FindQuery } from './log-search.ts'
import { noSessionHits, type SessionHits } from './session-hits.ts'
import type { FindAcross } from './find-across.ts'
import { ApiFailure } from '../../../api/client.ts'

/** The session's own search starts first: people wait for the one on their screen. */
const AFTER_OWN_MS = 300
const BUSY_MS = 2_000
/** The pause between counts while other sessions still print. */
const AGAIN_MS = 10_000

/** The hits in the other sessions of an execution. `query` null: there is no search. */
export function useSessionHits(across: FindAcross | null, session: string, query: FindQuery | null): SessionHits {
  const [known, setKnown] = useState<SessionHits & { query: FindQuery | null }>({ ...noSessionHits, query: null })
  const { execution, order = [], growing = false } = across ?? {}
  const others = order.filter((one) => one !== session).join(' ')

  useEffect(() => {
    if (execution === undefined || query === null || others === '') return
    const stop = new AbortController()
    let timer = setTimeout(look, AFTER_OWN_MS)
    function look() {
      // Loaded later: few people look beyond the current session.
      import('./count-sessions.ts')
        .then(({ countSessions }) =>
          countSessions(execution!, session, query!, stop.signal, (counts, state) => {
            if (!stop.signal.aborted) setKnown({ counts, state, query })
          }),
        )
        .then(
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
