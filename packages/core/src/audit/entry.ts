import type { Role, SignedInBy } from '../access/roles.ts'
import { safeJson } from '../text/safe-json.ts'

/**
 * `allowed` is written before the action; `done` or `failed` after it, with its number in `of`. If neither follows, the
 * server was stopped in the middle. `refused`: the role was too low, and nothing was done.
 */
export type AuditOutcome = 'allowed' | 'done' | 'failed' | 'refused'

/** An action, or its refusal. Ids and names of fields, never a value, a text or a secret. */
export type AuditEntry = {
  /** From 1, without a gap. Numbers give the order: a clock may be set back. */
  number: number
  /** Milliseconds UTC of the server's clock. */
  at: number
  by: string
  via: SignedInBy
  /** The role there; null: none, or not checked, as in signing in. */
  role: Role | null
  /** The browser's sign-in; null: a program, or a person whom a proxy signed in. */
  signIn: number | null
  /** The client's address; '': not known. */
  address: string
  /** Our proxy that reported the address; null: it is the connection's own. */
  proxy: string | null
  /** A key of `actionWords`. */
  action: string
  /** The objects of the action: ids and names by their kind (`project`, `bead`, `execution`, …). */
  on: Readonly<Record<string, string>>
  /** Names of the fields that were changed. */
  about: string
  outcome: AuditOutcome
  /** The role that it needs, if it was refused. */
  needs: Role | null
  /** The number of the entry whose end this is. */
  of: number | null
  /** The API's stable word for the failure. */
  code: string | null
  /** The hash of the entry before it. */
  before: string
}

export type NewAuditEntry = Omit<AuditEntry, 'number' | 'at' | 'before'>

/** The previous hash in the very first entry. */
export const CHAIN_START = '0'.repeat(64)

/**
 * JSON with sorted keys, no spaces, and escaped control characters: one text for one value, which is safe to print to a
 * terminal.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return safeJson(JSON.stringify(value))
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${pairs.map(([key, one]) => `${safeJson(JSON.stringify(key))}:${canonical(one)}`).join(',')}}`
}

/** An entry as a line of an export: its own fields, and the hash of their canonical text. */
export const lineOf = (entry: AuditEntry, hash: string): string => canonical({ ...entry, hash })
