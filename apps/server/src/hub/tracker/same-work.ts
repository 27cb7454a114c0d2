import { TRACKER_FILE } from '@beadloom/core/records/tracker-file.ts'
import { HubError } from '../../ports/hub.ts'
import type { Objects } from '../git/objects.ts'
import type { TreeEntry } from '../git/parse-objects.ts'
import { checkCommit } from '../clones/names.ts'

const [FOLDER = '', NAME = ''] = TRACKER_FILE.split('/')

/**
 * Whether two commits hold the same files, except the tracker's: only that very file, since a test may read anything
 * else in its folder. Compares ids of two folders and starts no git.
 */
export async function isSameWork(objects: Objects, one: string, other: string): Promise<boolean> {
  if (one === other) return true
  try {
    const [mine, theirs] = [await objects.tree(checkCommit(one)), await objects.tree(checkCommit(other))]
    if (!sameEntries(without(FOLDER, mine), without(FOLDER, theirs))) return false
    const [inMine, inTheirs] = [await insideOf(objects, mine), await insideOf(objects, theirs)]
    return inMine !== null && inTheirs !== null && sameEntries(inMine, inTheirs)
  } catch (error) {
    if (error instanceof HubError) return false // a commit that is gone
    throw error
  }
}

/** The entries beside the file in the tracker's folder; null: something else has the folder's name. */
async function insideOf(objects: Objects, root: TreeEntry[]): Promise<TreeEntry[] | null> {
  const folder = root.find(({ name }) => name === FOLDER)
  if (!folder) return []
  if (folder.type !== 'tree') return null
  return (await objects.tree(folder.object)).filter(({ name, type }) => name !== NAME || type === 'tree')
}

const without = (name: string, entries: TreeEntry[]) => entries.filter((entry) => entry.name !== name)

const sameEntries = (one: TreeEntry[], other: TreeEntry[]): boolean =>
  one.length === other.length &&
  one.every(({ name, mode, object }, at) => {
    const theirs = other[at]
    return name === theirs?.name && mode === theirs.mode && object === theirs.object
  })
