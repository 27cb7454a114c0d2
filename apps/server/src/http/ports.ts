import type { ChangeInbox, InboxView } from '@beadloom/core/api/inbox-api.ts'
import type { SaveWebhook, WebhooksView, WebhookTest } from '@beadloom/core/api/webhook-api.ts'
import type { SecretView } from '@beadloom/core/api/secrets-api.ts'
import type {
  AddProject,
  AllowTests,
  ApprovePlan,
  AskPullRequest,
  AskReview,
  ChangeBead,
  ChangeProject,
  DismissIssue,
  GrantBudget,
  NewBead,
  PushImage,
  QueueExecution,
} from '@beadloom/core/api/requests.ts'
import type { BeadCard, BeadView, EventView, ExecutionView, Page, ProjectView } from '@beadloom/core/api/api.ts'
import type { BudgetView } from '@beadloom/core/api/project-budget-api.ts'
import type { BranchView, DiffView, PatchView, WhyView } from '@beadloom/core/api/diff-api.ts'
import type { ActivityView } from '@beadloom/core/api/activity-api.ts'
import type { DependenciesView } from '@beadloom/core/api/dependencies-api.ts'
import type { EgressView } from '@beadloom/core/api/egress-api.ts'
import type { AddingView } from '@beadloom/core/api/adding-api.ts'
import type { EnvironmentView, PushView } from '@beadloom/core/api/environment-api.ts'
import type { LogCall, LogMeta } from '@beadloom/core/api/log-api.ts'
import type { PhaseView } from '@beadloom/core/api/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plan-api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-request-api.ts'
import type { ReviewView } from '@beadloom/core/api/review-api.ts'
import type { ChangeSavedView, NewSavedView, SavedView } from '@beadloom/core/api/saved-views-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server-api.ts'
import type { BeadFilterWord } from '@beadloom/core/bead/bead.ts'
import type { ExecutionState } from '@beadloom/core/execution/execution.ts'
import type {
  ChangeProjectSettings,
  ChangeServerSettings,
  ProjectSettingsView,
  ServerSettingsView,
} from '@beadloom/core/api/settings-api.ts'
import type { SyncView } from '@beadloom/core/api/sync-api.ts'
import type { Store } from '../ports/store.ts'
import type { AgentView, NamedAgentsView } from '@beadloom/core/api/agents-api.ts'
import type { BudgetsView, GrantsView } from '@beadloom/core/api/budget-api.ts'
import type { KeptContainer, SavedContainer } from '@beadloom/core/api/container-api.ts'
import type { SystemView } from '@beadloom/core/api/system-api.ts'
import type { BeadId, ExecutionId, ProjectId, PullRequestId, SessionId } from '@beadloom/core/ids.ts'
import type { Once } from '../ports/once.ts'

/*
 * What the HTTP API needs from the rest of the server. `service/` implements these over the store, the scheduler and the
 * hub. A person's mistake is a `Problem`; what is thrown is a bug (500), except `InvalidInput` (400).
 */

/** ms a change waits for a locked database: most locks are gone by then, and nobody has given up on the button yet. */
export const DATABASE_WAIT_MS = 2_000

/** What a change waits for: a database that can be written before it, and the disk before its answer. */
export type DatabaseGate = Pick<Store, 'writable' | 'beginChange' | 'onDisk' | 'trouble'>

/** A refusal that a person can act on: `message` says what is wrong and what to do, and shows nothing of the host. */
export class Problem {
  readonly status: ProblemStatus
  /** A stable word for programs: `not_found`, `already_running`, … */
  readonly code: string
  readonly message: string
  readonly details: unknown

  constructor(status: ProblemStatus, code: string, message: string, details?: unknown) {
    this.status = status
    this.code = code
    this.message = message
    this.details = details
  }
}

export type ProblemStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 413
  | 415
  | 416
  | 421
  | 422
  | 429
  | 500
  | 502
  | 503
  | 507

export type Answer<T> = T | Problem | Promise<T | Problem>

/** Containers that may hold work that is saved nowhere else. */
export interface ContainerApi {
  list(): { items: KeptContainer[] }
  save(name: string): Promise<SavedContainer | Problem>
  /** With everything in it: only because a person said so. */
  discard(name: string): Promise<void | Problem>
}

