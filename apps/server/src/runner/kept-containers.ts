import { existsSync } from 'node:fs'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import { parseExecutionId } from '@beadloom/core/ids.ts'
import { Link } from '../link/link.ts'
import type { OwnedContainer } from '../ports/engine.ts'
import { closeContainer, linkFolderOf } from './containers.ts'
import type { RunnerDeps } from './deps.ts'
import { WORK } from './early-container.ts'
import { endSessions } from './end-sessions.ts'
import type { ProjectSource, Runner } from './runner.ts'
import { saveWork } from './save-work.ts'
import { Stopper } from './stop.ts'

/*
 * An agent's container whose workspace could not be saved (a full disk, Docker that went away) outlives its execution.
 * The mark is the folder of its link, which it needs to start again anyway: whatever is full, nothing has to be written.
 */

/** A person who was away for a night still finds the work; a disk is not filled for ever. */
const LONGEST_KEPT_MS = 24 * 3_600_000
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000

type Place = Pick<RunnerDeps, 'linkFolder'>

export const isKept = (
  { linkFolder }: Place,
  { kind, execution }: Pick<OwnedContainer, 'kind' | 'execution'>,
): boolean => kind === WORK.kind && existsSync(linkFolderOf(linkFolder, execution as ExecutionId, WORK.serial))

/** True: it stays for now, until a later call finds it saved, or too old. */
export async function saveAgain(
  deps: RunnerDeps,
  runner: Runner,
  projects: ProjectSource,
  container: OwnedContainer,
): Promise<boolean> {
  const { store, clock, log } = deps
  const execution = store.execution(parseExecutionId(container.execution))
  if (!execution || clock.now() - (execution.endedAt ?? 0) > LONGEST_KEPT_MS) return false
  const tries = store.sessions(execution.id).filter(({ kind }) => kind === 'save')
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries.length - 1), LONGEST_PAUSE_MS)
  if (clock.now() - (tries.at(-1)?.endedAt ?? 0) < pause) return true
  try {
    endSessions(store, execution.id, 'nothing more is known of it')
    const { hub, settings } = projects.open(execution.project)
    const run = runner.context(execution, hub, settings, new Stopper())
    const link = await Link.open(linkFolderOf(deps.linkFolder, execution.id, WORK.serial), clock)
    const held = { id: container.id, link }
    if ((await saveWork(run, held)) === 'not now') {
      link.letGo()
      return true
    }
    await closeContainer(run, held)
    return false
  } catch (error) {
    log.warn({ error, execution: execution.id }, 'what an agent left still cannot be saved')
    return true
  }
}
