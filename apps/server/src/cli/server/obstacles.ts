import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { Clock } from '../../process/clock.ts'
import { NOT_CHECKED } from '../../app/engines/engine-facts.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** The server itself checks every 5 s. */
const LOOK_MS = 1_000

type Seen = Pick<ServerStatus, 'docker' | 'disk' | 'database'>

/** Tells the person at the server's terminal which engine was chosen, when nothing can run, and when it can again. */
export async function showObstacles(
  status: () => Seen,
  write: (line: string) => void,
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  let told: string | null = null
  let engine: string | null = null
  while (!stop.aborted) {
    const { docker } = status()
    if (docker.ok && docker.where !== null && docker.where !== engine)
      write(`Container engine: ${oneLiner(docker.text)}; ${oneLiner((engine = docker.where))}`)
    const now = obstacleOf(status())
    if (now !== told)
      write(now === null ? '✓ Docker, the disk and the database are fine again: work continues.' : `✕ ${now}`)
    told = now
    await clock.sleep(LOOK_MS, stop)
  }
}

/** The obstacle that stops everything, in a sentence; null if there is none. */
export function obstacleOf({ docker, disk, database }: Seen): string | null {
  if (!docker.ok)
    return docker.text === NOT_CHECKED ? null : `Nothing can run until Docker answers: ${oneLiner(docker.text)}`
  if (!disk.ok) return 'Nothing new starts: less than 2 GiB of disk space is free.'
  if (database) return `Changes wait for the database: ${oneLiner(database.text)}.`
  return null
}
