export type StoreErrorKind =
  /** Another server has this data folder open. */
  | 'in-use'
  | 'not-writable'
  | 'corrupt'
  /** Written by a newer Beadloom. */
  | 'newer'
  /** A database, but not one of Beadloom's. */
  | 'foreign'
  | 'no-space'
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
