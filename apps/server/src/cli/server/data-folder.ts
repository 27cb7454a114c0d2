import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * The folder, or the nearest existing one above it. Throws Node's own error when that is not a folder or cannot be
 * read.
 */
export async function nearestFolder(folder: string): Promise<string> {
  try {
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    const above = dirname(folder)
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && above !== folder) return nearestFolder(above)
    throw error
  }
  throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR', path: folder })
}

/**
 * Creates the folder and the missing ones above it, for this user alone. Not with `recursive`, which never ends where
 * the system refuses a folder as if its parent were missing, as below /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  const known = await nearestFolder(folder)
  const missing: string[] = []
  for (let path = folder; path !== known; path = dirname(path)) missing.unshift(path)
  for (const path of missing) {
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error // another process created it just now
    })
  }
}

/** False: the server says so, with what to do. */
export const mayWrite = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
