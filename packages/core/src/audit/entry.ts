import type { Role } from '../access/roles.ts'
import type { SignedInBy } from '../api/people-api.ts'
import { safeJson } from '../text/safe-json.ts'

/**
 * `allowed` is written before it is done; `done` or `failed` after it, with its number in `of`. One that has neither:
 * the server was stopped in the middle. `refused`: their role was too low, and nothing was done.
 */
export type AuditOutcome = 'allowed' | 'done' | 'failed' | 'refused'

/** Somebody did this, or was refused. Ids and names of fields, never a value, a text or a secret. */
export type AuditEntry = {
  /** From 1, without a gap. The order is theirs: a clock may be set back. */
  number: number
  /** Milliseconds UTC, as the server's clock said. */
  at: number
  by: string
  via: SignedInBy
  /** Their role where it was done; null: none, or not looked at, as in signing in. */
  role: Role | null
  /** The browser's sign-in; null: a program, or somebody whom a proxy has signed in. */
  signIn: number | null
  /** From where they came; '': it is not known. */
  address: string
  /** The proxy of ours that says so; null: the address is the connection's own. */
  proxy: string | null
  /** A key of `actionWords`. */
  action: string
  /** To what it was done: ids and names, by what they are (`project`, `bead`, `execution`, …). */
  on: Readonly<Record<string, string>>
  /** Names of the fields that were changed. */
  about: string
  outcome: AuditOutcome
  /** The role that it takes, where it was refused. */
  needs: Role | null
  /** The entry whose end this is. */
  of: number | null
  /** Why it failed, as a stable word of the API. */
  code: string | null
  /** The hash of the entry before it. */
  before: string
}

export type NewAuditEntry = Omit<AuditEntry, 'number' | 'at' | 'before'>

/** The first entry of all has this for the hash of the one before it. */
export const CHAIN_START = '0'.repeat(64)

/**
 * JSON with its keys in order, no spaces, and what a terminal would obey escaped: one text for one value, which can be
 * printed as it is.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return safeJson(JSON.stringify(value))
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${pairs.map(([key, one]) => `${safeJson(JSON.stringify(key))}:${canonical(one)}`).join(',')}}`
}

/** An entry as a line of an export: its own fields, and the hash of their canonical text. */
export const lineOf = (entry: AuditEntry, hash: string): string => canonical({ ...entry, hash })
