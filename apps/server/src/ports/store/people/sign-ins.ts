/** `groups`: as the provider says them; what they mean is decided at each request. Milliseconds UTC. */
export type SignIn = { subject: string; name: string; groups: readonly string[]; expiresAt: number }

/** Who is signed in. `key` is a digest of what the browser has, so that a copy of the database signs nobody in. */
export interface SignInStore {
  /** The oldest go where there are too many: 20 of one person, 2,000 in all. */
  addSignIn(key: string, signIn: SignIn): void
  /** Null: there is none, or it has expired. */
  signIn(key: string): SignIn | null
  endSignIn(key: string): void
}
