import type { PeopleApi } from '../../http/people-ports.ts'
import type { ActionStore } from '../../ports/store/people/actions.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import { badCursor } from '../stored/refusals.ts'

export type PeopleDeps = { store: Pick<ActionStore, 'actions'>; settings: PeopleSettings | null }

export const createPeople = ({ store, settings }: PeopleDeps): PeopleApi => ({
  me: ({ name, role, own, by, signIn }) => ({
    name,
    role,
    projects: Object.fromEntries(
      [...own].flatMap(([id, its]) => (its === null ? [] : [[id, role === 'admin' ? role : its]])),
    ),
    by,
    people: settings !== null,
    signOut: signIn !== undefined ? { method: 'post', url: '/sign-out' } : null,
  }),
  actions({ project, limit, cursor }) {
    const before = cursor === undefined ? undefined : Number(cursor)
    if (before !== undefined && !Number.isSafeInteger(before)) return badCursor()
    const items = store.actions({
      limit,
      ...(project !== undefined && { project }),
      ...(before !== undefined && { before }),
    })
    const last = items.at(-1)
    return last && items.length === limit ? { items, next: String(last.id) } : { items }
  },
})
