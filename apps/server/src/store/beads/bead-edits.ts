import { mergeEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadEdit, EditedField } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { BeadEditStore, Refusal } from '../../ports/store/bead-edits.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Writing } from '../database/writer.ts'
import type { BeadRow } from './bead-rows.ts'
import { isWaiting, sameValue, textIn, toEdit, valueIn, withValue } from './edited-fields.ts'
import type { EditRow } from './edited-fields.ts'

/** The limit of replaced values; with more changes before the tracker answers, they are not told apart. */
const MOST_FORMER = 20

const CHANGED_THERE = 'it was changed in the tracker meanwhile, and that is kept'

/** Moves that people make; everything else is an execution's. */
export const isDecision = (status: BeadStatus): boolean => status === 'open' || status === 'done'

/** The statements that several parts need; each runs inside one of their transactions. */
export class EditRows {
  readonly #all
  readonly #forget
  readonly #settle
  readonly #refuse
  readonly #allow

  constructor({ db }: Pick<Writing, 'db'>) {
    this.#all = db.prepare<[string, string], EditRow>(
      'SELECT field, was, value, problem FROM bead_edit WHERE project = ? AND bead = ? ORDER BY rowid',
    )
    this.#forget = db.prepare<[string, string, string, string]>(
      `DELETE FROM bead_edit WHERE project = ? AND bead = ? AND field = ? AND value = ? AND problem = ''`,
    )
    this.#settle = db.prepare<[string, string, string, string, string]>(
      `UPDATE bead_edit SET problem = ? WHERE project = ? AND bead = ? AND field = ? AND value = ? AND problem = ''`,
    )
    this.#refuse = db.prepare<[string, string, string, string, string]>(
      `INSERT INTO bead_edit (project, bead, field, was, value, problem) VALUES (?, ?, 'status', ?, ?, ?)
       ON CONFLICT DO UPDATE SET was = excluded.was, value = excluded.value, problem = excluded.problem`,
    )
    this.#allow = db.prepare<[string, string]>(
      `DELETE FROM bead_edit WHERE project = ? AND bead = ? AND field = 'status'`,
    )
  }

  of(project: string, bead: string): EditRow[] {
    return this.#all.all(project, bead)
  }

  waiting(project: string, bead: string): BeadEdit[] {
    return this.of(project, bead)
      .filter(isWaiting)
      .map((row) => toEdit(row))
  }

  /** The tracker has it, unless the wanted value has changed since. */
  written(project: string, bead: string, { field, value }: BeadEdit): void {
    this.#forget.run(project, bead, field, JSON.stringify(value))
  }

  /** It will not be written. */
  settled(project: string, bead: string, { field, value }: BeadEdit, problem: string): void {
    this.#settle.run(problem, project, bead, field, JSON.stringify(value))
  }

  /** The tracker keeps its own status, or did not take ours. */
  statusRefused(project: string, bead: string, { was, wanted }: { was: string; wanted: string }, why: string): void {
    this.#refuse.run(project, bead, JSON.stringify([was]), JSON.stringify(wanted), why)
  }

  /** Somebody has decided again. */
  statusDecided(project: string, bead: string): void {
    this.#allow.run(project, bead)
  }

  /** A changed bead from the tracker with the waiting edits on top, if nobody has decided otherwise there. */
  over(row: BeadRow): BeadRow {
    let next = row
    for (const edit of this.waiting(row.project, row.id)) {
      const merged = mergeEdit(edit, valueIn(row, edit.field))
      if (merged === 'there') this.written(row.project, row.id, edit)
      else if (merged === 'theirs') this.settled(row.project, row.id, edit, CHANGED_THERE)
      else next = withValue(next, edit.field, merged.value)
    }
    return next
  }
}

