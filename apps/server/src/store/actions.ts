import { startingActions } from '@beadloom/core/access/action-words.ts'
import type { ActionView } from '@beadloom/core/api/people/people-api.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ActionPlace, ActionStore } from '../ports/store/people/actions.ts'
import type { Writing } from './database/writer.ts'

type Row = Omit<ActionView, 'done'> & { done: number }
const toView = ({ done, ...row }: Row): ActionView => ({ ...row, done: done === 1 })

const COLUMNS = 'id, at, by, via, action, about, done, project, bead, execution'
const place = ({ project = undefined, bead = undefined, execution = undefined }: ActionPlace) => ({
  project: project ?? null,
  bead: bead ?? null,
  execution: execution ?? null,
})

export function actionStore({ db, clock, write, changed, event }: Writing): ActionStore {
  const insert = db.prepare(
    `INSERT INTO action (at, by, via, action, about, done, project, bead, execution)
     VALUES (@at, @by, @via, @action, @about, 0, @project, @bead, @execution)`,
  )
  const end = db.prepare<[{ id: number } & Record<'project' | 'bead' | 'execution', string | null>]>(
    `UPDATE action SET done = 1, execution = coalesce(@execution, execution),
       project = coalesce(@project, project, (SELECT project FROM execution WHERE id = coalesce(@execution, action.execution))),
       bead = coalesce(@bead, bead, (SELECT bead FROM execution WHERE id = coalesce(@execution, action.execution)))
     WHERE id = @id`,
  )
  const drop = db.prepare<[number]>('DELETE FROM action WHERE id = ?')
  const one = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM action WHERE id = ?`)
  const isExecution = db.prepare<[string], { id: string }>('SELECT id FROM execution WHERE id = ?')
  const all = db.prepare<[{ project: string | null; before: number | null; limit: number }], Row>(
    `SELECT ${COLUMNS} FROM action WHERE (@project IS NULL OR project = @project) AND (@before IS NULL OR id < @before)
     ORDER BY id DESC LIMIT @limit`,
  )
  const ofBead = db.prepare<[string, string, number], Row>(
    `SELECT ${COLUMNS} FROM action WHERE project = ? AND bead = ? ORDER BY id DESC LIMIT ?`,
  )
  const ofExecution = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM action WHERE execution = ? ORDER BY id DESC LIMIT ?`,
  )

  const start = db.prepare<[string, string], Row>(
    `SELECT ${COLUMNS} FROM action WHERE execution = ? AND action IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 1`,
  )
  const starts = JSON.stringify(startingActions)

  return {
    beginAction: ({ by, via, action, about, ...on }) =>
      write(() => Number(insert.run({ at: clock.now(), by, via, action, about, ...place(on) }).lastInsertRowid)),
    endAction: (id, on) =>
      write(() => {
        end.run({ id, ...place(on) })
        const row = one.get(id)
        if (!row?.execution || row.via === 'token' || !isExecution.get(row.execution)) return
        const { by, via, action, about } = row
        const execution = row.execution as ExecutionId
        event({ execution, session: null, type: 'action', data: { by, via, action, about }, line: null, at: row.at })
        changed('execution', row.project ?? '', execution)
      }),
    dropAction: (id) => void write(() => drop.run(id)),
    actions: ({ project = null, before = null, limit }) => all.all({ project, before, limit }).map(toView),
    actionsOnBead: (project, bead, limit) => ofBead.all(project, bead, limit).map(toView),
    actionsOnExecution: (execution, limit) => ofExecution.all(execution, limit).map(toView),
    startOfExecution: (execution) => {
      const row = start.get(execution, starts)
      return row && toView(row)
    },
  }
}
