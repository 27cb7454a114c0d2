import { checkCommit, treePath } from '../clones/names.ts'
import type { Objects } from './objects.ts'
import type { TreeEntry } from './parse-objects.ts'
import { partsOf } from './path-text.ts'

/** The limit for all files of one question, which usually have a megabyte. */
const MOST_TOGETHER = 32 * 1024 ** 2
const AT_ONCE = 50

type Wish = { commit: string; paths: readonly string[]; limitBytes: number; unread?: Set<string> | undefined }

/**
 * Reads each folder on the way once, and a few files at once. `unread` gets the paths of existing regular files that
 * were left out: longer ones, and those beyond `MOST_TOGETHER`, in the order of the question.
 */
export async function readFiles(
  objects: Objects,
  { commit, paths, limitBytes, unread }: Wish,
): Promise<Map<string, string>> {
  const trees = new Map<string, Promise<Map<string, TreeEntry>>>()
  const treeOf = (object: string): Promise<Map<string, TreeEntry>> => {
    const known = trees.get(object) ?? objects.tree(object).then(byName)
    trees.set(object, known)
    return known
  }
  const entryOf = async (object: string, [name = '', ...rest]: string[]): Promise<TreeEntry | null> => {
    const found = (await treeOf(object)).get(name)
    if (!found || rest.length === 0) return found ?? null
    return found.type === 'tree' ? entryOf(found.object, rest) : null
  }
  const foundAt = async (path: string): Promise<{ path: string; object: string; size: number } | null> => {
    const clean = treePath(path)
    const entry = clean === null ? null : await entryOf(checkCommit(commit), partsOf(clean))
    if (!entry?.mode.startsWith('100')) return null
    return { path, object: entry.object, size: (await objects.info(entry.object))?.size ?? 0 }
  }
  const texts = new Map<string, string>()
  const read = async (path: string, object: string): Promise<void> => {
    const bytes = await objects.blob(object, limitBytes)
    if (bytes !== null) texts.set(path, new TextDecoder().decode(bytes))
  }
  const all = [...new Set(paths)]
  let left = MOST_TOGETHER
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const found = await Promise.all(all.slice(from, from + AT_ONCE).map(foundAt))
    const reads: Promise<void>[] = []
    for (const one of found) {
      if (one === null) continue
      if (one.size > Math.min(limitBytes, left)) unread?.add(one.path)
      else {
        left -= one.size
        reads.push(read(one.path, one.object))
      }
    }
    await Promise.all(reads)
  }
  // In the order of the question, in whatever order they arrived.
  return new Map(all.flatMap((path) => (texts.has(path) ? [[path, texts.get(path) ?? '']] : [])))
}

/** If two entries have one name, the first counts, as for git. */
const byName = (entries: readonly TreeEntry[]): Map<string, TreeEntry> =>
  new Map(entries.toReversed().map((entry) => [entry.name, entry]))
