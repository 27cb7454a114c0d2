import type { SignedInBy } from '@beadloom/core/api/people-api.ts'
import type { ActionView } from '@beadloom/core/api/people-api.ts'
import type { ActionName } from '@beadloom/core/access/action-words.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/ids.ts'

/** What it is done to, as far as that is known. */
export type ActionPlace = { project?: string | undefined; bead?: string | undefined; execution?: string | undefined }

export type NewAction = ActionPlace & {
  by: string
  via: SignedInBy
  action: ActionName
  /** Names of what is changed, never a value. */
  about: string
}

/** What people do, each with a name. The newest 100,000 are kept, also of projects that are gone. */
export interface ActionStore {
  /** Before it is done, so that nothing is done without a name. Returns its number. */
  beginAction(action: NewAction): number
  /** It is done; an execution has it among its events, unless it was the access token. */
  endAction(id: number, place: ActionPlace): void
  /** It was refused, and nothing was done. */
  dropAction(id: number): void
  /** Newest first. `before`: only those with a lower number. */
  actions(filter: { project?: ProjectId; before?: number; limit: number }): ActionView[]
  /** Newest first. */
  actionsOnBead(project: ProjectId, bead: BeadId, limit: number): ActionView[]
  /** Newest first. */
  actionsOnExecution(execution: ExecutionId, limit: number): ActionView[]
}
