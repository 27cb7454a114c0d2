import type { Role } from '../access/roles.ts'

/** How somebody has shown who they are: the access token, a header of a trusted proxy, or the sign-in of a provider. */
export type SignedInBy = 'token' | 'header' | 'oidc'

/** The answer of `GET /api/me`. `signOut`: where signing out begins, by POST or as a link; null: there is nothing to sign out of here. */
export type MeView = {
  name: string
  /** The role on the server; null: only in some projects. */
  role: Role | null
  /** The role in each project that has roles of its own and that they see. */
  projects: Record<string, Role>
  by: SignedInBy
  /** Whether this server knows people beside the access token. */
  people: boolean
  signOut: { method: 'get' | 'post'; url: string } | null
}

/**
 * What somebody has done. `action` is a key of `actionWords`; `at` milliseconds UTC. `about`: which fields or what else, never a value.
 * `done` false: the server was stopped in the middle, so nobody knows whether it was done.
 */
export type ActionView = {
  id: number
  at: number
  by: string
  via: SignedInBy
  action: string
  about: string
  done: boolean
  project: string | null
  bead: string | null
  execution: string | null
}
