import type { EventEmitter } from 'node:events'
import { systemClock, type Clock } from '../../process/clock.ts'
import { exitCode } from '../exit-code.ts'

/** One Ctrl-C arrives several times: from the terminal, and again from npm and the script that started us. */
const SAME_SIGNAL_MS = 500

type Process = Pick<EventEmitter, 'on'> & { exit: (code: number) => void; connected?: boolean; disconnect?: () => void }

/**
 * Resolves when the server should stop: at a signal, or at the end of the script that started it. A second signal exits
 * at once; the next start recovers the rest, as after a crash.
 */
export function untilAskedToStop(process: Process, clock: Clock = systemClock): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | null = null
    const ask = (): void => {
      if (askedAt !== null && clock.monotonic() - askedAt > SAME_SIGNAL_MS) process.exit(exitCode.interrupted)
      askedAt ??= clock.monotonic()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ask)
    // A script that dies while we stop must not hurry us.
    if (process.connected) process.on('disconnect', () => resolve())
  })
}
