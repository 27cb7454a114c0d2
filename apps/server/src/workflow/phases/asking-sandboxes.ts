import type { PhaseSession } from '@beadloom/core/plan/phase-step.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { LeftSandbox } from '../../sandbox/reattach.ts'
import { Workspace } from '../../sandbox/workspace.ts'

/** A subtask's own sandbox. */
export const ownSandbox = (live: LiveExecution): Workspace =>
  new Workspace(live, { network: live.settings.network, keepsWork: true })

/** The sandboxes of subtasks whose agents wait for an answer, over all tries of an execution. */
export class AskingSandboxes {
  readonly #workspaces = new Map<string, Workspace>()

  keep(subtask: string, workspace: Workspace): void {
    this.#workspaces.set(subtask, workspace)
  }

  /** From now on it belongs to the caller. */
  take(subtask: string): Workspace | undefined {
    const workspace = this.#workspaces.get(subtask)
    this.#workspaces.delete(subtask)
    return workspace
  }

  /** Keeps those that an earlier server has left. */
  takeOver(live: LiveExecution, sessions: readonly PhaseSession[], left: ReadonlyMap<SessionId, LeftSandbox>): void {
    for (const { id, state, subtask } of sessions) {
      const sandbox = left.get(id)
      if (state === 'ended' && sandbox?.sandbox) this.keep(subtask, reattached(live, id, sandbox))
    }
  }

  /** Between two tries, as for any sandbox. */
  async stopForRetry(): Promise<void> {
    for (const [subtask, workspace] of this.#workspaces) {
      await workspace.stopForRetry()
      if (!workspace.isOpen) this.#workspaces.delete(subtask)
    }
  }

  /** Saves their work and closes them, one after the other: each save needs a ref of its own. */
  async leave({ deps: { log } }: LiveExecution): Promise<void> {
    for (const [subtask, workspace] of this.#workspaces)
      await workspace.leave().catch((error: unknown) => log.error({ error, subtask }, 'a sandbox could not be left'))
    this.#workspaces.clear()
  }
}

/** A subtask's sandbox that an earlier server has left, with its session. */
export function reattached(live: LiveExecution, session: SessionId, left: LeftSandbox): Workspace {
  const workspace = ownSandbox(live)
  const row = live.deps.store.session(session)
  workspace.reattach(left, row === null ? [] : [row])
  return workspace
}
