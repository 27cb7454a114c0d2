import { MOST_SAVED_VIEWS } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { SavedViewStore } from '../ports/store/people/saved-views.ts'
import type { Writing } from './database/writer.ts'

type Row = { id: number; project: string | null; name: string; search: string; is_default: number }
type Scope = { scope: string }

export function savedViewStore({ db, write }: Writing): SavedViewStore {
  const all = db.prepare<[string], Row>(
    'SELECT id, project, name, search, is_default FROM saved_view WHERE project = ? OR project IS NULL ORDER BY project IS NULL, place',
  )
  const inScope = db.prepare<[Scope], { id: number }>(
    `SELECT id FROM saved_view WHERE coalesce(project, '') = @scope ORDER BY place`,
  )
  const hasName = db.prepare<[Scope & { name: string; but: number }], { id: number }>(
    `SELECT id FROM saved_view WHERE coalesce(project, '') = @scope AND name = @name COLLATE NOCASE AND id <> @but`,
  )
  const noDefault = db.prepare<[Scope]>(
    `UPDATE saved_view SET is_default = 0 WHERE coalesce(project, '') = @scope AND is_default = 1`,
  )
  const insert = db.prepare<[Scope & { project: string | null; name: string; search: string; isDefault: number }]>(
    `INSERT INTO saved_view (project, name, search, is_default, place)
     SELECT @project, @name, @search, @isDefault, coalesce(max(place), 0) + 1 FROM saved_view
       WHERE coalesce(project, '') = @scope`,
  )
  const one = db.prepare<[number, string], Row>(
    'SELECT id, project, name, search, is_default FROM saved_view WHERE id = ? AND (project = ? OR project IS NULL)',
  )
  const update = db.prepare<[string, string, number, number]>(
    'UPDATE saved_view SET name = ?, search = ?, is_default = ? WHERE id = ?',
  )
  const place = db.prepare<[number, number]>('UPDATE saved_view SET place = ? WHERE id = ?')
  const drop = db.prepare<[number, string]>('DELETE FROM saved_view WHERE id = ? AND (project = ? OR project IS NULL)')

  const reorder = (scope: string, id: number, before: number | null): void => {
    const others = inScope.all({ scope }).flatMap((row) => (row.id === id ? [] : row.id))
    const found = before === null ? -1 : others.indexOf(before)
    others.splice(found < 0 ? others.length : found, 0, id)
    for (const [at, other] of others.entries()) place.run(at + 1, other)
  }
  return {
    savedViews: (project: ProjectId) =>
      all.all(project).map(({ id, project: of, name, search, is_default }) => ({
        id,
        name,
        search,
        isDefault: is_default === 1,
        forAll: of === null,
      })),
    addSavedView: ({ project, name, search, isDefault }) =>
      write(() => {
        const scope = project ?? ''
        if (inScope.all({ scope }).length >= MOST_SAVED_VIEWS) return 'too_many'
        if (hasName.get({ scope, name, but: 0 })) return 'name_taken'
        if (isDefault) noDefault.run({ scope })
        return Number(insert.run({ scope, project, name, search, isDefault: Number(isDefault) }).lastInsertRowid)
      }),
    changeSavedView: (project, id, { before, ...change }) =>
      write(() => {
        const row = one.get(id, project)
        if (row === undefined) return 'unknown'
        const scope = row.project ?? ''
        const { name = row.name, search = row.search, isDefault = row.is_default === 1 } = change
        if (hasName.get({ scope, name, but: id })) return 'name_taken'
        if (isDefault) noDefault.run({ scope })
        update.run(name, search, Number(isDefault), id)
        if (before !== undefined) reorder(scope, id, before)
        return 'changed'
      }),
    dropSavedView: (project, id) => write(() => drop.run(id, project).changes > 0),
  }
}
