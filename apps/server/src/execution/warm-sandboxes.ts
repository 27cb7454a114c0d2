import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Opened } from '../ports/engine.ts'
import type { EnvironmentId } from '../ports/sandbox.ts'

/** `checkedOut`: the commit in its workspace, with nothing run since. */
export type Taken = Opened & { checkedOut: string }

/** Sandboxes that wait for an execution. Each is given away once. */
export interface WarmSandboxes {
  /** Takes one that is made of exactly this, from now on this execution's alone; null: there is none. */
  take(owner: ExecutionId, project: ProjectId, made: string): Promise<Taken | null>
  /**
   * Notes the environment that agents of this project work in.
   *
   * @param from the settings that this depends on, as one text
   */
  learn(project: ProjectId, from: string, environment: EnvironmentId): void
}
