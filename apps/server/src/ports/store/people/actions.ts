import type { SignedInBy } from '@beadloom/core/access/roles.ts'
import type { ActionView } from '@beadloom/core/api/people/people-api.ts'
import type { ActionName } from '@beadloom/core/access/action-words.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'

/** The target of an action, as far as it is known. */
export type ActionPlace = { project?: string | undefined; bead?: string | undefined; execution?: string | undefined }

export type NewAction = ActionPlace & {
  by: string
  via: SignedInBy
  action: ActionName
  /** Names of the changed things, never a value. */
  about: string
}

/** People's actions, each with a name. The newest 100,000 are kept, including those of removed projects. */
export interface ActionStore {
  /** Called before the action, so that nothing is done without a name. Returns its number. */
  beginAction(action: NewAction): number
  /** The action is done; its execution gets an event, unless the access token was used. */
  endAction(id: number, place: ActionPlace): void
  /** It was refused, and nothing was done. */
  dropAction(id: number): void
  /** Newest first. `before`: only those with a lower number. */
  actions(filter: { project?: ProjectId; before?: number; limit: number }): ActionView[]
  /** Newest first. */
  actionsOnBead(project: ProjectId, bead: BeadId, limit: number): ActionView[]
  /** Newest first. */
  actionsOnExecution(execution: ExecutionId, limit: number): ActionView[]
  /** The person's action that started it; undefined: autopilot did, or another execution. */
  startOfExecution(execution: ExecutionId): ActionView | undefined
}
