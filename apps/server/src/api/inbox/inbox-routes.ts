import { ChangeInbox } from '@beadloom/core/api/projects/inbox-api.ts'
import { noProject } from '../../app/stored/refusals.ts'
import type { Store } from '../../ports/store.ts'
import { route, type Route } from '../../http/routing/route.ts'

type InboxDeps = { store: Pick<Store, 'project' | 'dismissed' | 'changeDismissed'> }

export const inboxRoutes = ({ store }: InboxDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/projects/:project/inbox',
    summary: 'The notices that people have dismissed',
    answer: { status: 200, description: 'InboxView' },
    handle: ({ params: { project } }) =>
      store.project(project) ? { dismissed: store.dismissed(project) } : noProject(project),
  }),
  route({
    method: 'patch',
    path: '/api/projects/:project/inbox',
    summary: 'Dismisses notices for every browser, or takes that back',
    body: ChangeInbox,
    answer: { status: 200, description: 'InboxView' },
    handle: ({ params: { project }, body: { dismiss = [], restore = [] } }) => {
      if (!store.project(project)) return noProject(project)
      store.changeDismissed(project, { dismiss, restore })
      return { dismissed: store.dismissed(project) }
    },
  }),
]
