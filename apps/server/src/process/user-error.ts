/** A sentence for the person at the terminal: what happened and what to do. It is shown without a stack trace. */
export class UserError extends Error {
  override name = 'UserError'
}
