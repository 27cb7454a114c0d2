import { constants } from 'node:fs'
import { open, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

const LONGEST = 4096
const LARGEST_INDEX = 256 * 1024 * 1024
const NAME = '.beads/redirect'

/** `folder`: the folder whose `.beads` keeps the beads. `problem`: why the redirect is not followed. */
export type Redirected = { folder: string } | { problem: string }

/**
 * `.beads/redirect` of a working tree, as `bd` leaves it in worktrees: its first line that is not a comment names the
 * `.beads` to use, relative to the working tree. Only one hop is followed, to an existing folder of that name with the
 * owner of the working tree. A committed redirect is not followed: everybody who can push to the repository could
 * choose which of the person's other trackers is written.
 */
export class Redirects {
  readonly #indexes = new Map<string, { stamp: string; committed: boolean }>()

  async follow(folder: string): Promise<Redirected> {
    const text = await readRedirect(folder)
    if (text === null) return { folder }
    if (typeof text !== 'string') return text
    const line = text
      .split('\n')
      .map((one) => one.trim())
      .find((one) => one !== '' && !one.startsWith('#'))
    if (line === undefined) return { folder }
    // eslint-disable-next-line no-control-regex
    if (/[\x00-\x1f\x7f]/.test(line)) return notFollowed('it does not contain a path')
    const named = isAbsolute(line) ? line : resolve(folder, line)
    const target = await realpath(named).catch(() => null)
    const [there, here] = [target && (await stat(target).catch(() => null)), await stat(folder).catch(() => null)]
    if (target === null || !there || !here?.isDirectory() || !there.isDirectory())
      return notFollowed('the folder it names does not exist')
    if (basename(target) !== '.beads') return notFollowed('the folder it names is not a .beads folder')
    if (there.uid !== here.uid) return notFollowed('the folder it names belongs to somebody else')
    if (await this.#isCommitted(folder))
      return notFollowed('it is committed to the repository (git rm --cached .beads/redirect, and ignore it)')
    return { folder: dirname(target) }
  }

  /**
   * Whether it is in git's index. Searches the index file itself, because git is never run in a person's working tree.
   */
  async #isCommitted(folder: string): Promise<boolean> {
    const path = await indexOf(folder)
    const info = path === null ? null : await stat(path).catch(() => null)
    if (path === null || info === null) return false // no repository, or nothing was ever added
    const stamp = `${info.mtimeMs}:${info.size}:${info.ino}`
    const known = this.#indexes.get(path)
    if (known?.stamp === stamp) return known.committed
    const committed = info.size > LARGEST_INDEX || holds(await readFile(path))
    this.#indexes.set(path, { stamp, committed })
    return committed
  }
}

/** Whether the index contains the name. Version 4 omits the part of a name that it shares with the previous one. */
function holds(index: Buffer): boolean {
  const short = index.length >= 8 && index.readUInt32BE(4) >= 4
  return index.includes(short ? 'redirect\0' : `${NAME}\0`)
}

async function indexOf(folder: string): Promise<string | null> {
  const path = join(folder, '.git')
  const info = await stat(path).catch(() => null)
  if (info?.isDirectory()) return join(path, 'index')
  if (!info?.isFile() || info.size > LONGEST) return null
  const gitDir = /^gitdir: (.+?)\s*$/.exec(await readFile(path, 'utf8'))?.[1]
  return gitDir === undefined ? null : join(resolve(folder, gitDir), 'index')
}

async function readRedirect(folder: string): Promise<string | null | { problem: string }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(folder, NAME), flags).catch((error: NodeJS.ErrnoException) => error.code ?? '')
  if (file === 'ENOENT' || file === 'ENOTDIR') return null
  if (typeof file === 'string') return notFollowed(`it cannot be read (${file})`)
  try {
    const info = await file.stat()
    if (!info.isFile() || info.size > LONGEST) return notFollowed('it is not a small regular file')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

const notFollowed = (why: string): { problem: string } => ({
  problem: `${NAME} is not followed, and nothing is written: ${why}`,
})
