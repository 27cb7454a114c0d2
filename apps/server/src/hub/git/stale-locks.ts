import { rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import type { GitCall } from './git-call.ts'

/** A lock of a git that still runs is seconds old; an older one was left by a machine that lost power, or a server before. */
const STALE_LOCK_MS = 60_000
/** A file's time may be that much before the clock's. */
const COARSE_MS = 2_000

/** Those that stay for hours and never take a lock. */
const READS = new Set(['cat-file'])

type Work = { since: number }

/**
 * Locks in our own clones that a killed git has left. Nobody else works there, so a lock is held by a git of this server
 * that runs, or by one of the server before, for some seconds more; any other is in everybody's way until it is removed.
 */
export class StaleLocks {
  readonly #clock: Clock
  readonly #begun: number
  readonly #works = new Map<string, Set<Work>>()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#begun = clock.now()
  }

  /** A git begins to work in a clone. Returns its end, which may be said more than once. */
  begin({ args, gitDir, worksIn = gitDir }: GitCall): () => void {
    if (worksIn === undefined || READS.has(args[0] ?? '')) return () => {}
    const works = this.#works.get(worksIn) ?? new Set()
    const work = { since: this.#clock.now() }
    this.#works.set(worksIn, works.add(work))
    return () => {
      works.delete(work)
      if (works.size === 0 && this.#works.get(worksIn) === works) this.#works.delete(worksIn)
    }
  }

  /** Removes the lock that a git has named as being in its way. True: it was stale, so the same may be tried again. */
  async dropNamed(gitDir: string | undefined, stderr: string): Promise<boolean> {
    const named = /Unable to create '(.+?\.lock)': File exists/.exec(stderr)?.[1]
    return gitDir !== undefined && named !== undefined && this.drop(gitDir, named)
  }

  /** @param path of the lock, from the clone or from the root */
  async drop(gitDir: string, path: string): Promise<boolean> {
    const lock = resolve(gitDir, path)
    const inside = relative(gitDir, lock)
    if (inside.startsWith('..') || isAbsolute(inside)) return false
    const found = await stat(lock).catch(() => null)
    if (found === null || !this.#isStale(gitDir, found.mtimeMs)) return false
    await rm(lock, { force: true })
    return true
  }

  #isStale(gitDir: string, madeAt: number): boolean {
    const isHeld = [...(this.#works.get(gitDir) ?? [])].some(({ since }) => since - COARSE_MS <= madeAt)
    return !isHeld && (madeAt >= this.#begun || this.#clock.now() - madeAt > STALE_LOCK_MS)
  }
}

/** Locks that a push of this ref needs. */
export const locksOfPush = (ref: string): string[] => ['packed-refs.lock', join('.', `${ref}.lock`)]
