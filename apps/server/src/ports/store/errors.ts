export type StoreErrorKind =
  /** Another server has this data folder open. */
  | 'in-use'
  | 'not-writable'
  | 'corrupt'
  /** Written by a newer Beadloom. */
  | 'newer'
  /** A database, but not one of Beadloom's. */
  | 'foreign'
  /** Another connection holds the database's lock: the same call may succeed a moment later. */
  | 'busy'
  | 'no-space'
  /** The disk under the database answered with an error. */
  | 'disk'
  /** The database was moved, removed or replaced under the running server. */
  | 'gone'
  /** A folder that had a database has none, or an empty file in its place. */
  | 'lost'
  /** There is no such project, execution, session, review or pull request. */
  | 'missing'
  /** It exists, but this may not be done to it now ("project x has a live execution"). */
  | 'refused'

export class StoreError extends Error {
  override name = 'StoreError'
  readonly kind: StoreErrorKind
  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

const passing: ReadonlySet<StoreErrorKind> = new Set(['busy', 'no-space', 'disk', 'gone'])

/** Nothing is wrong with the data: the same call works once the database can be written again. */
export const isPassing = (error: unknown): error is StoreError => error instanceof StoreError && passing.has(error.kind)
