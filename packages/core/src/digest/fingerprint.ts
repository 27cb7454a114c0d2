import type { Finding } from './digest-tool.ts'

/** Longer titles are compared by their start. */
const MAX_KEY = 600

// None can begin after a character of its own kind, so that a long run of one character is read once.
const UUID = /(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])/gi
const CLOCK = /(?<![\d:])(?:\d{4}-\d\d-\d\d[T ]?)?\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g
const LAPSE = /(?<![\w.])\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|secs?|seconds?|min|minutes?|m)\b/g
const HASH = /(?<![\da-z])(?:0x[\da-f]+|[\da-f]{7,128})(?![\da-z])/gi
const NUMBER = /\d+(?:[.,]\d+)*/g
/** The folders in front of a name. The name stays: it is what a person would call the place. */
const FOLDERS = /(?<![\w.@~+%-])(?:[A-Za-z]:)?(?:[\w.@~+%-]*[\\/])+/g

/** Folders of the machine: the folders of a project stay, because they tell its tests apart. */
const ROOTED_FOLDERS = /(?<![\w.@~+%-])(?:[A-Za-z]:)?[\\/](?:[\w.@~+%-]*[\\/])*/g

/** Numbers that differ in each run: lines, ports and ids. Numbers in names are short. */
const LONG_NUMBER = /(?<!\d)(?:\d{1,3}[.,]\d{3,}|\d{4,})(?:[.,]\d+)*|(?<=:)\d+/g

/**
 * Removes the differences between two runs of the same failure: folders, line numbers, hashes, times, amounts. The rest
 * names the file, the rule or the assertion.
 */
export const maskText = (text: string): string => masked(text, NUMBER, FOLDERS)

/** The name of a test: `test_v1` and `test_v2` are two, and so are `adds[1-2]` and `adds[3-4]`. */
export const testKey = (title: string): string => masked(title, LONG_NUMBER, FOLDERS)

/** Keeps the folders of the project: `a/index.test.ts > works` is not `b/index.test.ts > works`. */
export const placedKey = (title: string): string => masked(title, LONG_NUMBER, ROOTED_FOLDERS)

function masked(text: string, numbers: RegExp, folders: RegExp): string {
  return text
    .slice(0, MAX_KEY)
    .replace(CLOCK, '<time>')
    .replace(UUID, '<hash>')
    .replace(folders, '')
    .replace(LAPSE, '<time>')
    .replace(HASH, (found) => (/\d/.test(found) && !/^\d+$/.test(found) ? '<hash>' : found))
    .replace(numbers, '#')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The key of a finding when two digests are compared. */
export function findingKey(tool: string, { title, detail }: Finding): string {
  return detail === '' ? `${tool}: ${maskText(title)}` : `${tool}: ${maskText(title)} | ${maskText(detail)}`
}

/** 32 hex digits, the same for the same keys in any order. Not secure: it only tells failures apart. */
export function fingerprintOf(keys: readonly string[]): string {
  const text = keys.toSorted().join('\n')
  return [0x2545f491, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35].map((seed) => hash32(text, seed)).join('')
}

/** FNV-1a from the given seed, with the last mixing step of MurmurHash3. */
function hash32(text: string, seed: number): string {
  let state = (0x811c9dc5 ^ seed) >>> 0
  for (let at = 0; at < text.length; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
    state = (state << 5) | (state >>> 27)
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return ((state ^ (state >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
