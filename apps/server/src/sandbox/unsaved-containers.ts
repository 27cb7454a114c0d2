import { existsSync } from 'node:fs'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import { parseExecutionId, type ExecutionId } from '@beadloom/core/ids.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { Link } from '../link/link.ts'
import type { OwnedContainer } from '../ports/engine.ts'
import { endSessions } from './end-sessions.ts'
import { AGENT, closeSandbox, linkFolderOf } from './open-sandbox.ts'
import { saveWork } from './save-work.ts'

/*
 * An agent's container whose workspace could not be saved (a full disk, Docker that went away) outlives its execution.
 * The mark is the folder of its link, which it needs to start again anyway: whatever is full, nothing has to be written.
 */

/** A person who was away for a night still finds the work; a disk is not filled for ever. */
const LONGEST_KEPT_MS = 24 * 3_600_000
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000

export const isUnsaved = (
  { linkFolder }: Pick<ExecutionDeps, 'linkFolder'>,
  { kind, execution }: Pick<OwnedContainer, 'kind' | 'execution'>,
): boolean => kind === AGENT.kind && existsSync(linkFolderOf(linkFolder, execution as ExecutionId, AGENT.serial))

/**
 * Tries once more to save what a container holds. True: it stays for now, until a later call finds it saved, or too old.
 *
 * @param liveOf what an execution that has ended needs to be worked with once more
 */
export async function saveAgain(
  deps: ExecutionDeps,
  container: OwnedContainer,
  liveOf: (execution: Execution) => LiveExecution,
): Promise<boolean> {
  const { store, clock, log } = deps
  const execution = store.execution(parseExecutionId(container.execution))
  if (!execution || clock.now() - (execution.endedAt ?? 0) > LONGEST_KEPT_MS) return false
  const tries = store.sessions(execution.id).filter(({ kind }) => kind === 'save')
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries.length - 1), LONGEST_PAUSE_MS)
  if (clock.now() - (tries.at(-1)?.endedAt ?? 0) < pause) return true
  try {
    await endSessions(store, execution.id, 'its server stopped before it ended')
    const live = liveOf(execution)
    const link = await Link.open(linkFolderOf(deps.linkFolder, execution.id, AGENT.serial), clock, deps.linkLimits)
    const sandbox = { id: container.id, link }
    if ((await saveWork(live, sandbox)) === 'not now') {
      link.letGo()
      return true
    }
    await closeSandbox(live, sandbox)
    return false
  } catch (error) {
    log.warn({ error, execution: execution.id }, 'what an agent left still cannot be saved')
    return true
  }
}
