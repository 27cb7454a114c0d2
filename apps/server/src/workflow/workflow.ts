import type { Execution, ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { LeftSandbox } from '../sandbox/reattach.ts'
import type { ProjectEnvironments } from '../sandbox/project-environment.ts'
import type { Workspace, WorkspaceOptions } from '../sandbox/workspace.ts'
import type { EndingDeps } from './ending/deps.ts'
import type { AskingSandboxes } from './phases/asking-sandboxes.ts'

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
}

/** The sandboxes of an execution's agents. All but `others` are the same in each of its tries. */
export type Sandboxes = {
  main: Workspace
  /** Those of subtasks whose agents wait for an answer. */
  asking: AskingSandboxes
  /** Those of agents beside the main one that an earlier server has left. */
  others: ReadonlyMap<SessionId, LeftSandbox>
}

/** The differences between kinds of executions. `kinds.ts` has them all; nothing else asks for the kind. */
export type WorkflowKind = {
  /** The settings of such an execution. */
  settings(project: ProjectSettings, execution: Execution): ProjectSettings
  workspace(settings: ProjectSettings): WorkspaceOptions
  /** A new workflow for each try: the preparations of the one before may be out of date. */
  begin(live: LiveExecution, sandboxes: Sandboxes, environments: ProjectEnvironments): Workflow
  /** The end in words that suit it. */
  worded(execution: Execution, end: ExecutionEnd): ExecutionEnd
  /** The bead's steps after the execution's end. Safe to repeat. */
  afterEnd(deps: EndingDeps, execution: Execution): Promise<void>
}
