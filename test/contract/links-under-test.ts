import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Links } from '@beadloom/server/src/container/sandboxes/links.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'

/** @param name the server's name: each has its own links */
export function linksIn(folder: string, name: string): Links {
  chmodSync(folder, 0o755) // the sandboxes' user must get through
  const [own, copies] = [join(folder, name), join(folder, `${name}-copies`)]
  mkdirSync(own)
  mkdirSync(copies)
  const report = (error: unknown) => {
    throw error
  }
  return { folder: own, copies, bounds: {}, clock: systemClock, report }
}
