import { link, readdir, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ISSUES_FILE, TrackerError } from '../../ports/tracker.ts'
import type { Clock } from '../../process/clock.ts'
import { readPlainFile } from '../../process/plain-file.ts'
import type { OwnFolder } from '../own-folder.ts'

/** Exists beside the file while Beadloom writes it. Node cannot take the lock of `bd` itself. */
const LOCK_FILE = '.beadloom.lock'
const WAIT_MS = 5_000
const LOOK_MS = 50
const LONGEST_LOCK = 4096
/** A writer's temporary files beside the file, with its process id. */
const LEFTOVER = /^\.(?:issues\.jsonl|beadloom\.lock)\.(\d{1,10})\.(?:\d+\.)?(?:part|former)$/

/** Folders that this process has locked: a server in a container often has the process id of its predecessor. */
const held = new Set<string>()

/**
 * Lets one Beadloom write at a time, even across servers. Removes the lock and the temporary files of a dead writer.
 * Throws `TrackerError` if it takes too long.
 */
export async function lockTracker(own: OwnFolder, clock: Clock): Promise<() => Promise<void>> {
  const path = join(own.at, LOCK_FILE)
  const end = clock.monotonic() + WAIT_MS
  while (!(await take(own, path))) {
    if (await isAbandoned(own, path)) await unlink(path).catch(() => {})
    else if (clock.monotonic() > end)
      throw new TrackerError(
        'busy',
        `another Beadloom is writing ${ISSUES_FILE} (if none is running, remove ${join(own.shown, LOCK_FILE)})`,
      )
    else await clock.sleep(LOOK_MS)
  }
  await removeLeftovers(own.at)
  return async () => {
    await unlink(path).catch(() => {})
    held.delete(own.key)
  }
}

let turn = 0

/** Takes the lock. It is linked in complete, so that it never exists without its owner's process id. */
async function take({ at, shown, key }: OwnFolder, path: string): Promise<boolean> {
  if (held.has(key)) return false
  held.add(key) // before the lock exists: another writer of this process must not take it for a leftover
  turn += 1
  const mine = join(at, `.beadloom.lock.${process.pid}.${turn}.part`)
  try {
    await writeFile(mine, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600, flag: 'wx' })
    await link(mine, path)
    return true
  } catch (error) {
    held.delete(key)
    if (codeOf(error) === 'EEXIST') return false
    const why = codeOf(error) === 'ENOENT' ? 'is not there' : `cannot be written (${codeOf(error)})`
    throw new TrackerError('broken', `${shown} ${why}`, { cause: error })
  } finally {
    await unlink(mine).catch(() => {})
  }
}

async function isAbandoned({ key }: OwnFolder, path: string): Promise<boolean> {
  const text = await readPlainFile(path, LONGEST_LOCK, 'no links').catch(() => '')
  const [, pid, host] = /^\{"pid":(\d{1,10}),"host":"([^"]*)"\}$/.exec(text) ?? []
  if (pid === undefined || host !== hostname()) return false
  return Number(pid) === process.pid ? !held.has(key) : isDead(Number(pid))
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = LEFTOVER.exec(name)?.[1]
    if (pid !== undefined && isDead(Number(pid))) await unlink(join(folder, name)).catch(() => {})
  }
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
