import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileStamp } from '@beadloom/core/text/file-stamp.ts'

/** Also holds the backups of `beadloom backup`, which a server never removes. */
export const backupFolder = (data: string): string => join(data, 'backups')

const OURS = /^auto-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/
const HALF = /^auto-.*\.part/

export const backupName = (at: number): string => `auto-${fileStamp(at)}.db`

/** `times`: the server's own backups, newest first. `halves`: files of unfinished ones. */
export async function lookAtBackups(folder: string): Promise<{ times: number[]; halves: string[] }> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return { times: names.flatMap(timeOf).toSorted((a, b) => b - a), halves: names.filter((name) => HALF.test(name)) }
}

function timeOf(name: string): number[] {
  const parts = OURS.exec(name)?.slice(1).map(Number)
  if (!parts) return []
  const [year = 0, month = 1, day, hour, minute, second] = parts
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  return backupName(time) === name ? [time] : []
}
