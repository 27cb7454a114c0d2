import type { Install } from './offer.ts'

/** A package, with a version or without one. Nothing in it is more than a word to a shell. */
const WHAT = /^@?[a-z0-9][a-z0-9.+/-]{0,79}(?:(?:@|==)\d[\d.]{0,30})?$/
const VERSION = /^\d[\d.]{0,30}$/

const isPackage = new Set<Install['by']>(['debian', 'npm', 'pypi'])

/** What the build reads, a line for each. Throws where a table has let something through: that would be a bug. */
export function installLines(installs: readonly Install[]): string {
  for (const { by, what } of installs)
    if (!(isPackage.has(by) ? WHAT : VERSION).test(what))
      throw new Error(`cannot be installed: ${JSON.stringify(what)}`)
  return installs.map(({ by, what }) => `${by} ${what}\n`).join('')
}
