import { chmodSync, existsSync, lstatSync, renameSync } from 'node:fs'
import { runQuietly } from './run-quietly.ts'

/**
 * Copies with times, permissions, symbolic and hard links, and holes. Uses `cp`, because Node's own copy rounds times
 * and knows neither hard links nor holes. If the disk can share blocks (XFS, Btrfs), nothing is written twice.
 */
export const copyTree = (from: string, to: string): Promise<void> => runQuietly('cp', ['-a', '--', from, to])

/** Removes a tree, including read-only folders. */
export async function removeTree(path: string): Promise<void> {
  if (!existsSync(path)) return
  await runQuietly('chmod', ['-R', 'u+rwX', '--', path])
  await runQuietly('rm', ['-rf', '--', path])
}

/** Moves an entry to another folder. A read-only folder cannot be moved as it is, since its `..` changes. */
export function moveEntry(from: string, to: string): void {
  const found = lstatSync(from)
  const isLocked = found.isDirectory() && (found.mode & 0o200) === 0
  if (isLocked) chmodSync(from, found.mode | 0o200)
  try {
    renameSync(from, to)
  } catch (error) {
    if (isLocked) chmodSync(from, found.mode)
    throw error
  }
  if (isLocked) chmodSync(to, found.mode)
}
