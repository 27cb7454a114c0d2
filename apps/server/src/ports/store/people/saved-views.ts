import type { SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'

export type NewSavedView = Omit<SavedView, 'id' | 'forAll'> & { project: ProjectId | null }
/** `before`: the view that it is put in front of; null: it comes last. */
export type SavedViewChange = Partial<Pick<SavedView, 'name' | 'search' | 'isDefault'>> & { before?: number | null }

/** Views of the board that people have named. Each call sees its project's own views and those for all projects. */
export interface SavedViewStore {
  /** The project's own in their order, then those for all projects. */
  savedViews(project: ProjectId): SavedView[]
  /** Refused when there are `MOST_SAVED_VIEWS`, or another has the name in any case. */
  addSavedView(view: NewSavedView): number | 'name_taken' | 'too_many'
  changeSavedView(project: ProjectId, id: number, change: SavedViewChange): 'changed' | 'name_taken' | 'unknown'
  /** False: there is none. */
  dropSavedView(project: ProjectId, id: number): boolean
}
