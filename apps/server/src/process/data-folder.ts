import { access, constants, lstat, mkdir, readlink, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { otherThanFile, UnusableFile } from './plain-file.ts'

/**
 * The folder, or the nearest existing one above it. Throws Node's own error if that is not a folder or cannot be read.
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
 * Creates the folder and the missing ones above it, for this user alone. Does not use `recursive`, which never ends if
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

/** Whether the folder may be written. If not, the server says so, and what to do. */
export const mayWrite = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )

/** Folders and files of a server in its data folder. The database and the token have checks of their own. */
const FOLDERS = ['backups', 'demo', 'git-home', 'hub', 'link', 'logs', 'output']
const FILES = ['place.json', 'server.json']

/** Throws `UnusableFile` if something else is in the place of one of these. */
export async function refuseOthers(data: string): Promise<void> {
  for (const name of FOLDERS) await refuseOther(join(data, name), 'folder')
  for (const name of FILES) await refuseOther(join(data, name), 'file')
}

async function refuseOther(path: string, should: 'file' | 'folder'): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (found === null) {
    if (should === 'file' || !(await lstat(path).catch(() => null))?.isSymbolicLink()) return
    const to = resolve(dirname(path), await readlink(path))
    throw new UnusableFile(
      `${path} is a link to ${to}, which is not there: mount the disk that has it, or remove the link`,
    )
  }
  const is =
    should === 'folder' && found.isDirectory()
      ? null
      : (otherThanFile(found) ?? (should === 'folder' ? 'a file' : null))
  if (is !== null) throw new UnusableFile(`${path} is ${is}, but must be a ${should}: move it away`)
}
