import type { InboxApi } from '../../http/ports.ts'
import type { Store } from '../../ports/store.ts'
import { noProject } from '../stored/refusals.ts'

export const inboxApi = ({ store }: { store: Pick<Store, 'project' | 'dismissed' | 'changeDismissed'> }): InboxApi => ({
  of: (id) => (store.project(id) ? { dismissed: store.dismissed(id) } : noProject(id)),
  change: (id, { dismiss = [], restore = [] }) => {
    if (!store.project(id)) return noProject(id)
    store.changeDismissed(id, { dismiss, restore })
    return { dismissed: store.dismissed(id) }
  },
})
