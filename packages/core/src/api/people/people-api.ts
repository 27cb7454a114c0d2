import type { Role, SignedInBy } from '../../access/roles.ts'

/**
 * The answer of `GET /api/me`. `signOut`: the address that signs out, by POST or as a link; null: nobody can sign out
 * here.
 */
export type MeView = {
  name: string
  /** The role on the server; null: only in some projects. */
  role: Role | null
  /** The role in each project that has its own roles and that the person can see. */
  projects: Record<string, Role>
  by: SignedInBy
  /** Whether people can sign in to this server, not only the access token. */
  people: boolean
  signOut: { method: 'get' | 'post'; url: string } | null
}

/**
 * Somebody's action. `action` is a key of `actionWords`; `at` milliseconds UTC. `about`: names of fields or other
 * details, never a value. `done` false: the server was stopped in the middle, so nobody knows whether it was done.
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
