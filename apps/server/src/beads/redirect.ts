import { constants } from 'node:fs'
import { open, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

const LONGEST = 4096
const LARGEST_INDEX = 256 * 1024 * 1024
const NAME = '.beads/redirect'

/** `folder`: the one whose `.beads` keeps the beads. `problem`: a sentence why the redirect is not followed. */
export type Redirected = { folder: string } | { problem: string }

/**
 * `.beads/redirect` of a working tree, as `bd` leaves it in worktrees: its first line that is no comment names the
 * `.beads` to use, relative to the working tree. One hop, to an existing folder of that name that belongs to whom the
 * working tree belongs to. One that is committed came with the repository, from whoever can write to that, and is not
 * followed: it would choose which of the person's other trackers is written.
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
    if (/[\x00-\x1f\x7f]/.test(line)) return notFollowed('it names no path')
    const named = isAbsolute(line) ? line : resolve(folder, line)
    const target = await realpath(named).catch(() => null)
    const [there, here] = [target && (await stat(target).catch(() => null)), await stat(folder).catch(() => null)]
    if (target === null || !there || !here?.isDirectory() || !there.isDirectory())
      return notFollowed('the folder that it names is not there')
    if (basename(target) !== '.beads') return notFollowed('the folder that it names is no .beads')
    if (there.uid !== here.uid) return notFollowed('the folder that it names belongs to somebody else')
    if (await this.#isCommitted(folder))
      return notFollowed('it is committed to the repository (git rm --cached .beads/redirect, and ignore it)')
    return { folder: dirname(target) }
  }

  /** Whether git's index has it; asked of the file, because no git is ever run in a person's working tree. */
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

/** Version 4 leaves out of a name what it shares with the one before. */
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
    if (!info.isFile() || info.size > LONGEST) return notFollowed('it is no file of one line')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

const notFollowed = (why: string): { problem: string } => ({
  problem: `${NAME} is not followed, and nothing is written: ${why}`,
})
