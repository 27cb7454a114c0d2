import type { Execution, ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { LeftSandbox } from '../sandbox/reattach.ts'
import type { ProjectEnvironments } from '../sandbox/project-environment.ts'
import type { Workspace, WorkspaceOptions } from '../sandbox/workspace.ts'
import type { EndingDeps } from './ending/deps.ts'

/** `adopt` continues a session that began before this server did; it is taken although the execution is being stopped. */
export type Step = { do: 'adopt' } | { do: string }

/**
 * One try at an execution, step by step. What comes next is asked of the store each time, so that a failed try and a
 * restart of the server continue where the last one stopped.
 */
export interface Workflow<S extends Step = Step> {
  /** What comes next, from what is stored alone. */
  next(): S
  /** Does it and stores what came of it. An end when nothing comes after it. */
  take(step: S): Promise<ExecutionEnd | null>
}

/** What is different between kinds of executions. `kinds.ts` has them all, and is the only place that asks for the kind. */
export type WorkflowKind = {
  /** What such an execution runs with. */
  settings(project: ProjectSettings, execution: Execution): ProjectSettings
  workspace(settings: ProjectSettings): WorkspaceOptions
  /** A new one for each try: what was prepared for the one before may be out of date. The workspace stays. */
  begin(
    live: LiveExecution,
    workspace: Workspace,
    environments: ProjectEnvironments,
    /** Sandboxes of agents that worked beside the workspace's when an earlier server went away. */
    others?: ReadonlyMap<SessionId, LeftSandbox>,
  ): Workflow
  /** The end in words that suit it. */
  worded(execution: Execution, end: ExecutionEnd): ExecutionEnd
  /** What follows for its bead once it has ended. Safe to repeat. */
  afterEnd(deps: EndingDeps, execution: Execution): Promise<void>
}
