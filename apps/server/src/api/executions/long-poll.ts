import type { EventPage } from '@beadloom/core/api/executions/execution-api.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Clock } from '../../process/clock.ts'
import { inTime } from '../../process/within.ts'
import { eventsOf, type EventReads } from './events-query.ts'
import type { Store } from '../../ports/store.ts'
import { Problem } from '../../ports/problem.ts'

export type EventQuery = { after: number; limit: number; wait: number }

/**
 * Returns the events after a number. If there are none, waits up to `wait` seconds for the first one; ends early when
 * the execution is over or `signal` aborts.
 */
export async function waitForEvents(
  { store, clock }: { store: EventReads & Pick<Store, 'onEvent'>; clock: Clock },
  execution: ExecutionId,
  { after, limit, wait }: EventQuery,
  signal: AbortSignal,
): Promise<EventPage | Problem> {
  const until = clock.monotonic() + wait * 1000
  const news = listen(store, execution)
  try {
    // Listening began before this read, so an event may be reported twice but never missed.
    for (;;) {
      const page = eventsOf(store, execution, after, limit)
      if (page instanceof Problem) return page
      const left = until - clock.monotonic()
      if (page.items.length > 0 || page.ended || left <= 0 || signal.aborted)
        return { items: page.items, next: String(page.items.at(-1)?.seq ?? after), ended: page.ended }
      const over = new AbortController()
      await Promise.race([news.next(), clock.sleep(left, AbortSignal.any([signal, over.signal]))])
      over.abort(inTime)
    }
  } finally {
    news.stop()
  }
}

/** Remembers one event until it is asked for. */
function listen(store: Pick<Store, 'onEvent'>, execution: ExecutionId) {
  let told = Promise.withResolvers<void>()
  const stop = store.onEvent((id) => {
    if (id === execution) told.resolve()
  })
  return {
    stop,
    async next(): Promise<void> {
      await told.promise
      told = Promise.withResolvers()
    },
  }
}
