import type { StoreItself } from '../../ports/store.ts'
import type { ServerFacts } from '../engines/server-facts.ts'

export type ReadinessDeps = { store: Pick<StoreItself, 'trouble'>; facts: Pick<ServerFacts, 'unsettled'> }

/** Whether requests are of use: the database can be written, and an earlier server's executions are recovered. */
export function readiness({ store, facts }: ReadinessDeps): { ok: boolean; reasons: string[] } {
  const trouble = store.trouble()
  const reasons = [
    ...(trouble === null ? [] : [`the database cannot be written: ${trouble.text}`]),
    ...facts.unsettled(),
  ]
  return { ok: reasons.length === 0, reasons }
}