export type BeadFilter = { status?: BeadFilterWord; ready?: boolean; limit: number; cursor?: string }
export type ExecutionsFilter = {
  project?: ProjectId
  bead?: BeadId
  state?: ExecutionState
  limit: number
  cursor?: string
}

/** Reads. An unknown id is a `Problem` with status 404; a `cursor` that is not ours is one with 400. */
export interface Queries {
  /** Names this set of data, as in the store. */
  readonly epoch: string
  /** Highest `seq` of the `changes` table. The answer to a change carries it, so that a client knows when it has seen it. */
  seq(): number
  status(): Answer<ServerStatus>
  /** The server's internals: containers, readers, checks. Asks the engine, which may take seconds. */
  system(): Answer<SystemView>
  /** Every agent that a project can name. Asks the engine, which may take seconds. */
  agents(): Answer<Page<AgentView>>
  /** Whether requests are of use now, and why not. */
  ready(): { ok: boolean; reasons: string[] }
  /** Prometheus text, possibly empty. */
  metrics(): Answer<string>
  listProjects(): Answer<Page<ProjectView>>
  project(id: ProjectId): Answer<ProjectView>
  /** What its files say about what it needs. Reads the commit, which may take seconds in a large repository. */
  environment(project: ProjectId): Answer<EnvironmentView>
  /** What its sandboxes asked for outside. */
  egressOfProject(project: ProjectId): Answer<EgressView>
  /** The same of one execution. */
  egressOf(execution: ExecutionId): Answer<EgressView>
  /** What ran in its last days, newest first. */
  activity(project: ProjectId, days: number): Answer<ActivityView>
  /** The same added up, and what the queue will probably cost. */
  budget(project: ProjectId, days: number): Answer<BudgetView>
  /** The same row by row, as CSV. */
  budgetCsv(project: ProjectId, days: number): Answer<AsyncIterable<string>>
  /** The state of its tracker and its remote. */
  syncStatus(project: ProjectId): Answer<SyncView>
  listBeads(project: ProjectId, filter: BeadFilter): Answer<Page<BeadCard>>
  /** Who waits for whom. */
  dependencies(project: ProjectId): Answer<DependenciesView>
  bead(project: ProjectId, bead: BeadId): Answer<BeadView>
  /** Newest first. */
  executions(filter: ExecutionsFilter): Answer<Page<ExecutionView>>
  execution(id: ExecutionId): Answer<ExecutionView>
  /** What was shown about its work, as SVG. */
  evidenceImage(id: ExecutionId): Answer<string>
  /**
   * Events with `seq` > `after`, oldest first, at most `limit`. `ended`: the execution is terminal, its pipeline is
   * done, and no event can follow that is not yet stored.
   */
  events(execution: ExecutionId, after: number, limit: number): Answer<{ items: EventView[]; ended: boolean }>
  /** Calls the listener after events of an execution were stored. Returns a function that stops it. */
  onEvent(listener: (execution: ExecutionId) => void): () => void
  /** What the execution changed since its branch started. */
  diff(execution: ExecutionId, wish?: DiffWish): Answer<DiffView>
  /** One file's patch; a path that is not among the changed files is a 404. */
  patch(execution: ExecutionId, path: string, wish?: DiffWish): Answer<PatchView>
  /** Which step wrote this text into this file. */
  why(execution: ExecutionId, path: string, text: string): Answer<WhyView>
  /** Its commits, and what they conflict with. */
  branch(execution: ExecutionId): Answer<BranchView>
  /** Sections of a session's log for its outline; none is fine. The session may be unknown. */
  sections(session: SessionId): Promise<LogMeta['sections']>
  /** What tools were called with in some lines of a session's log; none is fine. */
  toolCalls(session: SessionId, lines: { from: number; to?: number | undefined }): Promise<LogCall[]>
}

/** `from` and `to`: commits instead of the execution's own range. `context`: unchanged lines around a change. */
export type DiffWish = {
  from?: string | undefined
  to?: string | undefined
  whitespace?: 'ignore' | undefined
  context?: number | undefined
}

