import { hasRole, roleOf, roles, type Role, type RoleGrant, type RoleGrants } from './roles.ts'

/** The viewers and runners of one project. Admins are admins of the whole server. */
export type ProjectGrants = Readonly<Record<string, Readonly<Record<'viewer' | 'runner', RoleGrant>>>>

/** Somebody's role on the server, and in the projects that have roles of their own (null: they do not see it). */
export type Standing = { role: Role | null; own: ReadonlyMap<string, Role | null> }

const nobody: RoleGrant = { people: [], groups: [] }

/** A project with roles of its own is visible only to the people whom it names and to admins. */
export function standingOf(
  who: { name: string; groups: readonly string[] },
  server: RoleGrants,
  projects: ProjectGrants,
): Standing {
  const own = Object.entries(projects).map(
    ([project, grants]) => [project, roleOf(who, { ...grants, admin: nobody })] as const,
  )
  return { role: roleOf(who, server), own: new Map(own) }
}

export function roleIn({ role, own }: Standing, project: string): Role | null {
  if (role === 'admin' || !own.has(project)) return role
  return own.get(project) ?? null
}

export const seesProject = (standing: Standing, project: string): boolean => roleIn(standing, project) !== null

/** Whether no project is hidden from them. */
export const seesAll = ({ role, own }: Standing): boolean =>
  role === 'admin' || (role !== null && [...own.values()].every((one) => one !== null))

/** The highest role that they have anywhere; null: none at all. */
export const highestRole = ({ role, own }: Standing): Role | null =>
  role === 'admin' ? role : (roles.findLast((one) => one === role || [...own.values()].includes(one)) ?? null)

/** The subject of a request or a topic. */
export type About =
  /** The same for everybody who has any role, or cut to their projects. */
  | { is: 'anywhere' }
  | { is: 'server' }
  | { is: 'all projects' }
  /** `project` null: the subject is not known. */
  | { is: 'project'; project: string | null }

export type Decision =
  | { may: true; role: Role }
  /** As if it did not exist. */
  | { may: false; why: 'hidden' }
  | { may: false; why: 'role'; has: Role | null }
  | { may: false; why: 'not all projects'; has: Role | null }

/** The only place that decides about permissions. */
export function decide(standing: Standing, needs: Role, about: About): Decision {
  const anywhere = highestRole(standing)
  if (anywhere === null) return { may: false, why: 'role', has: null }
  switch (about.is) {
    case 'anywhere':
      return byRole(anywhere, needs)
    case 'server':
      return byRole(standing.role, needs)
    case 'all projects':
      return seesAll(standing) ? byRole(standing.role, needs) : { may: false, why: 'not all projects', has: anywhere }
    case 'project': {
      // An unknown project and a hidden one get the same answer: another one would show that the hidden one exists.
      const isHidden = about.project === null ? !seesAll(standing) : !seesProject(standing, about.project)
      if (isHidden) return { may: false, why: 'hidden' }
      return byRole(about.project === null ? standing.role : roleIn(standing, about.project), needs)
    }
  }
}

const byRole = (has: Role | null, needs: Role): Decision =>
  has !== null && hasRole(has, needs) ? { may: true, role: has } : { may: false, why: 'role', has }

export const NOT_ALL_PROJECTS =
  'This is about all projects of this server, and some of them are not for you. Ask an admin of this server for it.'
