import type { InstanceId } from '@beadloom/core/records/ids.ts'
import type { ActionStore } from './store/people/actions.ts'
import type { AuditStore } from './store/people/audit.ts'
import type { BeadEditStore } from './store/bead-edits.ts'
import type { BeadStore, FollowUpStore } from './store/beads.ts'
import type { BudgetStore } from './store/budgets.ts'
import type { CourseStore } from './store/courses.ts'
import type { MessageStore } from './store/messages.ts'
import type { PauseStore } from './store/pauses.ts'
import type { ChangeFeed } from './store/changes.ts'
import type { ContainerStore } from './store/containers.ts'
import type { CooldownStore } from './store/cooldowns.ts'
import type { DismissalStore } from './store/people/dismissals.ts'
import type { EgressStore } from './store/egress.ts'
import type { EventStore } from './store/events.ts'
import type { ExecutionStore, PipelineStore, TokenStore } from './store/executions.ts'
import type { FigureCounts } from './store/figures.ts'
import type { ImageStore } from './store/images.ts'
import type { PhaseStore } from './store/phases.ts'
import type { PlanStore } from './store/plans.ts'
import type { ProjectChoices } from './store/project-choices.ts'
import type { ProjectStore } from './store/projects.ts'
import type { ProofStore } from './store/proofs.ts'
import type { PullRequestStore } from './store/pull-requests.ts'
import type { RememberedStore } from './store/remembered.ts'
import type { RequestKeys } from './store/request-keys.ts'
import type { ReviewStore } from './store/reviews.ts'
import type { SavedViewStore } from './store/people/saved-views.ts'
import type { SessionStore } from './store/sessions.ts'
import type { SignInStore } from './store/people/sign-ins.ts'
import type { TrackerClaims } from './store/tracker-claims.ts'
import type { TrackerQueue } from './store/tracker-queue.ts'
import type { VerificationStore } from './store/verifications.ts'
import type { WebhookStore } from './store/webhooks.ts'

type Projects = ProjectStore & ProjectChoices & ProofStore & DismissalStore
type Beads = BeadStore & BeadEditStore & FollowUpStore & TrackerQueue & TrackerClaims
type Executions = ExecutionStore &
  PipelineStore &
  SessionStore &
  VerificationStore &
  EventStore &
  TokenStore &
  BudgetStore &
  MessageStore &
  PauseStore &
  CourseStore &
  EgressStore
type Reviews = ReviewStore & PullRequestStore & PlanStore & PhaseStore
type Server = ContainerStore &
  CooldownStore &
  RememberedStore &
  ImageStore &
  FigureCounts &
  ChangeFeed &
  RequestKeys &
  ActionStore &
  AuditStore &
  SignInStore &
  SavedViewStore &
  WebhookStore

/**
 * The only writer of state. Every method that changes something writes its rows, its event and its row in `changes` in
 * one immediate transaction, then tells the listeners. It throws `StoreError` if the database cannot be written now
 * (`isPassing`); callers that can wait use a `PatientStore`. Reads are synchronous and bounded. A caller that needs one
 * part asks for that part's interface.
 */
export type Store = Projects & Beads & Executions & Reviews & Server & StoreItself

/** Why the database cannot be written, and since when (milliseconds UTC). */
export type StoreTrouble = { kind: 'busy' | 'no-space' | 'disk' | 'gone'; since: number; text: string }

/** When (milliseconds UTC), and a sentence without a full stop. */
export type StoreNote = { at: number; text: string }

/** `value` is quoted and short; the thing that the row belongs to is shown as over or as blocked. */
export type OddRow = { table: string; id: string; column: string; value: string }

export interface StoreItself {
  readonly instance: InstanceId
  /** Names this set of data: a client that holds rows of another epoch starts again. */
  readonly epoch: string
  /** Rows with a state or a kind that this version does not know; at most 20. */
  oddRows(): OddRow[]
  /** The trouble that keeps the database from being written now; null: none is known. */
  trouble(): StoreTrouble | null
  /** The last trouble with its files that the store has mended; null: none in the last day. */
  mended(): StoreNote | null
  /** Resolves once the database can be written; false: it still cannot after `ms`. */
  writable(ms: number): Promise<boolean>
  /**
   * Announces a change of more than one write. Returns its end: until then the store does not tidy up, which would
   * refuse the writes, unless the change takes long.
   */
  beginChange(): () => void
  /** Resolves once every commit so far survives a power cut. */
  onDisk(): Promise<void>
  close(): void
}
