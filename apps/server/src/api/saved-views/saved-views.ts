import { MOST_SAVED_VIEWS } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ChangeSavedView, NewSavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { noProject } from '../../app/stored/refusals.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { Store } from '../../ports/store.ts'

export type SavedViewDeps = {
  store: Pick<Store, 'project' | 'savedViews' | 'addSavedView' | 'changeSavedView' | 'dropSavedView'>
}

/** Views of the board that people have named; each call answers with all views of the project. */
export function savedViews({ store }: SavedViewDeps) {
  const list = (project: ProjectId) => ({ items: store.savedViews(project) })
  const unknown = (id: number) =>
    new Problem(404, 'not_found', `there is no saved view ${id}. It may have been deleted.`)
  const taken = (name: string) =>
    new Problem(409, 'name_taken', `there is a saved view "${name}" already. Choose another name, or change that one.`)
  return {
    list: (project: ProjectId) => (store.project(project) ? list(project) : noProject(project)),
    add: (project: ProjectId, view: NewSavedView, once: Once) => {
      const { name, search, forAll = false, isDefault = false } = view
      if (!store.project(project)) return noProject(project)
      if (once.before !== null) return list(project)
      const added = once.make(
        () => store.addSavedView({ project: forAll ? null : project, name, search, isDefault }),
        (id) => (typeof id === 'number' ? String(id) : null),
      )
      if (added === 'name_taken') return taken(name)
      if (added === 'too_many')
        return new Problem(409, 'too_many', `there are ${MOST_SAVED_VIEWS} saved views already. Delete one first.`)
      return list(project)
    },
    change: (project: ProjectId, id: number, change: ChangeSavedView) => {
      if (!store.project(project)) return noProject(project)
      // A key without a value counts as absent.
      const { name, search, isDefault, before } = change
      const done = store.changeSavedView(project, id, {
        ...(name !== undefined && { name }),
        ...(search !== undefined && { search }),
        ...(isDefault !== undefined && { isDefault }),
        ...(before !== undefined && { before }),
      })
      if (done === 'unknown') return unknown(id)
      return done === 'name_taken' ? taken(name ?? '') : list(project)
    },
    drop: (project: ProjectId, id: number) => {
      if (!store.project(project)) return noProject(project)
      return store.dropSavedView(project, id) ? list(project) : unknown(id)
    },
  }
}