export function beadEditStore({ db, write, changed, clock }: Writing, rows: EditRows): BeadEditStore & BackToTracker {
  const select = db.prepare<[string, string], BeadRow>('SELECT * FROM bead WHERE project = ? AND id = ?')
  const update = db.prepare<[BeadRow]>(
    `UPDATE bead SET title = @title, description = @description, type = @type, priority = @priority, labels = @labels,
       dependencies = @dependencies, updated_at = @updated_at, fingerprint = @fingerprint
     WHERE project = @project AND id = @id`,
  )
  const queue = db.prepare<[string, string]>(
    `INSERT INTO tracker_change (project, bead, kind) VALUES (?, ?, 'describe')
     ON CONFLICT DO UPDATE SET rev = rev + 1, due_at = 0, problem = ''`,
  )
  const save = db.prepare<[{ project: string; bead: string; field: string; was: string; value: string }]>(
    `INSERT INTO bead_edit (project, bead, field, was, value) VALUES (@project, @bead, @field, @was, @value)
     ON CONFLICT DO UPDATE SET was = @was, value = @value, problem = ''`,
  )
  const dismiss = db.prepare<[string, string, string]>(
    `DELETE FROM bead_edit WHERE project = ? AND bead = ? AND field = ? AND problem <> ''`,
  )

  const refused = db.prepare<[string], Refusal & { bead: BeadId }>(
    `SELECT bead, field, problem AS why FROM bead_edit WHERE project = ? AND problem <> '' ORDER BY rowid`,
  )
  const refusedOf = db.prepare<[string, string], Refusal & { bead: BeadId }>(
    `SELECT bead, field, problem AS why FROM bead_edit WHERE project = ? AND bead = ? AND problem <> '' ORDER BY rowid`,
  )

  const now = (row: BeadRow, field: EditedField, edits: readonly EditRow[]) => {
    const waits = edits.filter(isWaiting).find((edit) => edit.field === field)
    return field === 'acceptance' && waits ? toEdit(waits).value : valueIn(row, field)
  }

  const there = (project: ProjectId, id: BeadId): BeadRow => {
    const row = select.get(project, id)
    if (!row) throw new StoreError('missing', `there is no bead ${id} in project ${project}`)
    return row
  }

  return {
    editBead: (project, id, changes) =>
      write(() => {
        const row = select.get(project, id)
        if (!row || row.gone === 1) return { refused: `there is no bead ${id} in project ${project}` }
        const known = rows.of(project, id)
        let next = row
        for (const { field, value } of changes) {
          const former = now(row, field, known)
          if (sameValue(former, value)) continue
          const waits = known.filter(isWaiting).find((edit) => edit.field === field)
          const was = waits ? [...toEdit(waits).was.slice(-MOST_FORMER), toEdit(waits).value] : [former]
          save.run({ project, bead: id, field, was: JSON.stringify(was), value: JSON.stringify(value) })
          next = withValue(next, field, value)
        }
        if (rows.waiting(project, id).length === 0) return null
        update.run({ ...next, updated_at: Math.max(clock.now(), row.updated_at) })
        queue.run(project, id)
        changed('bead', project, id)
        return null
      }),

    dismissEdits: (project, id, fields) =>
      write(() => {
        for (const field of fields) dismiss.run(project, id, field)
        changed('bead', project, id)
      }),

    editsOf: (project, id) => rows.of(project, id).map((row) => ({ ...toEdit(row), problem: row.problem })),

    refusedIn: (project, id) => {
      const found = new Map<BeadId, Refusal[]>()
      for (const { bead, field, why } of id === undefined ? refused.all(project) : refusedOf.all(project, id))
        found.set(bead, [...(found.get(bead) ?? []), { field, why }])
      return found
    },

    designOf: (project, id) => textIn(there(project, id).raw, 'design'),

    acceptanceOf: (project, id) => {
      const row = there(project, id)
      return String(now(row, 'acceptance', rows.of(project, id)))
    },

    backToTracker: (project, id, edits, problem) => {
      const row = select.get(project, id)
      if (!row) return
      let next: BeadRow = { ...row, fingerprint: '' } // so that the next read takes the tracker's
      for (const edit of edits) {
        rows.settled(project, id, edit, problem)
        const [first] = edit.was
        if (first !== undefined) next = withValue(next, edit.field, first)
      }
      update.run(next)
    },
  }
}

/** Inside a transaction: drops edits that can never be written, and returns the bead to its former values. */
export type BackToTracker = {
  backToTracker: (project: ProjectId, id: BeadId, edits: readonly BeadEdit[], problem: string) => void
}
