import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import type { ListedBead } from '@beadloom/core/records/bead.ts'

/* The real bd that `scripts/bd.mjs` builds. It is missing without Go, and required with it. */

/** The same version as in `scripts/bd.mjs`, which any Node runs. */
export const BD_VERSION = process.env['BD_VERSION'] || '1.0.5'
/** Whether the tests run on this release or a later one. */
export const isSince = (version: string): boolean => BD_VERSION.localeCompare(version, 'en', { numeric: true }) >= 0

/** Ready beads in the order in which this release lists them: since 1.3, the oldest first. */
export const asListed = (ready: readonly ListedBead[]): string[] =>
  (isSince('1.3.0')
    ? ready.toSorted((a, b) => a.priority - b.priority || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    : ready
  ).map(({ id }) => id)

const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
const bdFolder = join(cache, 'beadloom', `bd-${BD_VERSION}`)

const hasGo = (): boolean => (process.env['PATH'] ?? '').split(delimiter).some((one) => existsSync(join(one, 'go')))

export const hasBd = (): boolean => existsSync(join(bdFolder, 'bd'))

/** Tests that need bd: skipped if it cannot be built, unless everything is required and Go is there. */
export function needsBd(): typeof test {
  if (hasBd()) return test
  if (process.env['REQUIRE_ALL'] === '1' && hasGo()) return test
  console.warn(`skipped: no bd ${BD_VERSION} in ${bdFolder}; npm test -- bd builds it where Go is installed`)
  return test.skip as typeof test
}

/** A person's environment with that bd on the PATH, without anybody's settings for it. */
export function bdEnvironment(home: string): Record<string, string> {
  mkdirSync(home, { recursive: true })
  return {
    PATH: `${bdFolder}${delimiter}${process.env['PATH'] ?? '/usr/bin:/bin'}`,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    BD_NON_INTERACTIVE: '1',
    NO_COLOR: '1',
  }
}

/** `bd` in a terminal, as a person types it. */
export function bdIn(folder: string, env: Record<string, string>): (...args: string[]) => string {
  return (...args) =>
    execFileSync(join(bdFolder, 'bd'), args, {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 28,
    })
}

/** The same, while a server in this process continues. */
export function bdBeside(folder: string, env: Record<string, string>): (...args: string[]) => Promise<string> {
  return async (...args) => {
    const options = { cwd: folder, env, maxBuffer: 2 ** 28 }
    return (await promisify(execFile)(join(bdFolder, 'bd'), args, options)).stdout
  }
}

export const initBd = (bd: ReturnType<typeof bdIn>, prefix: string): string =>
  bd('init', '--quiet', '--stealth', '--prefix', prefix, '--non-interactive', '--skip-agents', '--skip-hooks')
