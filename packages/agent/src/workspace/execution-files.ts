import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { EXECUTION_FOLDER } from '@beadloom/core/execution/session-order.ts'
import { addExcludeRules } from './exclude-rules.ts'
import type { Git } from './git.ts'
import { SessionFailure } from '../ends/session-failure.ts'

const RULE = `/${EXECUTION_FOLDER}/`

/**
 * Writes files about the plan that the agent's work is part of. Git ignores them, whatever the project's own rules say.
 */
export async function writeExecutionFiles(git: Git, files: readonly { path: string; text: string }[]): Promise<void> {
  if (files.length === 0) return
  const folder = join(git.folder, EXECUTION_FOLDER)
  await rm(folder, { recursive: true, force: true }) // from an earlier execution
  for (const { path, text } of files) {
    const file = join(folder, path)
    if (!file.startsWith(`${folder}${sep}`)) throw new SessionFailure(`${path} is not in ${EXECUTION_FOLDER}`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  await addExcludeRules(git, [RULE])
}
