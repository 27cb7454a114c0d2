import { setImmediate } from 'node:timers/promises'
import { Problem } from '../../ports/problem.ts'
import type { AuditApi } from '../../http/people-ports.ts'
import type { AuditStore } from '../../ports/store/people/audit.ts'
import { badCursor } from '../stored/refusals.ts'

/** About half a megabyte of lines, and a few milliseconds. */
const LINES_AT_ONCE = 500

export function createAudit(
  store: Pick<AuditStore, 'audit' | 'auditHead' | 'auditBegins' | 'auditLines' | 'cutAudit'>,
): AuditApi {
  return {
    head: () => ({ ...store.auditHead(), begins: store.auditBegins() }),
    list({ cursor, ...filter }) {
      const before = cursor === undefined ? undefined : Number(cursor)
      if (before !== undefined && !Number.isSafeInteger(before)) return badCursor()
      const items = store.audit({ ...filter, before })
      const last = items.at(-1)
      return last && items.length === filter.limit ? { items, next: String(last.number) } : { items }
    },
    async *lines(after) {
      const until = store.auditHead().number
      for (;;) {
        const rows = store.auditLines(after, LINES_AT_ONCE).filter(({ number }) => number <= until)
        const last = rows.at(-1)
        if (last === undefined) return
        yield rows.map(({ line }) => `${line}\n`).join('')
        after = last.number
        await setImmediate() // a long log delays nobody
      }
    },
    cut(through) {
      const removed = store.cutAudit(through)
      if (removed === null)
        return new Problem(
          409,
          'other_chain',
          `The audit log has no entry ${through.number} with this hash. Export it again, and remove that.`,
        )
      return { removed, head: store.auditHead() }
    },
  }
}
