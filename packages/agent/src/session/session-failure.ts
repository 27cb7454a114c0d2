/** The session cannot go on, and that is no bug of ours: the sentence says what happened and what to do. */
export class SessionFailure extends Error {
  override name = 'SessionFailure'
}
