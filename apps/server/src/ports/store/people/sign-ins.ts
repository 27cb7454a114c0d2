/**
 * A browser that is signed in. `groups`: the provider's; their meaning is decided at each request. `browser`: its own
 * claim, in words of ours. Milliseconds UTC.
 */
export type SignIn = {
  via: 'token' | 'oidc'
  /** The provider's name of the person; '' for the token. */
  subject: string
  name: string
  groups: readonly string[]
  browser: string
  expiresAt: number
}

/** `page`: a digest of a value that only its page has. */
export type KeptSignIn = SignIn & { id: number; page: string; beganAt: number; usedAt: number }

/** Digests of the cookie's value and the page's, so that a copy of the database signs nobody in. */
export type SignInKeys = { key: string; page: string }

/** Which browsers are signed in. */
export interface SignInStore {
  /** If there are too many, the oldest go: 20 of one person, 50 of the token, 2,000 in all. */
  addSignIn(keys: SignInKeys, server: string, signIn: SignIn): void
  /** The same browser again: new values, the same row. */
  renewSignIn(id: number, keys: SignInKeys, signIn: Pick<SignIn, 'browser' | 'expiresAt'>): void
  /** Null: there is none, or it has expired. */
  signIn(key: string): KeptSignIn | null
  isSignedIn(id: number): boolean
  /** The newest first. */
  signIns(): KeptSignIn[]
  /** It is in use now. */
  useSignIn(id: number): void
  /** False: there is none. */
  endSignIn(id: number): boolean
  /** Ends the sign-ins that began with another access token. */
  keepSignIns(server: string): void
}
