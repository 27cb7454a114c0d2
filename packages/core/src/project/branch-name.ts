import { utf8Length } from '../text/utf8-length.ts'

/*
 * Names that git accepts for a branch: the rules of `git check-ref-format --branch`, as a function. A name that git
 * refuses would fail only later, in the middle of an execution.
 */

/** The branch that collects verified work, unless the project names another one. */
export const DEFAULT_WORK_BRANCH = 'beadloom/work'

/** File systems end a name at 255 bytes, and a lock file needs five more. */
const MOST_BYTES_OF_PART = 240
const MOST_BYTES = 900

/**
 * The problem of a branch's name, as the rest of a sentence that begins with the setting's key; null: git accepts it.
 *
 * Stricter than git for names that no file system can store as files, and for names that look like a full ref.
 */
export function branchNameProblem(name: string): string | null {
  if (name === '') return 'must not be empty'
  if (name.startsWith('-')) return 'must not begin with "-": git would take it for an option'
  if (name === '@' || name.includes('@{')) return 'must not be "@" or contain "@{", which mean something else to git'
  if (name === 'HEAD') return 'must not be "HEAD", which means something else to git'
  if (name.startsWith('refs/')) return 'must be the name of a branch, without "refs/heads/"'
  const forbidden = forbiddenIn(name)
  if (forbidden !== null) return `must not contain ${forbidden}: git refuses it in the name of a branch`
  const parts = name.split('/')
  if (parts.includes('')) return 'must not begin or end with "/" or contain "//"'
  if (parts.some((part) => part.startsWith('.'))) return 'must not have a part that begins with "."'
  if (parts.some((part) => part.endsWith('.lock'))) return 'must not have a part that ends with ".lock"'
  if (name.includes('..') || name.endsWith('.')) return 'must not contain ".." or end with "."'
  if (parts.some((part) => utf8Length(part) > MOST_BYTES_OF_PART))
    return `must not have a part of more than ${MOST_BYTES_OF_PART} bytes`
  if (utf8Length(name) > MOST_BYTES) return `must not have more than ${MOST_BYTES} bytes`
  return null
}

/** Whether one branch's name is a folder of the other's: git cannot have both. */
export const shadows = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)

/** The first character that no branch's name may have, in words; null: there is none. */
function forbiddenIn(name: string): string | null {
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20 || code === 0x7f) return 'control characters'
    if (code >= 0xd800 && code <= 0xdfff) return 'half of a character'
    if (character === ' ') return 'a space'
    if ('~^:?*[\\'.includes(character)) return `"${character}"`
  }
  return null
}
