import { createHash } from 'node:crypto'
import type { AuditHead, AuditView } from '@beadloom/core/api/people/audit-api.ts'
import { canonical, CHAIN_START, lineOf, type AuditEntry } from '@beadloom/core/audit/entry.ts'
import type { AuditFilter, AuditStore } from '../ports/store/people/audit.ts'
import type { Writing } from './database/writer.ts'

type Row = { entry: string; hash: string }
type EndRow = Row & { endEntry: string | null }

const entryIn = (text: string): AuditEntry => JSON.parse(text) as AuditEntry

export function auditStore({ db, clock, write }: Writing): AuditStore {
  const insert = db.prepare<[Row & { number: number }]>(
    'INSERT INTO audit (number, entry, hash) VALUES (@number, @entry, @hash)',
  )
  const newest = db.prepare<[], AuditHead>('SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1')
  const newestCut = db.prepare<[], AuditHead>(
    'SELECT through AS number, hash FROM audit_cut ORDER BY through DESC LIMIT 1',
  )
  const cut = db.prepare<[AuditHead]>('INSERT INTO audit_cut (through, hash) VALUES (@number, @hash)')
  const known = db.prepare<[AuditHead], unknown>('SELECT 1 FROM audit WHERE number = @number AND hash = @hash')
  const remove = db.prepare<[number]>('DELETE FROM audit WHERE number <= ?')
  type Found = Record<'by' | 'project' | 'action', string | null> & { before: number | null; limit: number }
  const list = db.prepare<[Found], EndRow>(
    `SELECT entry, hash, (SELECT entry FROM audit AS ended WHERE ended.of = audit.number) AS endEntry FROM audit
     WHERE of IS NULL AND (@by IS NULL OR person = @by) AND (@project IS NULL OR project = @project)
       AND (@action IS NULL OR action = @action) AND (@before IS NULL OR number < @before)
     ORDER BY number DESC LIMIT @limit`,
  )
  const after = db.prepare<[number, number], Row & { number: number }>(
    'SELECT number, entry, hash FROM audit WHERE number > ? ORDER BY number LIMIT ?',
  )

  const begins = (): AuditHead => newestCut.get() ?? { number: 0, hash: CHAIN_START }
  const head = (): AuditHead => newest.get() ?? begins()

  return {
    auditHead: head,
    auditBegins: begins,
    addAudit: (given) =>
      write(() => {
        const last = head()
        const number = last.number + 1
        const entry = canonical({ ...given, number, at: clock.now(), before: last.hash } satisfies AuditEntry)
        insert.run({ number, entry, hash: createHash('sha256').update(entry).digest('hex') })
        return number
      }),
    audit: ({ by, project, action, before, limit }: AuditFilter) =>
      list
        .all({ by: by ?? null, project: project ?? null, action: action ?? null, before: before ?? null, limit })
        .map(({ entry, hash, endEntry }): AuditView => ({ ...entryIn(entry), hash, end: endOf(endEntry) })),
    auditLines: (number, limit) => after.all(number, limit).map((row) => ({ number: row.number, line: lineIn(row) })),
    cutAudit: (through) =>
      write(() => {
        if (known.get(through) === undefined) return null
        cut.run(through)
        return remove.run(through.number).changes
      }),
  }
}

/** A row that somebody has changed in the file is still exported, so that the check of the chain finds it. */
function lineIn({ entry, hash }: Row): string {
  try {
    return lineOf(entryIn(entry), hash)
  } catch {
    return JSON.stringify({ entry, hash })
  }
}

function endOf(text: string | null): AuditView['end'] {
  if (text === null) return null
  const { number, at, outcome, code, on } = entryIn(text)
  return { number, at, outcome, code, on }
}
