import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectRow, ProjectStore } from '../../ports/store/projects.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Writing } from '../database/writer.ts'

type Row = {
  id: ProjectId
  source: string
  added_at: number
  name: string
  paused: number
  autopilot: number | null
  settings: string | null
  base_commit: string | null
  problem: string | null
  warnings: string
  synced_at: number | null
  problem_kind: 'configuration' | 'repository' | null
  autopilot_since: number | null
  chosen_base: string | null
}

const ofExecutions = 'WHERE execution IN (SELECT id FROM execution WHERE project = ?)'
/** Removes everything of a project, what refers to something before it. */
const removalsOfProject: readonly string[] = [
  'DELETE FROM pull_request WHERE project = ?',
  'DELETE FROM saved_view WHERE project = ?',
  'DELETE FROM project_overrides WHERE project = ?',
  'DELETE FROM environment WHERE project = ?',
  'DELETE FROM egress WHERE project = ?',
  'DELETE FROM proof WHERE project = ?',
  `DELETE FROM review_answer WHERE session IN (SELECT id FROM session ${ofExecutions})`,
  'DELETE FROM review_issue WHERE project = ?',
  'DELETE FROM review_dismissed WHERE project = ?',
  'DELETE FROM review WHERE project = ?',
  `DELETE FROM phase_session WHERE session IN (SELECT id FROM session ${ofExecutions})`,
  `DELETE FROM message ${ofExecutions}`,
  `DELETE FROM phase_skip ${ofExecutions}`,
  `DELETE FROM phase_round ${ofExecutions}`,
  `DELETE FROM phase ${ofExecutions}`,
  'DELETE FROM plan WHERE project = ?',
  `DELETE FROM verification ${ofExecutions}`,
  `DELETE FROM retry ${ofExecutions}`,
  'DELETE FROM follow_up_entry WHERE project = ?',
  'DELETE FROM follow_up WHERE project = ?',
  `DELETE FROM event ${ofExecutions}`,
  `DELETE FROM budget_grant ${ofExecutions}`,
  'DELETE FROM token_use WHERE project = ?',
  `DELETE FROM session ${ofExecutions}`,
  `DELETE FROM pipeline_step ${ofExecutions}`,
  'DELETE FROM execution WHERE project = ?',
  'DELETE FROM bead WHERE project = ?',
  // Readers learn from the project's own row in `changes` that all of this is gone.
  `DELETE FROM changes WHERE project = ? AND kind <> 'project'`,
  'DELETE FROM project WHERE id = ?',
]

export function projectStore({ db, clock, write, changed }: Writing, forget: (id: ProjectId) => void): ProjectStore {
  const select = db.prepare<[string], Row>('SELECT * FROM project WHERE id = ?')
  const selectAll = db.prepare<[], Row>('SELECT * FROM project ORDER BY added_at, id')
  const insert = db.prepare<[string, string, number, string, string | null]>(
    'INSERT INTO project (id, source, added_at, name, chosen_base) VALUES (?, ?, ?, ?, ?)',
  )
  const update = db.prepare<[Row]>(
    `UPDATE project SET name = @name, paused = @paused, autopilot = @autopilot, settings = @settings,
     base_commit = @base_commit, problem = @problem, problem_kind = @problem_kind, warnings = @warnings, synced_at = @synced_at,
     autopilot_since = @autopilot_since WHERE id = @id`,
  )
  const unsaved = db.prepare<[string], { name: string }>(
    `SELECT name FROM container WHERE project = ? AND state NOT IN ('warm', 'held', 'removing') LIMIT 1`,
  )
  const live = db.prepare<[string], { id: string }>(
    'SELECT id FROM execution WHERE project = ? AND ended_at IS NULL LIMIT 1',
  )
  const removals = removalsOfProject.map((sql) => db.prepare<[string]>(sql))

  const need = (id: ProjectId): Row => {
    const row = select.get(id)
    if (!row) throw new StoreError('missing', `there is no project ${id}`)
    return row
  }

  return {
    addProject: ({ id, source, chosenBase = null }) =>
      write(() => {
        if (select.get(id)) throw new StoreError('refused', `project ${id} already exists: choose another id`)
        insert.run(id, source, clock.now(), id, chosenBase)
        changed('project', id, id)
        return toProject(need(id))
      }),

    project: (id) => {
      const row = select.get(id)
      return row ? toProject(row) : null
    },

    projects: () => selectAll.all().map(toProject),

    updateProject: (id, patch) =>
      write(() => {
        const row = need(id)
        const next = toRow({ ...toProject(row), ...patch })
        if (JSON.stringify(next) === JSON.stringify(row)) return toProject(row)
        update.run(next)
        changed('project', id, id)
        return toProject(next)
      }),

    removeProject: (id) =>
      write(() => {
        need(id)
        const running = live.get(id)
        if (running)
          throw new StoreError('refused', `project ${id} has a live execution (${running.id}): cancel it first`)
        const kept = unsaved.get(id)
        if (kept)
          throw new StoreError(
            'refused',
            `project ${id} has unsaved work in the container ${kept.name}: save it (beadloom containers save ${kept.name}) or discard it first`,
          )
        for (const removal of removals) removal.run(id)
        forget(id)
        changed('project', id, id)
      }),
  }
}

const toProject = (row: Row): ProjectRow => ({
  id: row.id,
  source: row.source,
  addedAt: row.added_at,
  name: row.name,
  paused: row.paused === 1,
  autopilot: row.autopilot === null ? null : row.autopilot === 1,
  settings: row.settings,
  baseCommit: row.base_commit,
  problem: row.problem === null ? null : { kind: row.problem_kind ?? 'repository', text: row.problem },
  warnings: JSON.parse(row.warnings) as string[],
  syncedAt: row.synced_at,
  autopilotSince: row.autopilot_since,
  chosenBase: row.chosen_base,
})

/** In the order of the table's columns, so that two rows can be compared as JSON. */
const toRow = (project: ProjectRow): Row => ({
  id: project.id,
  source: project.source,
  added_at: project.addedAt,
  name: project.name,
  paused: project.paused ? 1 : 0,
  autopilot: project.autopilot === null ? null : project.autopilot ? 1 : 0,
  settings: project.settings,
  base_commit: project.baseCommit,
  problem: project.problem?.text ?? null,
  warnings: JSON.stringify(project.warnings),
  synced_at: project.syncedAt,
  problem_kind: project.problem?.kind ?? null,
  autopilot_since: project.autopilotSince,
  chosen_base: project.chosenBase,
})
