import type { Page } from '@beadloom/core/api/api.ts'
import type { ActionView, MeView } from '@beadloom/core/api/people/people-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { badCursor } from '../../app/stored/refusals.ts'
import type { Person } from '../../http/access/person.ts'
import type { Problem } from '../../ports/problem.ts'
import type { ActionStore } from '../../ports/store/people/actions.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'

/** `people`: null if the server knows nobody beside the access token. */
export type PeopleDeps = { store: Pick<ActionStore, 'actions'>; people: PeopleSettings | null }

export const me = ({ people }: PeopleDeps, { name, role, own, by, signIn }: Person): MeView => ({
  name,
  role,
  projects: Object.fromEntries(
    [...own].flatMap(([id, its]) => (its === null ? [] : [[id, role === 'admin' ? role : its]])),
  ),
  by,
  people: people !== null,
  signOut: signIn !== undefined ? { method: 'post', url: '/sign-out' } : null,
})

type Filter = { project?: ProjectId | undefined; limit: number; cursor?: string | undefined }

/** Newest first. */
export function actions({ store }: PeopleDeps, { project, limit, cursor }: Filter): Page<ActionView> | Problem {
  const before = cursor === undefined ? undefined : Number(cursor)
  if (before !== undefined && !Number.isSafeInteger(before)) return badCursor()
  const items = store.actions({
    limit,
    ...(project !== undefined && { project }),
    ...(before !== undefined && { before }),
  })
  const last = items.at(-1)
  return last && items.length === limit ? { items, next: String(last.id) } : { items }
}
