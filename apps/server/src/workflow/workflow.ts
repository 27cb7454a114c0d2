import type { Execution, ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { LeftSandbox } from '../sandbox/reattach.ts'
import type { ProjectEnvironments } from '../sandbox/project-environment.ts'
import type { Workspace, WorkspaceOptions } from '../sandbox/workspace.ts'
import type { EndingDeps } from './ending/deps.ts'

/** `adopt` continues a session that an earlier server began; it is taken even if the execution is being stopped. */
export type Step = { do: 'adopt' } | { do: string }

/**
 * One try at an execution, step by step. The next step is asked of the store each time, so that a failed try and a
 * restart of the server continue where the last one stopped.
 */
export interface Workflow<S extends Step = Step> {
  /** The next step, from stored facts alone. */
  next(): S
  /** Does it and stores the result. An end when nothing comes after it. */
  take(step: S): Promise<ExecutionEnd | null>
  /** Leaves everything but its workspace that it has kept between two steps. Called once, however the try ends. */
  leave?(): Promise<void>
}

/** The differences between kinds of executions. `kinds.ts` has them all; nothing else asks for the kind. */
export type WorkflowKind = {
  /** The settings of such an execution. */
  settings(project: ProjectSettings, execution: Execution): ProjectSettings
  workspace(settings: ProjectSettings): WorkspaceOptions
  /** A new workflow for each try: the preparations of the one before may be out of date. The workspace stays. */
  begin(
    live: LiveExecution,
    workspace: Workspace,
    environments: ProjectEnvironments,
    /** Sandboxes of agents that worked beside the workspace's when an earlier server went away. */
    others?: ReadonlyMap<SessionId, LeftSandbox>,
  ): Workflow
  /** The end in words that suit it. */
  worded(execution: Execution, end: ExecutionEnd): ExecutionEnd
  /** The bead's steps after the execution's end. Safe to repeat. */
  afterEnd(deps: EndingDeps, execution: Execution): Promise<void>
}
