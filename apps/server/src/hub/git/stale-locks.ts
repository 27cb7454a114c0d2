import type { ChildProcess } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import type { GitCall } from './git-call.ts'

/** A running git's lock is seconds old; an older one comes from a power failure or an earlier server. */
const STALE_LOCK_MS = 60_000
/** A file's time may be that much behind the clock's. */
const COARSE_MS = 2_000

/** By then a lock that nobody known holds is stale. */
export const LONGEST_LOCK_MS = STALE_LOCK_MS + 5_000
const LOOK_EVERY_MS = 200

/** Such a git may run for hours, and never takes a lock. */
const READS = new Set(['cat-file'])

/** A git that works in a clone. `killedAt` null: it still runs, or cannot be ended. */
type Work = { clone: string; since: number; killedAt: number | null }

/**
 * Locks in our own clones that a killed git has left. Only this server works there, so a lock belongs to a running git
 * of this server or, for some seconds more, of the server before; any other blocks everybody until it is removed. A
 * fresh lock counts as stale only if a git of this server was killed while it may have made it. Nobody can tell whether
 * a git of the server before still runs, as after a kill of that server alone, so its lock is waited for, not removed.
 */
export class StaleLocks {
  readonly #clock: Clock
  readonly #works = new Set<Work>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Follows a git in a clone until its process is gone, even long after anybody waits for it. */
  follow({ args, gitDir, worksIn = gitDir }: GitCall, child: ChildProcess): void {
    if (worksIn === undefined || READS.has(args[0] ?? '')) return
    const now = this.#clock.now()
    for (const one of this.#works)
      if (one.killedAt !== null && now - one.killedAt > STALE_LOCK_MS) this.#works.delete(one)
    const work: Work = { clone: worksIn, since: now, killedAt: null }
    this.#works.add(work)
    child.once('error', () => this.#works.delete(work))
    child.once('close', (_code, signal) => {
      // A git that ended by itself has removed its locks.
      if (signal === null) this.#works.delete(work)
      else work.killedAt = this.#clock.now()
    })
  }

  /**
   * Waits for the lock in our clone that a git has named as being in its way, and removes it once it is stale. True: it
   * is gone, so another try makes sense.
   */
  async gone({ gitDir, signal }: Pick<GitCall, 'gitDir' | 'signal'>, stderr: string, until: number): Promise<boolean> {
    const named = /Unable to create '(.+?\.lock)': File exists/.exec(stderr)?.[1]
    if (gitDir === undefined || named === undefined) return false
    const lock = inOwnClone(gitDir, named)
    if (lock === null) return false
    for (; !signal?.aborted; await this.#clock.sleep(LOOK_EVERY_MS, signal)) {
      if (await this.drop(gitDir, lock)) return true
      if (this.#clock.monotonic() >= until) return false
      if ((await stat(lock).catch(() => null)) === null) return true
    }
    return false
  }

  /** @param path of the lock, from the clone or from the root */
  async drop(gitDir: string, path: string): Promise<boolean> {
    const lock = inOwnClone(gitDir, path)
    if (lock === null) return false
    const found = await stat(lock).catch(() => null)
    if (found === null || !this.#isStale(gitDir, found.mtimeMs)) return false
    await rm(lock, { force: true })
    return true
  }

  #isStale(gitDir: string, madeAt: number): boolean {
    const makers = [...this.#works].filter(({ clone, since }) => clone === gitDir && since - COARSE_MS <= madeAt)
    if (makers.some(({ killedAt }) => killedAt === null)) return false
    // A file's time has fractions of a millisecond; the clock does not.
    const isOfKilled = makers.some(({ killedAt }) => killedAt !== null && Math.floor(madeAt) <= killedAt)
    // A time far ahead was noted by a wall clock that was wrong.
    return isOfKilled || Math.abs(this.#clock.now() - madeAt) > STALE_LOCK_MS
  }
}

/** The whole path; null: it leads out of the clone. */
function inOwnClone(gitDir: string, path: string): string | null {
  const lock = resolve(gitDir, path)
  const inside = relative(gitDir, lock)
  return inside.startsWith('..') || isAbsolute(inside) ? null : lock
}

/** Locks that a push of this ref needs. */
export const locksOfPush = (ref: string): string[] => ['packed-refs.lock', join('.', `${ref}.lock`)]
