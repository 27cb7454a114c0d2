import type { EditedValue, RefusedField } from '../../bead/bead-edit.ts'
import type { Bead } from '../../records/bead.ts'
import type { Reason } from '../../dispatch/reason.ts'
import type { ReviewVerdict } from '../../review/review.ts'
import type { ActionView } from '../people/people-api.ts'
import type { PlanHead } from '../plans/plan-api.ts'
import type { ExecutionView } from '../executions/execution-api.ts'

/** A bead as the board shows it; the description and dependencies come with `BeadView`. */
export type BeadCard = {
  project: string
  id: string
  title: string
  status: Bead['status']
  trackerStatus: string
  priority: number
  type: string
  labels: string[]
  updatedAt: number
  createdAt: number
  hidden: boolean
  ready: boolean
  reason: Reason | null
  /** The newest execution of the bead, if any; while an architect plans the bead, the planning execution. */
  execution: string | null
  /** The verdict of the newest review, if it is about the bead's present work; else left out. */
  review?: { id: string; verdict: ReviewVerdict }
  /** The newest version of its plan; left out without one. */
  plan?: PlanHead
  /** For a follow-up: the branch on which its own execution continues. */
  baseBranch?: string
  /** In progress, but nobody works on it: its last execution failed. Else left out. */
  failed?: true
  /**
   * For a reminder: the bead in question, where a person answers. A reminder is no work of its own, so it is never
   * ready and has no button to run it. Left out for work.
   */
  reminderOf?: string
  /**
   * The bead that this one follows up. A follow-up is shown and counted inside of that bead, unless that one is done
   * and this one is not.
   */
  followUpOf?: string
  /** The epic that it is part of. */
  parent?: string
  /** The person who works on it, or is meant to, according to the tracker. */
  assignee?: string
  /**
   * People's changes that its tracker refused, with the reason, until somebody has read it or changes it again. Left
   * out if there are none.
   */
  refused?: { field: RefusedField; why: string }[]
}

export type BeadView = BeadCard & {
  description: string
  /** The tracker's acceptance criteria; left out if there are none. */
  acceptance?: string
  /**
   * People's changes that the tracker does not have yet. `problem`: why the change will not be written, until somebody
   * dismisses it; '' while it waits. Left out if there are none.
   */
  edits?: { field: RefusedField; value: EditedValue; problem: string }[]
  /** `failed`: as on a card. */
  /** `met`: the capability of another project (`external:PROJECT:CAPABILITY`) exists; it is no bead here. */
  dependencies: {
    id: string
    type: string
    status: Bead['status'] | 'missing'
    met?: true
    failed?: true
    title: string | null
  }[]
  dependents: { id: string; type: string; status: Bead['status']; failed?: true; title: string }[]
  executions: ExecutionView[]
  /**
   * People's actions on it and its executions, newest first; left out if nobody can sign in except with the access
   * token.
   */
  actions?: ActionView[]
}
