import { MOST_SAVED_VIEWS } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { noProject } from '../stored/refusals.ts'
import type { SavedViewApi } from '../../http/ports.ts'
import { Problem } from '../../ports/problem.ts'
import { eachTime } from '../../ports/once.ts'
import type { Store } from '../../ports/store.ts'

type SavedViewDeps = {
  store: Pick<Store, 'project' | 'savedViews' | 'addSavedView' | 'changeSavedView' | 'dropSavedView'>
}

export function createSavedViews({ store }: SavedViewDeps): SavedViewApi {
  const list = (project: ProjectId) => ({ items: store.savedViews(project) })
  const unknown = (id: number) =>
    new Problem(404, 'not_found', `there is no saved view ${id}. It may have been deleted.`)
  const taken = (name: string) =>
    new Problem(409, 'name_taken', `there is a saved view "${name}" already. Choose another name, or change that one.`)
  return {
    list: (project) => (store.project(project) ? list(project) : noProject(project)),
    add: (project, { name, search, forAll = false, isDefault = false }, once = eachTime) => {
      if (!store.project(project)) return noProject(project)
      if (once.before !== null) return list(project)
      const view = { project: forAll ? null : project, name, search, isDefault }
      const added = once.make(
        () => store.addSavedView(view),
        (id) => (typeof id === 'number' ? String(id) : null),
      )
      if (added === 'name_taken') return taken(name)
      if (added === 'too_many')
        return new Problem(409, 'too_many', `there are ${MOST_SAVED_VIEWS} saved views already. Delete one first.`)
      return list(project)
    },
    change: (project, id, change) => {
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
    drop: (project, id) => {
      if (!store.project(project)) return noProject(project)
      return store.dropSavedView(project, id) ? list(project) : unknown(id)
    },
  }
}
