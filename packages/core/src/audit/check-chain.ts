import { isObject, type JsonObject } from '../text/json-object.ts'
import { canonical, CHAIN_START } from './entry.ts'

export type ChainEnd = { number: number; hash: string }

const HASH = /^[0-9a-f]{64}$/

/**
 * Follows an exported chain line by line. An export may begin in the middle, where an older file ends; with both files,
 * add the lines of both.
 */
export class ChainCheck {
  readonly #sha256: (text: string) => string
  #first: (ChainEnd & { before: string }) | null = null
  #last: ChainEnd | null = null

  /** @param sha256 the digest of a text's UTF-8, in hexadecimal */
  constructor(sha256: (text: string) => string) {
    this.#sha256 = sha256
  }

  /** The first entry, with its hash of the one before it. */
  get first(): (ChainEnd & { before: string }) | null {
    return this.#first
  }

  /** The head, so far. */
  get last(): ChainEnd | null {
    return this.#last
  }

  /** Why the chain ends before this line; null: it follows. After a problem no further line counts. */
  add(line: string): string | null {
    const entry = objectIn(line)
    if (entry === null) return 'it is not a JSON object'
    const { hash, ...rest } = entry
    const { number, before } = rest
    if (!isNumber(number) || !isHash(hash) || !isHash(before)) return 'it is no entry of an audit log'
    const expected = (this.#last?.number ?? number - 1) + 1
    if (number !== expected) return `entry ${expected} is missing: this is entry ${number}`
    if (line !== canonical(entry) || this.#sha256(canonical(rest)) !== hash)
      return `entry ${number} was changed: its hash does not fit`
    const follows = this.#last?.hash ?? (number === 1 ? CHAIN_START : before)
    if (before !== follows) return `entry ${number} does not follow on the one before it, which was changed or replaced`
    this.#first ??= { number, hash, before }
    this.#last = { number, hash }
    return null
  }
}

/**
 * Why a stored log does not begin where it has to; null: it does.
 *
 * @param first its oldest entry; null: it has none
 * @param begins the last entry that was archived, by number and hash; `number` 0: none ever was
 */
export function wrongStart(first: (ChainEnd & { before: string }) | null, begins: ChainEnd): string | null {
  // Archiving adds an entry itself, which stays.
  if (first === null) return begins.number === 0 ? null : `it has no entry, and was archived up to ${begins.number}`
  if (first.number === begins.number + 1 && first.before === begins.hash) return null
  const archived = begins.number === 0 ? 'nothing was ever archived' : `it was archived up to entry ${begins.number}`
  return `it begins with entry ${first.number}, and ${archived}`
}

const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value)
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

function objectIn(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
