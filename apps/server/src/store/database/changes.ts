import type { Database } from 'better-sqlite3'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Change, ChangeKind } from '../../ports/store/changes.ts'
import type { News } from './writer.ts'

type ChangeRow = { seq: number; kind: ChangeKind; project: string; id: string }

/** The sequence numbers between two checks of the table's size. */
const PRUNE_EVERY = 1024

export type Changes = {
  changed: (kind: ChangeKind, project: string, id: string) => void
  /** Called after so many changes at once that a snapshot is cheaper: every older cursor has to start again. */
  startAgain: (project: string) => void
  seq: () => number
  changesAfter: (seq: number, limit: number) => Change[] | null
}

/**
 * The cursor of every reader: which rows changed, newest state only. At most about `keep` rows are kept; `floor` is the
 * highest number that was dropped: a cursor below it has to start with a snapshot.
 */
export function changesOf(db: Database, news: News, keep: number): Changes {
  const insert = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO changes (kind, project, id) VALUES (?, ?, ?)',
  )
  const newest = db.prepare<[], { seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'changes'`)
  const after = db.prepare<[number, number], ChangeRow>('SELECT * FROM changes WHERE seq > ? ORDER BY seq LIMIT ?')
  const cut = db.prepare<[number], { seq: number }>('SELECT seq FROM changes ORDER BY seq DESC LIMIT 1 OFFSET ?')
  const prune = db.prepare<[number]>('DELETE FROM changes WHERE seq <= ?')
  const getFloor = db.prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = 'changes-floor'`)
  const setFloor = db.prepare<[string]>(`INSERT OR REPLACE INTO meta (key, value) VALUES ('changes-floor', ?)`)

  const seq = () => newest.get()?.seq ?? 0

  const dropUpTo = (last: number) => {
    prune.run(last)
    setFloor.run(String(last))
  }

  const changed = (kind: ChangeKind, project: string, id: string) => {
    const number = Number(insert.run(kind, project, id).lastInsertRowid)
    news.noteChange(number)
    if (number % PRUNE_EVERY !== 0) return
    const last = cut.get(keep)
    if (last) dropUpTo(last.seq)
  }

  const startAgain = (project: string) => {
    changed('project', project, project)
    dropUpTo(seq())
  }

  const changesAfter = (from: number, limit: number) => {
    const floor = Number(getFloor.get()?.value ?? 0)
    // A cursor from the future belongs to data that this database has lost, so its reader starts again too.
    if (from < floor || from > seq()) return null
    return after.all(from, limit).map((row) => ({
      ...row,
      project: row.project === '' ? null : (row.project as ProjectId),
    }))
  }

  return { changed, startAgain, seq, changesAfter }
}
