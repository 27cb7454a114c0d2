import { chmodSync, existsSync, lstatSync, renameSync } from 'node:fs'
import { runQuietly } from './run-quietly.ts'

/**
 * With times, permissions, links of both kinds and holes. `cp` and not Node's own: that rounds times, and knows neither hard links
 * nor holes. Where the disk can share blocks (XFS, Btrfs), nothing is written twice.
 */
export const copyTree = (from: string, to: string): Promise<void> => runQuietly('cp', ['-a', '--', from, to])

/** Folders that nobody may write to are no obstacle. */
export async function removeTree(path: string): Promise<void> {
  if (!existsSync(path)) return
  await runQuietly('chmod', ['-R', 'u+rwX', '--', path])
  await runQuietly('rm', ['-rf', '--', path])
}

/** To another folder. One that is read-only may not be moved as it is, since its way up changes. */
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
