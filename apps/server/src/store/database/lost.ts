import { counted } from '@beadloom/core/text/count-text.ts'
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { uptime } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { durationText } from '@beadloom/core/text/duration.ts'
import { shellWord } from '@beadloom/core/text/shell-word.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { otherThanFile } from '../../process/plain-file.ts'
import { lacksFrames } from './log-index.ts'

/** A whole copy of the database, and when it was made (milliseconds UTC). */
export type Copy = { file: string; at: number }

/**
 * Called before the database at `file` is opened: a pipe would block for ever, and SQLite's words for a folder or a
 * socket help nobody. Throws `StoreError` `not-writable`.
 */
export function refuseOther(file: string): void {
  for (const path of ['', '.lock', '-wal', '-shm'].map((ending) => `${file}${ending}`)) {
    const found = statSync(path, { throwIfNoEntry: false })
    const other = found ? otherThanFile(found) : null
    const away = found ? null : leadsNowhere(path)
    if (other === null && away === null) continue
    const what =
      away === null
        ? `is ${other}, and the database has to be a file there: move it away`
        : `is a link to ${away}, and there is no such folder: mount the disk that has it, or remove the link`
    throw new StoreError(
      'not-writable',
      `${path} ${what}. If the database was lost, "beadloom restore" goes back to the newest backup (docs/operation.md)`,
    )
  }
}

/** The target of a link that could not even be created; null for anything else. */
function leadsNowhere(path: string): string | null {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return null
  const target = resolve(dirname(path), readlinkSync(path))
  return existsSync(dirname(target)) ? null : target
}

/**
 * Called before a database is made: a folder with a server's other files has had one. Treating that as a first start
 * would silently leave its work behind. Throws `StoreError` `lost`.
 */
export function refuseLost(file: string, now: number): void {
  const there = lstatSync(file, { throwIfNoEntry: false })
  refuseLostLog(file, there !== undefined, now)
  const bytes = there ? (statSync(file, { throwIfNoEntry: false })?.size ?? 0) : 0
  if (bytes > 0) return
  const left = whatIsLeft(file)
  if (left.length === 0) return
  const what = there ? `${file} is empty` : `${file} is missing`
  throw new StoreError(
    'lost',
    `${what}, but this data folder is not new: it has ${left.join(', ')}. Nothing was changed. ${wayBack(file, now)}`,
  )
}

/**
 * SQLite leaves both files or none: the index of a log without the log, or with less than it counts, means that
 * somebody removed its contents. After a power cut the index proves nothing, since it may not have reached the disk.
 */
function refuseLostLog(file: string, hasDatabase: boolean, now: number): void {
  const index = statSync(`${file}-shm`, { throwIfNoEntry: false })
  if (!hasDatabase || !index) return
  const log = lstatSync(`${file}-wal`, { throwIfNoEntry: false })
  const isOfThisBoot = index.mtimeMs > now - uptime() * 1000
  if (log && !(isOfThisBoot && index.size > 0 && lacksFrames(file))) return
  throw new StoreError(
    'lost',
    `${file}-wal is ${log ? 'shorter than it was' : 'missing'}, and the server that wrote it did not stop in order: its newest changes ${log ? 'were' : 'are'} in there, and beads that ended then would run again. Put it back. Or continue without them: remove ${file}-shm`,
  )
}

/** Advice about an unusable database, in a sentence or two. */
export function wayBack(file: string, now: number): string {
  const folder = dirname(file)
  const [newest, ...more] = copiesOf(file)
  if (!newest)
    return `There is no backup in ${join(folder, 'backups')}. If you have a copy elsewhere, put it back with: beadloom restore FILE --data ${shellWord(folder)}. To start anew, use another data folder`
  const others =
    more.length === 0 ? '' : ` (${more.length} older ${more.length === 1 ? 'one is' : 'ones are'} kept too)`
  const age = durationText(Math.max(0, now - newest.at))
  return `The newest backup is ${newest.file}, made ${age} ago${others}. To go back to it: beadloom restore --data ${shellWord(folder)}`
}

/** Newest first: the server's own, people's, and those from before an update. */
export function copiesOf(file: string): Copy[] {
  const folder = dirname(file)
  const backups = namesIn(join(folder, 'backups')).filter((name) => name.endsWith('.db'))
  const before = namesIn(folder).filter((name) => name.startsWith(`${basename(file)}.v`) && name.endsWith('.backup'))
  return [...backups.map((name) => join(folder, 'backups', name)), ...before.map((name) => join(folder, name))]
    .flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat?.isFile() && stat.size > 0 ? [{ file: path, at: madeAt(path) ?? stat.mtimeMs }] : []
    })
    .toSorted((a, b) => b.at - a.at)
}

/** The time in the name, which a copy of the folder keeps. */
function madeAt(path: string): number | null {
  const [, date, hours, minutes, seconds] = /-(\d{8})T(\d\d)(\d\d)(\d\d)Z\.db$/.exec(path) ?? []
  if (!date) return null
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(at) ? null : at
}

function whatIsLeft(file: string): string[] {
  const folder = dirname(file)
  const hubs = namesIn(join(folder, 'hub')).filter((name) => name.endsWith('.git')).length
  const logs = namesIn(join(folder, 'logs')).length
  const copies = copiesOf(file).length
  const unfolded = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  return [
    ...counting(hubs, 'repository', 'repositories'),
    ...counting(logs, 'folder of logs', 'folders of logs'),
    ...counting(copies, 'backup', 'backups'),
    ...(unfolded ? [`${basename(file)}-wal`] : []),
  ]
}

const counting = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [counted(count, one, many)]

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // none, or no readable one
  }
}
