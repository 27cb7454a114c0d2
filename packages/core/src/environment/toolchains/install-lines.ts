import type { Install } from './offer.ts'

/** A package, with or without a version. To a shell it is only a word. */
const WHAT = /^@?[a-z0-9][a-z0-9.+/-]{0,79}(?:(?:@|==)\d[\d.]{0,30})?$/
const VERSION = /^\d[\d.]{0,30}$/

const isPackage = new Set<Install['by']>(['debian', 'npm', 'pypi'])

/** The input of an image's build, a line for each. Throws if a table contains anything else: that would be a bug. */
export function installLines(installs: readonly Install[]): string {
  for (const { by, what } of installs)
    if (!(isPackage.has(by) ? WHAT : VERSION).test(what))
      throw new Error(`cannot be installed: ${JSON.stringify(what)}`)
  return installs.map(({ by, what }) => `${by} ${what}\n`).join('')
}
