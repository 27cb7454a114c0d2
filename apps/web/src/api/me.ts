import { hasRole, needsRole, roles, type Role } from '@beadloom/core/access/roles.ts'
import type { MeView } from '@beadloom/core/api/people-api.ts'
import { call } from './client.ts'

export const getMe = (signal?: AbortSignal) => call<MeView>('/api/me', signal === undefined ? {} : { signal })

/** What somebody with this role is told on a button that needs another. */
export const refusalsOf =
  ({ role }: Pick<MeView, 'role'>) =>
  (needs: string): string | null =>
    !isRole(needs) || hasRole(role, needs) ? null : `${needsRole(needs)}; yours is ${role}`

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)
