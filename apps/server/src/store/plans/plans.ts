import type { PlanSource } from '@beadloom/core/records/plan.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { isDoneInPhases } from '@beadloom/core/records/planning.ts'
import type { PlanRow, PlanStore } from '../../ports/store/plans.ts'
import type { BeadStore } from '../../ports/store/beads.ts'
import type { Writing } from '../database/writer.ts'
import type { PlanDocuments } from './plan-documents.ts'

/** Kept versions of one bead beside those that executions have used: enough to look back at an evening of editing. */
const MOST_UNUSED = 50

type Row = {
  project: ProjectId
  bead: BeadId
  version: number
  source: PlanSource
  execution: ExecutionId | null
  commit_id: string | null
  made_at: number
  approved_at: number | null
}
/** All but the document, which is large and usually in memory. */
const COLUMNS = 'project, bead, version, source, execution, commit_id, made_at, approved_at'

/** The other columns are those of the newest version, by SQLite's rule for columns beside a MAX. */
type HeadRow = Pick<Row, 'bead' | 'version' | 'source' | 'approved_at'> & { subtasks: number }

export function planStore(
  writing: Writing,
  { bead }: Pick<BeadStore, 'bead'>,
  documents: Pick<PlanDocuments, 'plan'>,
): PlanStore {
  const { db, clock, write, changed } = writing
  const newest = db.prepare<[string, string], Row>(
    `SELECT ${COLUMNS} FROM plan WHERE project = ? AND bead = ? ORDER BY version DESC LIMIT 1`,
  )
  const one = db.prepare<[string, string, number], Row>(
    `SELECT ${COLUMNS} FROM plan WHERE project = ? AND bead = ? AND version = ?`,
  )
  const headsWhere = (which: string): string =>
    `SELECT bead, MAX(version) AS version, source, approved_at, json_array_length(document, '$.subtasks') AS subtasks
     FROM plan WHERE ${which} GROUP BY bead`
  const heads = db.prepare<[string], HeadRow>(headsWhere('project = ?'))
  // Asked with every change of a bead: by the key, whatever other plans there are.
  const head = db.prepare<[string, string], HeadRow>(headsWhere('project = ? AND bead = ?'))
  const insert = db.prepare<[Omit<Row, 'approved_at'> & { document: string }]>(
    `INSERT INTO plan (project, bead, version, source, execution, commit_id, document, made_at)
     VALUES (@project, @bead, @version, @source, @execution, @commit_id, @document, @made_at)`,
  )
  const forget = db.prepare<[{ project: string; bead: string; before: number }]>(
    `DELETE FROM plan WHERE project = @project AND bead = @bead AND version < @before AND version NOT IN
       (SELECT plan_version FROM execution
        WHERE execution.project = @project AND execution.bead = @bead AND plan_version IS NOT NULL)`,
  )
  const approve = db.prepare<[number, string, string, number]>(
    'UPDATE plan SET approved_at = ? WHERE project = ? AND bead = ? AND version = ? AND approved_at IS NULL',
  )
  const toPlan = (row: Row): PlanRow => ({
    project: row.project,
    bead: row.bead,
    version: row.version,
    source: row.source,
    execution: row.execution,
    commit: row.commit_id,
    plan: documents.plan(row),
    madeAt: row.made_at,
    approvedAt: row.approved_at,
  })

  return {
    plan: (project, id, version) => {
      const row = version === undefined ? newest.get(project, id) : one.get(project, id, version)
      return row ? toPlan(row) : null
    },

    planHeads: (project, id) =>
      new Map(
        (id === undefined ? heads.all(project) : head.all(project, id)).map(
          ({ bead: its, version, source, approved_at, subtasks: length }) => {
            const phased = isDoneInPhases({ plan: { subtasks: { length } }, source })
            return [its, { version, phased, approved: approved_at !== null }]
          },
        ),
      ),

    addPlan: ({ project, bead: id, source, plan, by, onto }) =>
      write(() => {
        if (!bead(project, id)) return { refused: `there is no bead ${id} in project ${project}` }
        const last = newest.get(project, id)
        if (onto !== undefined && onto !== (last?.version ?? 0)) return { refused: otherIsNewest(last?.version ?? 0) }
        const document = JSON.stringify(plan)
        if (last && JSON.stringify(documents.plan(last)) === document) return toPlan(last)
        const version = (last?.version ?? 0) + 1
        const made = { execution: by?.execution ?? null, commit_id: by?.commit ?? null, made_at: clock.now() }
        insert.run({ project, bead: id, version, source, document, ...made })
        forget.run({ project, bead: id, before: version - MOST_UNUSED })
        changed('bead', project, id)
        return toPlan(newest.get(project, id)!)
      }),

    approvePlan: (project, id, version) =>
      write(() => {
        const last = newest.get(project, id)
        if (!last || last.version !== version) return { refused: otherIsNewest(last?.version ?? 0) }
        if (approve.run(clock.now(), project, id, version).changes > 0) changed('bead', project, id)
        return toPlan(newest.get(project, id)!)
      }),
  }
}

const otherIsNewest = (version: number): string =>
  version === 0
    ? 'the bead has no plan'
    : `the plan was changed meanwhile: its newest version is ${version}. Look at that one first`
