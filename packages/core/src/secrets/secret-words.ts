import { endOfPath } from '../text/end-of-path.ts'
import type { FoundSecret } from './found-secret.ts'

/** The reaction to work that adds something that looks like a secret; `off`: nobody looks. */
export const secretModes = ['refuse', 'tell', 'off'] as const
export type SecretMode = (typeof secretModes)[number]

/** The check that refuses secrets. */
export const NO_SECRETS = 'no secrets'

const FIRST = 4

/**
 * A sentence with the place of a secret, and only its beginning and its length. `mark`: identifies the secret without
 * revealing more. `all`: all findings, because one may be in the path.
 */
export function secretText(found: FoundSecret, mark: string, all: readonly FoundSecret[] = [found]): string {
  const { rule, line, commit, secret } = found
  const path = placeOf(found, all)
  const where = `${endOfPath(path)}${line === 0 || found.path === '' ? '' : `:${line}`}`
  const when = commit === '' || found.path === '' ? '' : ` in the earlier commit ${commit.slice(0, 12)}`
  const shape = rule === KEY_FILE ? '' : `${shapeOf(rule, secret)}; `
  return `${where}: ${nameOf(rule)}${when} (${shape}${mark})`
}

/** The place of a finding; a file's name may contain a secret itself. */
function placeOf({ path, line, commit, secret }: FoundSecret, all: readonly FoundSecret[]): string {
  if (path === '') return `the message of the commit ${commit.slice(0, 12)}`
  const inName = line === 0 && secret !== '' && path.includes(secret)
  return `${inName ? 'the name of ' : ''}${maskedPath(path, all)}`
}

/** A path without the secrets in it. */
export const maskedPath = (path: string, all: readonly Pick<FoundSecret, 'secret'>[]): string =>
  all
    .filter(({ secret }) => secret.length >= 3 * FIRST && path.includes(secret))
    .reduce((text, { secret }) => text.replaceAll(secret, `${secret.slice(0, FIRST)}…`), path)

/** The sentence about a file that is too large. `size`: in words. */
export const unsearchedText = (path: string, size: string): string =>
  `${endOfPath(path)}: not searched for secrets (${size})`

const nameOf = (rule: string): string => rule.replaceAll('-', ' ')

const shapeOf = (rule: string, secret: string): string => {
  const size = `${secret.length} characters`
  if (rule === 'private-key' || secret.length < 3 * FIRST) return size
  return `${secret.slice(0, FIRST).replaceAll(/[^!-~]/g, '·')}…, ${size}`
}

/** The rule for a file that is a key by its name. */
export const KEY_FILE = 'key file'

/**
 * The mark in a finding: two sentences with the same mark are about the same secret, even if it has moved in the file;
 * null: no mark.
 */
export const markIn = (finding: string): string | null => /[(\s]([0-9a-f]{16})\)$/.exec(finding)?.[1] ?? null

export const TOO_MUCH_FOR_SECRETS = 'the change is too large, or takes too much work, to be searched for secrets'
export const MORE_SECRETS = 'there is more that looks like a secret than is listed'
