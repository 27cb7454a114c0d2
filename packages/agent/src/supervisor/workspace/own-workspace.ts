import { chmodSync, lstatSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asideIn, TAKEN } from './aside.ts'
import { copyTree, moveEntry, removeTree } from './trees.ts'

/**
 * Copies the image's workspace into this container's own layer, because overlayfs cannot rename folders of the image's
 * layers (EXDEV). Null if there is nothing to copy, or an earlier start has copied it. Overwrites and removes nothing
 * in the workspace. An interrupted copy is made anew, as no session begins before it is done.
 *
 * @param folder the supervisor's folder, on the same file system as the workspace
 */
export function ownWorkspace(folder: string, workspace: string): Promise<void> | null {
  const aside = asideIn(folder)
  const found = statSync(aside, { throwIfNoEntry: false })
  return found && (found.mode & 0o777) !== TAKEN ? copied(aside, join(folder, 'workspace-copy'), workspace) : null
}

async function copied(aside: string, copy: string, workspace: string): Promise<void> {
  await removeTree(copy)
  try {
    await copyTree(aside, copy)
  } catch (error) {
    await removeTree(copy).catch(() => {}) // the disk may be full of it
    throw error
  }
  for (const name of readdirSync(copy)) {
    const to = join(workspace, name)
    if (!lstatSync(to, { throwIfNoEntry: false })) moveEntry(join(copy, name), to)
  }
  if (readdirSync(copy).length === 0) rmdirSync(copy)
  else await removeTree(copy)
  chmodSync(aside, TAKEN)
}
