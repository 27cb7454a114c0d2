import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { foldersOf, pathOf } from './local-repository.ts'

/** With more loose refs than this, git packs them soon, and a fetch takes long for other reasons. */
const MOST_FILES = 500
/** A file changed less than this ago may change again with the same time: some file systems count in two seconds. */
export const SETTLED_MS = 3_000
/** The files behind a fetch: refs as files, packed, or as tables; and the default branch. */
const PLACES = ['HEAD', 'packed-refs', 'refs', 'reftable']

/** Whether a source is a repository of this machine, whose files may be looked at. */
export const isLocal = (source: string): boolean => pathOf(source) !== null

/**
 * The visible state of a local repository's refs, without starting git: equal texts mean that a fetch would bring the
 * same. Null if unknown: it is elsewhere, it has just changed, or it has too many refs to look at.
 *
 * @param now the system's time in milliseconds, as in the times of files
 */
export async function localState(source: string, now: number): Promise<string | null> {
  const path = pathOf(source)
  if (path === null) return null
  try {
    const { gitDir, common } = await foldersOf(path)
    const places = PLACES.map((name) => join(common, name))
    return await stateOf(gitDir === common ? places : [...places, join(gitDir, 'HEAD')], now - SETTLED_MS)
  } catch {
    return null // a fetch reports the problem
  }
}

async function stateOf(places: readonly string[], settledBy: number): Promise<string | null> {
  const seen: string[] = []
  const left = [...places]
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const found = await stat(path, { bigint: true }).catch(missing)
    if (seen.length >= MOST_FILES) return null
    seen.push(found === null ? path : [path, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' '))
    if (found === null) continue
    if (Number(found.ctimeMs) > settledBy) return null
    if (found.isDirectory())
      for await (const { name } of await opendir(path)) {
        if (left.length >= MOST_FILES) return null
        left.push(join(path, name))
      }
  }
  return seen.toSorted().join('\n')
}

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
