/** Values that a browser keeps, sealed, between leaving for the provider and coming back. */
export type SignInChecks = { state: string; nonce: string; verifier: string }

export type SignedIn = { subject: string; name: string; groups: string[] }

/** Signs people in elsewhere. Every failure is a `SignInError`, in words that a person may read. */
export interface SignInProvider {
  /** The address at which somebody signs in. */
  begin(): Promise<{ url: string; checks: SignInChecks }>
  /** The person who has come back to this address. */
  finish(callback: URL, checks: SignInChecks): Promise<SignedIn>
  /** The address where the provider's own session is ended; null: it does not say. */
  endUrl(): Promise<string | null>
}

/** `away`: the provider cannot be reached; `refused`: it, or what it sent, is not accepted. `cause` is for the log. */
export class SignInError extends Error {
  override name = 'SignInError'
  readonly kind: 'away' | 'refused'

  constructor(kind: SignInError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