/** `bead` null: of the work branch. */
export type ReviewsFilter = { bead?: BeadId | null; limit: number; cursor?: string }

/** Reviews; each has the id of its execution. */
export interface ReviewApi {
  /** `fresh` false: this review already existed. */
  ask(project: ProjectId, input: AskReview, once?: Once): Answer<{ view: ReviewView; fresh: boolean }>
  /** Newest first. A `cursor` that is not ours is a `Problem` with status 400. */
  list(project: ProjectId, filter: ReviewsFilter): Answer<Page<ReviewView>>
  get(id: ExecutionId): Answer<ReviewView>
  dismiss(id: ExecutionId, issue: number, input: DismissIssue): Answer<ReviewView>
  /** Undoes a dismissal; 409 if there is none. */
  reopen(id: ExecutionId, issue: number, once?: Once): Answer<ReviewView>
}

/** Plans of beads. */
export interface PlanApi {
  /** The newest version, or the one that is asked for; 404 where there is none. */
  get(project: ProjectId, bead: BeadId, version?: number): Answer<PlanView>
  /** `plan` is anything: 422 names all that is wrong with it. 409 where `onto` is not the newest version. */
  put(project: ProjectId, bead: BeadId, plan: unknown, onto?: number): Answer<PlanView>
  /** 409 where `version` is not the newest. */
  approve(project: ProjectId, bead: BeadId, input: ApprovePlan): Answer<PlanView>
  /** It waits after the phase in work. 409 where it does not work by a plan, has ended, or waits already. */
  pause(execution: ExecutionId, once?: Once): Answer<ExecutionView>
  /** One that waits between two phases continues; a wish to wait is taken back. 409 where there is neither. */
  proceed(execution: ExecutionId, once?: Once): Answer<ExecutionView>
  /** The phases of an execution; none where it does not work by a plan. */
  phases(execution: ExecutionId): Answer<{ items: PhaseView[] }>
}

/** Limits of tokens and money. */
export interface BudgetApi {
  /** Who waits for a person at a limit, and what is used of the server's own. */
  list(): Answer<BudgetsView>
  /** What covers an execution, and what was granted to it. */
  of(execution: ExecutionId): Answer<GrantsView>
  /** Raises what it has reached; where it has reached nothing, what of its own is near. 409 where there is neither. */
  grant(execution: ExecutionId, input: GrantBudget, once?: Once): Answer<ExecutionView>
}

/** What a project's setup finds in its environment; no answer has a value in it. */
export interface SecretApi {
  list(project: ProjectId): Answer<{ items: SecretView[] }>
  /** 422 for a value that could not be kept out of logs, 409 where the file cannot be used. */
  set(project: ProjectId, name: string, value: string): Answer<{ items: SecretView[] }>
  /** 404 where there is none. */
  remove(project: ProjectId, name: string): Answer<{ items: SecretView[] }>
}

/** Whether what a project's beads start from is fit to work on. */
export interface BaseApi {
  /** Proves it now, whatever is known; answers at once. 409 while nothing is known of the project. */
  prove(project: ProjectId): Answer<ProjectView>
  /** Stops the proof that runs; nothing of the project starts until it is proved again. 409 where none runs. */
  stop(project: ProjectId): Answer<ProjectView>
  /** Files a bead that makes it green, once; 409 where there is nothing that an agent could mend. */
  mend(project: ProjectId, once?: Once): Answer<BeadView>
  /** Pushes the image of what beads start from, made first if it is not there; answers at once. 409 without a registry. */
  push(project: ProjectId, asked: PushImage): Answer<PushView>
  /** The newest push; 404 where there was none. */
  pushed(project: ProjectId): Answer<PushView>
  /** Stops the push that runs; 409 where none does. */
  stopPush(project: ProjectId): Answer<PushView>
  /** The end of what `setup` or the checks printed in the newest proof that printed anything; 404 where none has. */
  log(project: ProjectId, of: 'setup' | 'checks'): Answer<string>
}

/** Projects that are being added. 404: that one is not; 409: it is a project by now. */
export interface AddingApi {
  list(): Answer<Page<AddingView>>
  cancel(project: ProjectId): Answer<void>
}

