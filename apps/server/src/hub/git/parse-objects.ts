import { HubError } from '../../ports/hub.ts'

/**
 * `name` has one character for each byte (latin1), because to git names are bytes. `mode` has six digits, as git's
 * plumbing prints it.
 */
export type TreeEntry = { name: string; mode: string; type: 'blob' | 'tree' | 'commit'; object: string }

/** A tree object's entries: mode, space, name, zero byte, the id in `idBytes` bytes. Throws when it is cut off. */
export function parseTree(bytes: Buffer, idBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = []
  let at = 0
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at)
    const zero = space === -1 ? -1 : bytes.indexOf(0, space)
    if (zero === -1 || zero + 1 + idBytes > bytes.length) {
      throw new HubError('git-failed', 'A folder of a commit cannot be read: its list of files is broken.')
    }
    const { mode, type } = kindOf(Number.parseInt(bytes.toString('latin1', at, space), 8))
    const name = bytes.toString('latin1', space + 1, zero)
    at = zero + 1 + idBytes
    entries.push({ name, mode, type, object: bytes.toString('hex', zero + 1, at) })
  }
  return entries
}

/** The mode as git reads it: old trees have others, such as 100664. */
function kindOf(mode: number): Pick<TreeEntry, 'mode' | 'type'> {
  switch (mode & 0o170000) {
    case 0o100000:
      return { mode: (mode & 0o100) === 0 ? '100644' : '100755', type: 'blob' }
    case 0o120000:
      return { mode: '120000', type: 'blob' }
    case 0o040000:
      return { mode: '040000', type: 'tree' }
    default:
      return { mode: '160000', type: 'commit' }
  }
}

const PARENT = Buffer.from('parent ')

/**
 * The parents that a commit object names: the lines after its tree's. A similar line further down names none. Each id
 * is a string of its own: a substring would keep all of the commit's head in memory, which may have megabytes.
 */
export function parentsOf(bytes: Buffer): string[] {
  const parents: string[] = []
  let at = bytes.indexOf(10) + 1
  while (at > 0 && bytes.subarray(at, at + PARENT.length).equals(PARENT)) {
    const end = bytes.indexOf(10, at)
    const parent = bytes.toString('latin1', at + PARENT.length, end === -1 ? bytes.length : end)
    if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(parent)) break
    parents.push(parent)
    at = end + 1
  }
  return parents
}
