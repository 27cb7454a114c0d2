import { existsSync, readFileSync, statSync } from 'node:fs'
import { realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '@beadloom/core/text/shell-word.ts'
import { CliError } from '../exit-code.ts'

const FILE = 'place.json'

/** The place of a data folder. `machine` null: unknown, as in a container. */
export type Place = { path: string; device: number; inode: number; machine: string | null }

/** The treatment of a folder that is a copy; null: ask. */
export type OfCopy = 'adopt' | 'new-instance' | null

/**
 * Asks about a copied folder before a server works with it. A copy has the instance of its original, so it would take
 * over the containers of the original's agents, stop them and publish their work. A folder that was moved, or whose
 * disk has another number now, is not a copy.
 *
 * @param makeNew gives the database another instance
 *
 * Throws `CliError` for a copy if nobody has said how to treat it, and for a new instance of a folder that has not
 * moved: a repeated start would cancel its work each time.
 */
export async function settlePlace(data: string, ofCopy: OfCopy, makeNew: (file: string) => void): Promise<void> {
  const here = await placeOf(data)
  const before = known(data)
  if (ofCopy === null && before !== null && !isSame(before, here)) throw new CliError(question(before, here))
  const isWhereItWas = JSON.stringify(before) === JSON.stringify(here)
  const file = join(data, 'beadloom.db')
  // A person knows what they copied: a folder at the same path of an unknown machine may still be a copy.
  if (ofCopy === 'new-instance' && existsSync(file)) {
    if (isWhereItWas) throw new CliError(noCopy(here))
    makeNew(file)
  }
  if (isWhereItWas) return
  await writeFile(join(data, `${FILE}.new`), `${JSON.stringify(here)}\n`, { mode: 0o600 })
  await rename(join(data, `${FILE}.new`), join(data, FILE))
}

async function placeOf(data: string): Promise<Place> {
  const { dev, ino } = statSync(data)
  return { path: await realpath(data), device: dev, inode: ino, machine: machine() }
}

/**
 * Whether two places are the same. Another machine is another place. A machine has one folder at a path, which may get
 * a new inode with each start (a shared folder of a virtual machine); and a moved folder keeps its inode.
 */
export const isSame = (one: Place, other: Place): boolean =>
  (one.machine === null || other.machine === null || one.machine === other.machine) &&
  (one.path === other.path || (one.device === other.device && one.inode === other.inode))

function known(data: string): Place | null {
  try {
    const { path, device, inode, machine: of } = JSON.parse(readFileSync(join(data, FILE), 'utf8')) as Place
    return typeof path === 'string' && typeof inode === 'number' ? { path, device, inode, machine: of ?? null } : null
  } catch {
    return null // from an older Beadloom, or half-written
  }
}

function machine(): string | null {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || null
  } catch {
    return null
  }
}

function question(before: Place, here: Place): string {
  const where = before.machine === here.machine ? before.path : `${before.path} on another machine`
  const start = `beadloom start --data ${shellWord(here.path)}`
  return `${here.path} is a copy of ${where}, and would take over the containers of its agents. Nothing was changed. If the original is gone, or its server will never run again: ${start} --adopt. If both are to be used, this one gets an identity of its own, and what was queued or running there is cancelled here: ${start} --new-instance`
}

const noCopy = ({ path }: Place): string =>
  `${path} is where its server left it, so it keeps its identity: leave out --new-instance. If it is a copy all the same, as a cloned volume at the same path is, remove ${join(path, FILE)} and start it again`
