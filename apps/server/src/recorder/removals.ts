import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  InvalidInput,
  parseExecutionId,
  sessionIdOf,
  type ExecutionId,
  type ProjectId,
} from '@beadloom/core/records/ids.ts'
import type { SessionStore } from '../ports/store/sessions.ts'

/*
 * Logs go after their project. If the server dies in between, no table knows them any more, so a file names them until
 * they are gone. Other logs that no table knows are left alone; a restored backup has such logs.
 */

const MARK = /^removing-.*\.json$/

const markOf = (folder: string, project: ProjectId): string => join(folder, `removing-${project}.json`)

export const removeLogs = (folder: string, execution: ExecutionId): Promise<void> =>
  rm(join(folder, execution), { recursive: true, force: true })

/**
 * Removes a project and then its logs.
 *
 * @param executions those of the project
 * @param remove takes it out of the store; if it throws, the logs stay
 */
export async function removeWithLogs(
  folder: string,
  project: ProjectId,
  executions: readonly ExecutionId[],
  remove: () => Promise<void>,
): Promise<void> {
  const mark = markOf(folder, project)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(mark, JSON.stringify(executions), { mode: 0o600 })
  try {
    await remove()
  } catch (error) {
    await rm(mark, { force: true })
    throw error
  }
  for (const execution of executions) await removeLogs(folder, execution)
  await rm(mark, { force: true })
}

/** After any kind of stop: removes the logs of a project that has been removed without them. */
export async function finishRemovals(folder: string, store: Pick<SessionStore, 'session'>): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => MARK.test(one))) {
    for (const execution of executionsIn(await readFile(join(folder, name), 'utf8'))) {
      const isKnown = store.session(sessionIdOf(execution, 1)) !== null
      if (!isKnown) await removeLogs(folder, execution)
    }
    await rm(join(folder, name), { force: true })
  }
}

/** Reads a mark. A half-written mark belongs to a project that still exists. */
function executionsIn(text: string): ExecutionId[] {
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) ? ids.map((id) => parseExecutionId(String(id))) : []
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof InvalidInput) return []
    throw error
  }
}
