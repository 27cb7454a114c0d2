import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { EventRow, EventWish } from '../../ports/store/events.ts'
import type { Store } from '../../ports/store.ts'

/** Each part is read in a few milliseconds, even if an agent made every event as long as it can be. */
const PART = { most: 500, characters: 512 * 1024 }
/** Events that one answer looks at: an agent that floods its log does not flood a page. */
const MOST_EVENTS = 20_000

/** The first wished-for events of an execution, part by part; others have a turn in between. */
export async function* eventParts(
  store: Pick<Store, 'eventPart'>,
  execution: ExecutionId,
  wish: Pick<EventWish, 'session' | 'types'>,
): AsyncGenerator<EventRow[]> {
  for (let after: number | null = 0; after !== null && after < MOST_EVENTS;) {
    const { rows, next }: { rows: EventRow[]; next: number | null } = store.eventPart(execution, after, {
      ...wish,
      ...PART,
    })
    yield rows
    after = next
    if (after !== null) await nextTurn()
  }
}
