/** A request with an Idempotency-Key. `scope` is its method and path, `digest` names its body. */
export type KeyedRequest = { scope: string; key: string; digest: string }

/** A client's answer: status, JSON text ('' for none), and the `seq` of the change. */
export type KeptAnswer = { status: number; body: string; seq: number }

/**
 * `made`: this request made something before the server died, or its answer was too long to keep: the handler finds the
 * thing by this id (`Once`). Null: the request is new.
 */
export type KnownRequest =
  | { is: 'answered'; answer: KeptAnswer }
  | { is: 'other body' }
  | { is: 'open'; made: string | null }

/** Answers of the last 24 hours, bounded in number and bytes. The oldest go first. */
export interface RequestKeys {
  knownRequest(request: KeyedRequest): KnownRequest
  /** Acts and notes the id of the result, in one transaction. For null nothing is noted. */
  makeOnce<T>(request: KeyedRequest, work: () => T, made: (result: T) => string | null): T
  answerRequest(request: KeyedRequest, answer: KeptAnswer): void
}
