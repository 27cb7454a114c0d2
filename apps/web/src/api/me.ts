import { hasRole, needsRole, roles, type Role } from '@beadloom/core/access/roles.ts'
import type { MeView } from '@beadloom/core/api/people-api.ts'
import { call } from './client.ts'
import { keepPageValue } from './page-value.ts'

export const getMe = (signal?: AbortSignal) => call<MeView>('/api/me', signal === undefined ? {} : { signal })

/** What somebody with this role is told on a button that needs another. */
export const refusalsOf =
  ({ role }: Pick<MeView, 'role'>) =>
  (needs: string): string | null =>
    !isRole(needs) || hasRole(role, needs) ? null : `${needsRole(needs)}; yours is ${role}`

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

/**
 * Signs this browser in by the token, or by the whole link that has it. Whether it was right; rejects where the server
 * does not answer. The page stays where it is, and the token comes into no address and no history.
 */
export async function signIn(typed: string): Promise<boolean> {
  const text = typed.trim()
  const headers = { accept: 'application/json' }
  const answer = await fetch(`/?token=${encodeURIComponent(text)}`, { headers, cache: 'no-store' })
  if (!answer.ok) return false
  keepPageValue(((await answer.json()) as { page: string }).page)
  return true
}
