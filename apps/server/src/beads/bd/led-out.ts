import { readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** The databases of `bd` have some hundred files. */
const MOST_ENTRIES = 20_000

/**
 * Links in `.beads` by which `bd` would read or write outside of it, as ends of a sentence; empty if there are none. A
 * repository can hold them at any depth: its database may be a folder of links to another one. The hooks are left out,
 * because they do not run.
 */
export async function ledOut(beads: string): Promise<string[]> {
  const root = await realpath(beads)
  const waiting = ['']
  for (let looks = 0, next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(join(beads, next), { withFileTypes: true }).catch(() => [])) {
      const name = join(next, entry.name)
      if ((looks += 1) > MOST_ENTRIES) return [`.beads has more than ${MOST_ENTRIES} files`]
      if (entry.isSymbolicLink() && !(await staysIn(root, join(beads, name))))
        return [`.beads/${plain(name)} is a symbolic link that leads out of .beads`]
      if (entry.isDirectory() && name !== 'hooks') waiting.push(name)
    }
  }
  return []
}

/** A link to nothing leads out: a program that writes there makes what it names. */
async function staysIn(root: string, link: string): Promise<boolean> {
  const to = await realpath(link).catch(() => null)
  return to !== null && (to === root || to.startsWith(root + sep))
}

const plain = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100)
