import type { ServerStatus } from '@beadloom/core/api/api.ts'
import type { Clock } from '../../process/clock.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** The server itself looks every 5 s. */
const LOOK_MS = 1_000

type Seen = Pick<ServerStatus, 'docker' | 'disk'>

/** Tells the person at the server's terminal when nothing can run, and when it can again. */
export async function showObstacles(
  status: () => Seen,
  write: (line: string) => void,
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  let told: string | null = null
  while (!stop.aborted) {
    const now = obstacleOf(status())
    if (now !== told) write(now === null ? '✓ Docker and the disk are well again: work goes on.' : `✕ ${now}`)
    told = now
    await clock.sleep(LOOK_MS, stop)
  }
}

function obstacleOf({ docker, disk }: Seen): string | null {
  if (!docker.ok) return docker.text === UNKNOWN ? null : `Nothing runs until Docker answers: ${oneLiner(docker.text)}`
  if (!disk.ok) return 'Nothing new starts: less than 2 GiB of disk are free.'
  return null
}

/** What the server says of Docker before it has looked for the first time. */
const UNKNOWN = 'not looked at yet'
