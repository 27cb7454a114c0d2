import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whether a write found no room: on the disk, or within its owner's quota. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/**
 * Whether the file system of this folder, which need not exist yet, can hold no further file, however small. File
 * systems without such a limit report 0 of 0.
 */
export function hasNoInodes(folder: string): boolean {
  if (!existsSync(folder) && dirname(folder) !== folder) return hasNoInodes(dirname(folder))
  try {
    const { files, ffree } = statfsSync(folder)
    return files > 0 && ffree === 0
  } catch {
    return false
  }
}

/** Says what to do when a write found no room. */
export const noRoom = (folder: string): string =>
  hasNoInodes(folder)
    ? `the disk that holds ${folder} has no inodes left: remove files, however small (df -i shows how many it can hold)`
    : `the disk that holds ${folder} is full: free some space`
