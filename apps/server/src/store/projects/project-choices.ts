import { noOverrides, ProjectOverrides } from '@beadloom/core/project/project-overrides.ts'
import type { ProjectChoices } from '../../ports/store/project-choices.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Writing } from '../database/writer.ts'

type Row = { revision: number; at: number; overrides: string }

/** The number of revisions that are kept, so that a change can be undone. */
const KEPT = 50

export function projectChoices({ db, clock, write, changed }: Writing): ProjectChoices {
  const select = db.prepare<[string, number], Row>(
    'SELECT revision, at, overrides FROM project_overrides WHERE project = ? ORDER BY revision DESC LIMIT ?',
  )
  const insert = db.prepare<[string, number, number, string]>(
    'INSERT INTO project_overrides (project, revision, at, overrides) VALUES (?, ?, ?, ?)',
  )
  const forget = db.prepare<[string, number]>('DELETE FROM project_overrides WHERE project = ? AND revision <= ?')
  const known = db.prepare<[string], { id: string }>('SELECT id FROM project WHERE id = ?')
  const newest = (project: string) => select.get(project, 1)?.revision ?? 0

  return {
    overrides: (project) => {
      const row = select.get(project, 1)
      return row ? { revision: row.revision, values: valuesOf(row) } : { revision: 0, values: noOverrides }
    },
    overridesHistory: (project, limit) =>
      select.all(project, limit).map((row) => ({ revision: row.revision, at: row.at, values: valuesOf(row) })),
    setOverrides: (project, revision, values) =>
      write(() => {
        if (!known.get(project)) throw new StoreError('missing', `there is no project ${project}`)
        if (newest(project) !== revision) return false
        insert.run(project, revision + 1, clock.now(), JSON.stringify(values))
        forget.run(project, revision + 1 - KEPT)
        changed('project', project, project)
        return true
      }),
  }
}

/** Choices with a key that only a newer Beadloom knows cannot be read here: they count as none. */
function valuesOf({ overrides }: Row): ProjectOverrides {
  const parsed = ProjectOverrides.safeParse(JSON.parse(overrides))
  return parsed.success ? parsed.data : noOverrides
}
