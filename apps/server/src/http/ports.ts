import type { ChangeInbox, InboxView } from '@beadloom/core/api/projects/inbox-api.ts'
import type { SaveWebhook, WebhooksView, WebhookTest } from '@beadloom/core/api/settings/webhook-api.ts'
import type { SecretView } from '@beadloom/core/api/settings/secrets-api.ts'
import type { AddProject, ChangeProject, PushImage } from '@beadloom/core/api/projects/project-requests.ts'
import type { AllowTests, QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ApprovePlan } from '@beadloom/core/api/plans/plan-requests.ts'
import type { AskPullRequest } from '@beadloom/core/api/pull-requests/pull-request-requests.ts'
import type { AskReview, DismissIssue } from '@beadloom/core/api/reviews/review-requests.ts'
import type { ChangeBead, NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import type { GrantBudget } from '@beadloom/core/api/budgets/budget-requests.ts'
import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { BranchView, DiffView, PatchView, WhyView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import type { DependenciesView } from '@beadloom/core/api/beads/dependencies-api.ts'
import type { EgressView } from '@beadloom/core/api/executions/egress-api.ts'
import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { EnvironmentView, PushView } from '@beadloom/core/api/projects/environment-api.ts'
import type { LogCall, LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import type { ChangeSavedView, NewSavedView, SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { BeadFilterWord } from '@beadloom/core/records/bead.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'
import type {
  ChangeProjectSettings,
  ChangeServerSettings,
  ProjectSettingsView,
  ServerSettingsView,
} from '@beadloom/core/api/settings/settings-api.ts'
import type { SyncView } from '@beadloom/core/api/projects/sync-api.ts'
import type { AgentView, NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import type { BudgetsView, GrantsView } from '@beadloom/core/api/budgets/budget-api.ts'
import type { KeptContainer, SavedContainer } from '@beadloom/core/api/executions/container-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import type { BeadId, ExecutionId, ProjectId, PullRequestId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Once } from '../ports/once.ts'
import type { Answer, Problem } from '../ports/problem.ts'

/*
 * The rest of the server, as the HTTP API needs it. `app/` implements these over the store, the scheduler and
 * the hub. A person's mistake is a `Problem`; everything else that is thrown is a bug (500), except `InvalidInput` (400).
 */

/** Containers that may hold work that is saved nowhere else. */
export interface ContainerApi {
  list(): { items: KeptContainer[] }
  save(name: string): Promise<SavedContainer | Problem>
  /** Removes it with everything in it: only because a person said so. */
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

/** Reads. An unknown id is a `Problem` with status 404; a `cursor` that is not ours, one with status 400. */
export interface Queries {
  /** Names this set of data, as in the store. */
  readonly epoch: string
  /**
   * Highest `seq` of the `changes` table. The answer to a change carries it, so that a client knows when it has seen
   * the change.
   */
  seq(): number
  status(): Answer<ServerStatus>
  /** The server's internals: containers, readers, checks. Asks the engine, which may take seconds. */
  system(): Answer<SystemView>
  /** Every agent that a project can name. Asks the engine, which may take seconds. */
  agents(): Answer<Page<AgentView>>
  /** Whether requests can be served now, and why not. */
  ready(): { ok: boolean; reasons: string[] }
  /** Prometheus text, possibly empty. */
  metrics(): Answer<string>
  listProjects(): Answer<Page<ProjectView>>
  project(id: ProjectId): Answer<ProjectView>
  /** The project's needs according to its files. Reads the commit, which may take seconds in a large repository. */
  environment(project: ProjectId): Answer<EnvironmentView>
  /** The hosts outside that its sandboxes asked for. */
  egressOfProject(project: ProjectId): Answer<EgressView>
  /** The same of one execution. */
  egressOf(execution: ExecutionId): Answer<EgressView>
  /** Its executions of the last days, newest first. */
  activity(project: ProjectId, days: number): Answer<ActivityView>
  /** The same added up, and the probable cost of the queue. */
  budget(project: ProjectId, days: number): Answer<BudgetView>
  /** The same row by row, as CSV. */
  budgetCsv(project: ProjectId, days: number): Answer<AsyncIterable<string>>
  /** The state of its tracker and its remote. */
  syncStatus(project: ProjectId): Answer<SyncView>
  listBeads(project: ProjectId, filter: BeadFilter): Answer<Page<BeadCard>>
  /** Which beads wait for which. */
  dependencies(project: ProjectId): Answer<DependenciesView>
  bead(project: ProjectId, bead: BeadId): Answer<BeadView>
  /** Newest first. */
  executions(filter: ExecutionsFilter): Answer<Page<ExecutionView>>
  execution(id: ExecutionId): Answer<ExecutionView>
  /** The evidence about its work, as SVG. */
  evidenceImage(id: ExecutionId): Answer<string>
  /**
   * Events with `seq` > `after`, oldest first, at most `limit`. `ended`: the execution is terminal, its pipeline is
   * done, and every event is stored.
   */
  events(execution: ExecutionId, after: number, limit: number): Answer<{ items: EventView[]; ended: boolean }>
  /** Calls the listener after events of an execution were stored. Returns a function that stops it. */
  onEvent(listener: (execution: ExecutionId) => void): () => void
  /** The changes of the execution since its branch started. */
  diff(execution: ExecutionId, wish?: DiffWish): Answer<DiffView>
  /** One file's patch; a path that is not among the changed files is a 404. */
  patch(execution: ExecutionId, path: string, wish?: DiffWish): Answer<PatchView>
  /** The step that wrote this text into this file. */
  why(execution: ExecutionId, path: string, text: string): Answer<WhyView>
  /** Its commits, and what they conflict with. */
  branch(execution: ExecutionId): Answer<BranchView>
  /** Sections of a session's log for its outline; may be empty. The session may be unknown. */
  sections(session: SessionId): Promise<LogMeta['sections']>
  /** The tool calls in some lines of a session's log; may be empty. */
  toolCalls(session: SessionId, lines: { from: number; to?: number | undefined }): Promise<LogCall[]>
}

/** `from` and `to`: commits instead of the execution's own range. `context`: unchanged lines around a change. */
export type DiffWish = {
  from?: string | undefined
  to?: string | undefined
  whitespace?: 'ignore' | undefined
  context?: number | undefined
}

/** `bead` null: reviews of the work branch. */
export type ReviewsFilter = { bead?: BeadId | null; limit: number; cursor?: string }

/** Reviews; each has the id of its execution. */
export interface ReviewApi {
  /** `fresh` false: the review already existed. */
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
  /** The newest version, or the requested one; 404 if there is none. */
  get(project: ProjectId, bead: BeadId, version?: number): Answer<PlanView>
  /** `plan` is anything: 422 names every problem with it. 409 if `onto` is not the newest version. */
  put(project: ProjectId, bead: BeadId, plan: unknown, onto?: number): Answer<PlanView>
  /** 409 if `version` is not the newest. */
  approve(project: ProjectId, bead: BeadId, input: ApprovePlan): Answer<PlanView>
  /** Makes it wait after the current phase. 409 if it does not work by a plan, has ended, or waits already. */
  pause(execution: ExecutionId, once?: Once): Answer<ExecutionView>
  /** Continues one that waits between two phases, or takes back a wish to wait. 409 if there is neither. */
  proceed(execution: ExecutionId, once?: Once): Answer<ExecutionView>
  /** The phases of an execution; none if it does not work by a plan. */
  phases(execution: ExecutionId): Answer<{ items: PhaseView[] }>
}

/** Limits of tokens and money. */
export interface BudgetApi {
  /** The executions that wait for a person at a limit, and the use of the server's own limits. */
  list(): Answer<BudgetsView>
  /** The limits on an execution, and the grants to it. */
  of(execution: ExecutionId): Answer<GrantsView>
  /** Raises the limits that it has reached, or else those of its own that are near. 409 if there are neither. */
  grant(execution: ExecutionId, input: GrantBudget, once?: Once): Answer<ExecutionView>
}

/** The variables that a project's setup finds in its environment; no answer contains a value. */
export interface SecretApi {
  list(project: ProjectId): Answer<{ items: SecretView[] }>
  /** 422 for a value that could not be kept out of logs, 409 if the file cannot be used. */
  set(project: ProjectId, name: string, value: string): Answer<{ items: SecretView[] }>
  /** 404 if there is none. */
  remove(project: ProjectId, name: string): Answer<{ items: SecretView[] }>
}

/** Whether the base of a project's beads is fit to work on. */
export interface BaseApi {
  /** Proves it now, even if it is proved already; answers at once. 409 while nothing is known about the project. */
  prove(project: ProjectId): Answer<ProjectView>
  /** Stops the running proof; nothing of the project starts until the base is proved again. 409 if none runs. */
  stop(project: ProjectId): Answer<ProjectView>
  /** Creates a bead to fix the base, once; 409 if there is nothing that an agent could fix. */
  mend(project: ProjectId, once?: Once): Answer<BeadView>
  /** Pushes the base's image, made first if it is missing; answers at once. 409 without a registry. */
  push(project: ProjectId, asked: PushImage): Answer<PushView>
  /** The newest push; 404 if there was none. */
  pushed(project: ProjectId): Answer<PushView>
  /** Stops the running push; 409 if none runs. */
  stopPush(project: ProjectId): Answer<PushView>
  /** The end of the output of `setup` or the checks, from the newest proof that printed any; 404 if none has. */
  log(project: ProjectId, of: 'setup' | 'checks'): Answer<string>
}

/** Projects that are being added. 404: the project is not being added; 409: it has been added by now. */
export interface AddingApi {
  list(): Answer<Page<AddingView>>
  cancel(project: ProjectId): Answer<void>
}

/** Settings of projects and of the server. 409: they have changed in the meantime; 422: the value is not possible. */
export interface SettingsApi {
  ofProject(project: ProjectId): Answer<ProjectSettingsView>
  changeProject(project: ProjectId, change: ChangeProjectSettings): Answer<ProjectSettingsView>
  /** The agents that the project's built-in agent can ask, by its base branch. */
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
  /** Cancels its review too; 409 if it has ended. */
  cancel(id: PullRequestId, once?: Once): Answer<PullRequestView>
}

/**
 * Changes. Conflicts (already running, cannot cancel, project exists) are a `Problem` with status 409. `once`: the
 * request may be sent again and must act once; without it each call acts.
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
  /** Starts now the retry that it waits for. Refused with 409 if it waits for none. */
  retryNow(execution: ExecutionId, once?: Once): Answer<ExecutionView>
  /**
   * Allows the weaker tests for which its newest check refused it. If it has ended, queues an execution that checks the
   * same work again, and answers with that. 409 if nothing was refused.
   */
  allowTests(execution: ExecutionId, input: AllowTests, once?: Once): Answer<ExecutionView>
  /** Gives back the slot of an execution that cannot be stopped. */
  abandon(execution: ExecutionId): Answer<ExecutionView>
  /** Reads the tracker and the base branch again; answers afterwards. */
  sync(project: ProjectId): Answer<ProjectView>
  pause(project: ProjectId): Answer<ProjectView>
  resume(project: ProjectId): Answer<ProjectView>
}

/** Views of the board that people have named; each call answers with all views of the project. */
export interface SavedViewApi {
  list(project: ProjectId): Answer<{ items: SavedView[] }>
  add(project: ProjectId, view: NewSavedView, once?: Once): Answer<{ items: SavedView[] }>
  change(project: ProjectId, id: number, change: ChangeSavedView): Answer<{ items: SavedView[] }>
  drop(project: ProjectId, id: number): Answer<{ items: SavedView[] }>
}

/** The notices that people have dismissed, for all of their browsers. */
export interface InboxApi {
  of(project: ProjectId): Answer<InboxView>
  change(project: ProjectId, change: ChangeInbox): Answer<InboxView>
}

/** The addresses that are told what happens. No answer contains an address or a secret. */
export interface WebhookApi {
  list(): Promise<WebhooksView>
  /** Adds the webhook, or changes the named fields; it is used at once. */
  save(name: string, wish: SaveWebhook): Promise<WebhooksView | Problem>
  remove(name: string): Promise<WebhooksView | Problem>
  /** Sends one notice to each of them, or to the named one, now. */
  test(name?: string): Promise<{ items: WebhookTest[] } | Problem>
}
