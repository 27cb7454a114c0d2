import { constants } from 'node:fs'
import { lstat, open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { GitIndexes } from './git-index.ts'
import { isThere, notOwn, withOwn } from './own-folder.ts'

const LONGEST = 4096
const NAME = '.beads/redirect'

/** `folder`: the folder whose `.beads` keeps the beads. `problem`: why the redirect is not followed. */
export type Redirected = { folder: string } | { problem: string }

/**
 * `.beads/redirect` of a working tree, as `bd` leaves it in worktrees: its first line that is not a comment names the
 * `.beads` to use, relative to the working tree. Only one hop is followed, to an existing folder of that name with the
 * owner of the working tree. A committed redirect is not followed: everybody who can push to the repository could
 * choose which of the person's other trackers is written. The same holds for a `.beads` that is a link or a submodule,
 * whatever is in it.
 */
export class Redirects {
  readonly #indexes = new GitIndexes(['.beads', NAME])

  /** Throws `NotOwn` if the `.beads`, of this folder or of the one that it leads to, is not the working tree's own. */
  async follow(folder: string): Promise<Redirected> {
    const text = await withOwn(folder, async (own) => own && (await readRedirect(own.at)))
    const committed = await this.#indexes.namesIn(folder)
    // A submodule has this name in the index, and may lack its own `.git`.
    if (committed?.has('.beads') && (await isThere(join(folder, '.beads'))))
      throw notOwn('committed as something other than a folder')
    if (text === null) return { folder }
    if (typeof text !== 'string') return text
    const line = pathIn(text)
    if (line === null) return { folder }
    // eslint-disable-next-line no-control-regex
    if (/[\x00-\x1f\x7f]/.test(line)) return notFollowed('it does not contain a path')
    const named = isAbsolute(line) ? resolve(line) : resolve(folder, line)
    const [there, here] = await Promise.all([named, folder].map((path) => stat(path).catch(() => null)))
    if (!there?.isDirectory() || !here?.isDirectory()) return notFollowed('the folder it names does not exist')
    if (basename(named) !== '.beads') return notFollowed('the folder it names is not a .beads folder')
    if (there.uid !== here.uid) return notFollowed('the folder it names belongs to somebody else')
    if (committed === null || committed.has(NAME))
      return notFollowed('it is committed to the repository (git rm --cached .beads/redirect, and ignore it)')
    const link = await linkInRepository(named)
    if (link !== null) return notFollowed(`${link} is a symbolic link in a repository; name the folder itself`)
    const target = await realpath(dirname(named))
    if ((await this.#indexes.namesIn(target))?.has('.beads'))
      return notFollowed('the folder it names is committed as something other than a folder')
    return { folder: target }
  }
}

/** The path that a redirect names; null for none. */
export const pathIn = (text: string): string | null =>
  text
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '' && !one.startsWith('#')) ?? null

/** A part of the path that is a link and below a working tree's root: whoever can push there chooses where it leads. */
async function linkInRepository(path: string): Promise<string | null> {
  const parts = path.split('/')
  let inside = false
  for (let count = 2; count <= parts.length; count += 1) {
    const at = parts.slice(0, count).join('/')
    if (inside && (await lstat(at)).isSymbolicLink()) return at
    inside ||= await isThere(join(at, '.git'))
  }
  return null
}

async function readRedirect(beads: string): Promise<string | null | { problem: string }> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(beads, 'redirect'), flags).catch((error: NodeJS.ErrnoException) => error.code ?? '')
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