/** Settings of projects and of the server. 409: they were changed in the meantime; 422: the value is not possible. */
export interface SettingsApi {
  ofProject(project: ProjectId): Answer<ProjectSettingsView>
  changeProject(project: ProjectId, change: ChangeProjectSettings): Answer<ProjectSettingsView>
  /** Whom the project's built-in agent can ask, by its base branch. */
  agentsOf(project: ProjectId): Answer<NamedAgentsView>
  ofServer(): Answer<ServerSettingsView>
  changeServer(change: ChangeServerSettings): Answer<ServerSettingsView>
}

/** Pull requests of the work branch; a review of it comes first. */
export interface PullRequestApi {
  /** `fresh` false: this one was already in progress. */
  ask(project: ProjectId, input: AskPullRequest, once?: Once): Answer<{ view: PullRequestView; fresh: boolean }>
  /** Newest first. A `cursor` that is not ours is a `Problem` with status 400. */
  list(project: ProjectId, filter: { limit: number; cursor?: string }): Answer<Page<PullRequestView>>
  get(id: PullRequestId): Answer<PullRequestView>
  /** Its review is cancelled with it; refused with 409 when it has ended. */
  cancel(id: PullRequestId, once?: Once): Answer<PullRequestView>
}

/**
 * Changes. Conflicts (already running, cannot cancel, project exists) are a `Problem` with status 409. `once`: the request
 * may be sent again and has to act once; without it each call acts.
 */
export interface Commands {
  addProject(input: AddProject, once?: Once): Answer<ProjectView>
  changeProject(id: ProjectId, change: ChangeProject): Answer<ProjectView>
  /** Refused with 409 while executions of the project are queued or running. */
  removeProject(id: ProjectId): Answer<void>
  addBead(project: ProjectId, bead: NewBead, once?: Once): Answer<BeadView>
  changeBead(project: ProjectId, bead: BeadId, change: ChangeBead): Answer<BeadView>
  queue(project: ProjectId, bead: BeadId, input: QueueExecution, once?: Once): Answer<ExecutionView>
  cancel(execution: ExecutionId, once?: Once): Answer<ExecutionView>
  /** Starts the retry that it waits for now. Refused with 409 if it waits for none. */
  retryNow(execution: ExecutionId, once?: Once): Answer<ExecutionView>
  /**
   * Allows the weaker tests for which its newest check refused it. If it has ended, an execution that checks the same
   * work again is queued, and answered. 409 if nothing was refused.
   */
  allowTests(execution: ExecutionId, input: AllowTests, once?: Once): Answer<ExecutionView>
  /** Gives back the slot of one that cannot be stopped. */
  abandon(execution: ExecutionId): Answer<ExecutionView>
  /** Reads the tracker and the base branch again; answers when that is done. */
  sync(project: ProjectId): Answer<ProjectView>
  pause(project: ProjectId): Answer<ProjectView>
  resume(project: ProjectId): Answer<ProjectView>
}

/** Views of the board that people have named; each call answers with all that the project has then. */
export interface SavedViewApi {
  list(project: ProjectId): Answer<{ items: SavedView[] }>
  add(project: ProjectId, view: NewSavedView, once?: Once): Answer<{ items: SavedView[] }>
  change(project: ProjectId, id: number, change: ChangeSavedView): Answer<{ items: SavedView[] }>
  drop(project: ProjectId, id: number): Answer<{ items: SavedView[] }>
}

/** What people have dismissed, for every browser of theirs. */
export interface InboxApi {
  of(project: ProjectId): Answer<InboxView>
  change(project: ProjectId, change: ChangeInbox): Answer<InboxView>
}

/** The addresses that are told what happens; none of them, and no secret, is ever answered. */
export interface WebhookApi {
  list(): Promise<WebhooksView>
  /** Adds it, or changes what is named of it; it is told at once. */
  save(name: string, wish: SaveWebhook): Promise<WebhooksView | Problem>
  remove(name: string): Promise<WebhooksView | Problem>
  /** One notice to each of them, or to that one, now. */
  test(name?: string): Promise<{ items: WebhookTest[] } | Problem>
}
