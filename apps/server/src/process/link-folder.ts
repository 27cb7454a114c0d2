import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Unix socket's path may have 107 bytes; a repeated verification has the longest name below the folder. */
const ROOM_BYTES = 107 - '/ex-0123456789-verify-3-merge-2/link.sock'.length

/**
 * The folder for the links' sockets: in the data folder if its path is short enough, else in the system's temporary
 * folder, named after the instance. `suffix` allows several. Only our user may enter: it leads to the hub and the
 * model.
 */
export async function linkFolderIn(data: string, instance: string, suffix = ''): Promise<string> {
  const near = join(data, `link${suffix}`)
  const folder = Buffer.byteLength(near) <= ROOM_BYTES ? near : join(tmpdir(), `beadloom-${instance}${suffix}`)
  return folder === near ? ownFolder(folder) : ownFolder(await unclaimed(folder))
}

/** Makes the folder ours: everybody may write beside it, so somebody else may have created it first. */
async function unclaimed(folder: string): Promise<string> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
  if (made) return folder
  const found = await lstat(folder)
  if (found.isDirectory() && found.uid === process.getuid?.()) return folder
  throw new Error(
    `${folder}, where containers reach this server, belongs to somebody else. Remove it, or choose a data folder with a shorter path (--data).`,
  )
}

/** Creates a folder that only our user may enter. */
export async function ownFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  return folder
}
