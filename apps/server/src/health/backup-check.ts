import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { durationText } from '@beadloom/core/text/duration.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { systemClock } from '../process/clock.ts'
import type { ServerSettings } from '../process/settings/settings.ts'
import { backupFolder, lookAtBackups } from '../app/backups/backup-folder.ts'

/** A server makes one in every hour with a change, and retries every ten minutes after a failure. */
const LATE_MS = 2 * 3_600_000

/** Whether the server's own copies of the database keep up with it. */
export async function checkBackups({ data, backups }: ServerSettings): Promise<Check> {
  if (!backups) return { name: 'backups', ok: true, text: 'off; "beadloom backup" makes one' }
  const folder = backupFolder(data)
  const database = join(data, 'beadloom.db')
  const [file, log] = await Promise.all([database, `${database}-wal`].map((path) => stat(path).catch(() => null)))
  if (!file) return { name: 'backups', ok: true, text: 'no database yet' }
  const changed = Math.max(file.mtimeMs, log?.mtimeMs ?? 0)
  try {
    const { times } = await lookAtBackups(folder)
    const newest = times.find((time) => time <= systemClock.now())
    const late = changed - (newest ?? file.birthtimeMs) > LATE_MS
    const text =
      newest === undefined
        ? `none yet in ${folder}`
        : `${times.length} in ${folder}, newest ${ageText(systemClock.now() - newest)}`
    if (!late) return { name: 'backups', ok: true, text }
    const fix =
      '"beadloom status" says why a running server makes none; without a server, make one with "beadloom backup"'
    return { name: 'backups', ok: false, text: `${text}: the database has changed since`, fix }
  } catch (error) {
    const why = messageOf(error)
    return { name: 'backups', ok: false, text: why, fix: `make ${folder} a folder you can read and write` }
  }
}

export const ageText = (ms: number): string =>
  ms < 60_000 ? 'just now' : `${durationText(ms).replace(/ \d+ s$/, '')} ago`
