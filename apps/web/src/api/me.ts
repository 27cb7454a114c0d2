import { hasRole, needsRole, roles, type Role } from '@beadloom/core/access/roles.ts'
import type { MeView } from '@beadloom/core/api/people/people-api.ts'
import { call } from './client.ts'
import { keepPageValue } from './page-value.ts'

export const getMe = (signal?: AbortSignal) => call<MeView>('/api/me', signal === undefined ? {} : { signal })

/** Their role in a project. Outside of projects (null): the highest role that they have anywhere. */
export function roleAt({ role, projects }: Pick<MeView, 'role' | 'projects'>, project: string | null): Role | null {
  if (project !== null) return Object.hasOwn(projects, project) ? (projects[project] ?? null) : role
  return roles.findLast((one) => one === role || Object.values(projects).includes(one)) ?? null
}

/** The reason why a button that needs a higher role is off. The server decides anyway. */
export function refusalsOf(me: Pick<MeView, 'role' | 'projects'>, project: string | null) {
  const has = roleAt(me, project)
  return (needs: string): string | null =>
    !isRole(needs) || hasRole(has, needs) ? null : `${needsRole(needs)}; yours is ${has ?? 'none'}`
}

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

/**
 * Signs this browser in by the token, or by the whole link that contains it. Resolves to whether it was right; rejects
 * if the server does not answer. The page stays where it is, and the token enters no address and no history.
 */
export async function signIn(typed: string): Promise<boolean> {
  const text = typed.trim()
  const headers = { accept: 'application/json' }
  const answer = await fetch(`/?token=${encodeURIComponent(text)}`, { headers, cache: 'no-store' })
  if (!answer.ok) return false
  keepPageValue(((await answer.json()) as { page: string }).page)
  return true
}
