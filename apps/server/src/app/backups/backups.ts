import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { withKept, type LeftWork } from '@beadloom/core/execution/left-text.ts'
import { surplusBackups } from '@beadloom/core/time/backup-rule.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import { backupName, lookAtBackups } from './backup-folder.ts'
import { DISK_FLOOR_BYTES } from '../engines/server-facts.ts'

const HOUR_MS = 3_600_000
/** The longest time until a jump of the clock is noticed. */
const LOOK_MS = 60_000
/** After a failure: trying more often does not make a full disk emptier. */
const AGAIN_MS = 10 * 60_000

export type BackupDeps = {
  /** The folder of the copies; created with the first one. */
  folder: string
  database: string
  /** Copies and verifies; the copy gets its name only when it is complete. */
  backUp: (database: string, target: string) => Promise<unknown>
  /** The `seq` of the last change of the database. */
  seq: () => number
  /** The database existed before this server: a missing backup is due at once, not in an hour. */
  found: boolean
  clock: Clock
  log: Logger
  changed: () => void
  /** Containers that are kept with unsaved work. */
  kept: () => LeftWork['containers']
  /** Default: of the disk that `folder` is on. */
  freeBytes?: (folder: string) => Promise<number>
}

/** Makes a verified copy of the database every hour in which anything changes, but never fills the disk with them. */
export class Backups {
  readonly #deps: BackupDeps
  #kept: number[] = []
  #problem: string | null = null
  #seq: number | null = null
  #notBefore: number

  constructor(deps: BackupDeps) {
    this.#deps = deps
    this.#notBefore = deps.clock.monotonic() + (deps.found ? 0 : HOUR_MS)
  }

  view(): ServerStatus['backups'] {
    return { newest: this.#kept[0] ?? null, kept: this.#kept.length, problem: this.#problem }
  }

  async follow(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.look()
      await this.#deps.clock.sleep(LOOK_MS, stop)
    }
  }

  /** Makes the next one if it is due. Never rejects. */
  async look(): Promise<void> {
    const { clock, log, changed, seq } = this.#deps
    const before = this.#problem
    try {
      const { times, halves } = await lookAtBackups(this.#deps.folder)
      this.#kept = times
      if (this.#isDue(times)) {
        const now = seq()
        await this.#make(times, halves)
        this.#seq = now
        this.#problem = null
      }
    } catch (error) {
      this.#problem = messageOf(error)
      this.#notBefore = clock.monotonic() + AGAIN_MS
      log.error({ error }, 'backup failed; trying again later')
    }
    if (this.#problem !== before) changed() // a new copy alone is no change: it would cause the next copy
  }

  #isDue(times: readonly number[]): boolean {
    const { clock, seq } = this.#deps
    if (clock.monotonic() < this.#notBefore || seq() === this.#seq) return false
    const now = clock.now()
    const newest = times.find((time) => time <= now) // one from a clock that was ahead tells nothing
    return newest === undefined || now - newest >= HOUR_MS
  }

  async #make(times: readonly number[], halves: readonly string[]): Promise<void> {
    const { folder, database, backUp, clock } = this.#deps
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of halves) await rm(join(folder, name), { force: true })
    await this.#checkRoom()
    const at = Math.floor(clock.now() / 1000) * 1000
    await backUp(database, join(folder, backupName(at)))
    const all = [at, ...times]
    const surplus = new Set(surplusBackups(all))
    for (const time of surplus) await rm(join(folder, backupName(time)), { force: true })
    this.#kept = all.filter((time) => !surplus.has(time)).toSorted((a, b) => b - a)
  }

  /** Makes room: a backup must not keep executions from starting. */
  async #checkRoom(): Promise<void> {
    const { folder, database, freeBytes = freeIn } = this.#deps
    const needed = DISK_FLOOR_BYTES + (await bytesOf(database)) + (await bytesOf(`${database}-wal`))
    if ((await freeBytes(folder)) >= needed) return
    throw new StoreError(
      'no-space',
      withKept(
        `not enough disk space for a backup in ${folder}: free some, or turn backups off with --no-backups`,
        this.#deps.kept(),
      ),
    )
  }
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const bytesOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
