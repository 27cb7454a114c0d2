import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { EventPart, EventRow, EventWish } from '../store/events.ts'

/** Events without a database. `looks`: the number of requests for a part of them. */
export function memoryEvents(all: readonly EventRow[]) {
  const events = {
    looks: 0,
    eventPart(execution: ExecutionId, after: number, { session, types, most, characters }: EventWish): EventPart {
      events.looks += 1
      const later = all.filter((row) => row.execution === execution && row.seq > after)
      const seen = later.slice(0, most)
      const rows: EventRow[] = []
      let left = characters
      for (const row of seen) {
        if (session !== undefined && row.session !== session) continue
        if (types !== undefined && !types.includes(row.type)) continue
        rows.push(row)
        left -= JSON.stringify(row.data).length
        if (left <= 0) return { rows, next: row === later.at(-1) ? null : row.seq }
      }
      return { rows, next: later.length > seen.length ? (seen.at(-1)?.seq ?? after) : null }
    },
  }
  return events
}
