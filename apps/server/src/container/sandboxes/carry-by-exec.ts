import type { Carrier } from '../../link/carried-link.ts'
import type { SandboxLink } from '../../link/sandbox-link.ts'
import type { Clock } from '../../process/clock.ts'
import { limited } from '../../process/within.ts'
import type { LinkWay } from '../containers.ts'

/** A supervisor takes a moment to start; an engine may be away for minutes. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** The longest time for a supervisor to connect to its socket before the server tries exec. */
const SOCKET_MS = 10_000

export type ByExec = {
  link: SandboxLink
  linkBy: () => Promise<LinkWay>
  /** Starts a new process in the container. */
  carrier: () => Promise<Carrier>
  /** Aborts when the container has ended, or nobody wants the link any more. */
  over: AbortSignal
  clock: Clock
}

/**
 * Keeps a link carried by processes that the engine starts in the container, one after the other. If supervisors
 * connect to a socket, it does so only if none comes: the container may be older than this engine's address.
 */
export async function carryByExec({ link, linkBy, carrier, over, clock }: ByExec): Promise<void> {
  let pause = FIRST_PAUSE_MS
  let isLate = false
  while (!over.aborted && !link.isClosed) {
    if (link.isCarried) {
      const since = clock.monotonic()
      await link.until(() => !link.isCarried, over)
      // A session can end its own carriers again and again, and each costs the engine a process and its machine a fork.
      if (link.wasTaken && clock.monotonic() - since >= LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS
      isLate = false
      continue
    }
    const way = await linkBy().catch(() => null)
    if (way === 'exec' || (way === 'socket' && isLate)) {
      const found = await carrier().catch(() => null)
      if (found) link.carry(found)
    } else if (way === 'socket') {
      const limit = { clock, ms: SOCKET_MS, or: over }
      isLate = !(await limited(limit, (signal) => link.until(() => link.isCarried, signal)))
      continue
    }
    await clock.sleep(pause, over)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}
