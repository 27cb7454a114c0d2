/** From the least to the most; each includes the ones before it. */
export const roles = ['viewer', 'runner', 'admin'] as const
export type Role = (typeof roles)[number]

export const hasRole = (has: Role | null, needs: Role): boolean =>
  has !== null && roles.indexOf(has) >= roles.indexOf(needs)

/** The use of each role, shown to people who lack it. */
export const roleWords: Record<Role, string> = {
  viewer: 'sees everything',
  runner: 'runs, answers and edits beads, and reviews',
  admin: 'changes settings, projects, secrets and limits',
}

/** The holders of a role: everybody who signs in (`*`), people by their names, members of groups. */
export type RoleGrant = { people: readonly string[]; groups: readonly string[] }
export type RoleGrants = Readonly<Record<Role, RoleGrant>>

const EVERYBODY = '*'

/** The highest role that names somebody; null: none does. Names are compared as they are written. */
export function roleOf({ name, groups }: { name: string; groups: readonly string[] }, grants: RoleGrants): Role | null {
  const named = ({ people, groups: members }: RoleGrant) =>
    people.includes(EVERYBODY) || people.includes(name) || groups.some((group) => members.includes(group))
  return roles.findLast((role) => named(grants[role])) ?? null
}

/** The reason for a refusal. */
export function whyNotAllowed(has: Role | null, needs: Role): string {
  const is = has === null ? 'You have no role on this server' : `Your role here is ${has}`
  return `${is}. This needs the role ${needs}, which ${roleWords[needs]}. Ask an admin of this server for it.`
}

/** The same on a button. */
export const needsRole = (needs: Role): string => `needs the role ${needs}`

/** The way in which somebody signed in: with the access token, by a header of a trusted proxy, or at a provider. */
export type SignedInBy = 'token' | 'header' | 'oidc'
