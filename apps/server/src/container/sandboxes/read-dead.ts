import type { Readable } from 'node:stream'
import { EngineError } from '../../ports/engine.ts'
import type { Clock } from '../../process/clock.ts'
import { isShortage, patiently } from '../../process/patiently.ts'
import { DeadSession } from './dead-session.ts'

export type DeadOptions = {
  /** The session's folder in its container, as a tar stream; null: it is gone. */
  archive: () => Promise<Readable | null>
  /** The place of the copy. The next server removes it with the container's other copies. */
  folder: string
  clock: Clock
  /** Aborts when nobody needs it any more. */
  leave: AbortSignal
}

/**
 * Reads the session from the disk of its ended container: its last output and its end are nowhere else. So it waits for
 * an engine that is away, a full disk and a free file. Null: the container is gone, or has no such session.
 */
export async function readDead({ archive, folder, clock, leave }: DeadOptions): Promise<DeadSession | null> {
  const read = async () => {
    const tar = leave.aborted ? null : await archive()
    return tar && DeadSession.read(tar, folder, clock.now())
  }
  try {
    return await patiently(clock, leave, read, passes)
  } catch (error) {
    // The one who leaves may have removed the container and our copies of it, too.
    if (error instanceof EngineError || (leave.aborted && (isShortage(error) || isRemoved(error)))) return null
    throw error
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof EngineError && (error.kind === 'unreachable' || error.kind === 'timed-out')

/** Whether the folder is being removed while it is written. */
const isRemoved = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTEMPTY')

const passes = (error: unknown): boolean => isAway(error) || isShortage(error)
