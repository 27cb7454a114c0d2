import { constants } from 'node:fs'
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { TrackerError } from '../ports/tracker.ts'

/**
 * A working tree's own `.beads`, open. `at`: a path to it that stays the same folder, whatever is put in its place.
 * `shown`: the path that people know. `key`: the same for every path to it.
 */
export type OwnFolder = { at: string; shown: string; key: string; close: () => Promise<void> }

/** The `.beads` is not the working tree's own. `fix`: the remedy, which is in the message too. */
export class NotOwn extends TrackerError {
  override name = 'NotOwn'
  readonly fix: string
  constructor(text: string, fix: string) {
    super('broken', `${text} ${fix}`)
    this.fix = fix
  }
}

/**
 * Opens `.beads` without following a link; null if there is none. Everybody who can push to a repository can commit a
 * link or a submodule in its place, and could so choose which of the person's other trackers is read and written. The
 * folder above may be reached through links: the person named it. Throws `NotOwn`.
 *
 * @param key the folder that was looked at before; another one in its place is an error
 */
export async function openOwn(folder: string, key: string | null = null): Promise<OwnFolder | null> {
  const shown = join(folder, '.beads')
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  const handle = await open(shown, flags).catch((error: NodeJS.ErrnoException) => error)
  if (handle instanceof Error) {
    const found = await lstat(shown).catch(() => null)
    if (found?.isSymbolicLink()) throw notOwn('a symbolic link')
    if (found?.isDirectory()) throw new TrackerError('broken', `.beads cannot be opened (${handle.code ?? ''})`)
    return null
  }
  try {
    return await held(handle, folder, { shown, key })
  } catch (error) {
    await handle.close()
    throw error
  }
}

type Expected = { shown: string; key: string | null }

async function held(handle: FileHandle, folder: string, { shown, key }: Expected): Promise<OwnFolder> {
  const own = join(await realpath(folder), '.beads')
  const open = `/proc/self/fd/${handle.fd}`
  const at = (await realpath(open).catch(() => null)) === own ? open : own
  const { dev, ino } = await handle.stat()
  // Without /proc there is no such path.
  const now = at === open ? { dev, ino } : await lstat(own).catch(() => null)
  const found = now && keyOf(now)
  if (found !== keyOf({ dev, ino }) || (key !== null && key !== found))
    throw new TrackerError('busy', '.beads was replaced meanwhile; it is read again')
  if (await isThere(join(at, '.git'))) throw notOwn('a submodule, or another repository')
  return { at, shown, key: found, close: () => handle.close() }
}

const keyOf = ({ dev, ino }: { dev: number; ino: number }): string => `${dev}:${ino}`

/** Opens `.beads` for as long as `use` takes, which gets null if there is none. Throws `NotOwn`. */
export async function withOwn<T>(
  folder: string,
  use: (own: OwnFolder | null) => Promise<T>,
  key: string | null = null,
): Promise<T> {
  const own = await openOwn(folder, key)
  try {
    return await use(own)
  } finally {
    await own?.close()
  }
}

export const notOwn = (is: string): NotOwn =>
  new NotOwn(
    `.beads is ${is}, and nothing is read or written there: the repository could choose which of your other trackers that is.`,
    'Make .beads a folder of the working tree itself. If the beads are to be kept elsewhere, put a file named redirect into it, with the path of the other .beads, and do not commit that file.',
  )

export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
