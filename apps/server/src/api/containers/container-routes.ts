import type { SavedContainer } from '@beadloom/core/api/executions/container-api.ts'
import { keptViews, type KeptReads } from '../../app/views/kept-containers.ts'
import { route, type Route } from '../../http/routing/route.ts'
import { Problem } from '../../ports/problem.ts'

type ContainerDeps = {
  store: KeptReads
  leftContainers: {
    /** The ref that now has its work, why it is still kept, or that it is lost; null: no such container is kept. */
    save: (name: string) => Promise<{ saved: string | null } | { kept: string } | { lost: string } | null>
    /** False: there is no such container that is kept. */
    discard: (name: string) => Promise<boolean>
  }
}

export const containerRoutes = ({ store, leftContainers }: ContainerDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/containers',
    summary: 'Containers that are kept because they may hold unsaved work',
    answer: { status: 200, description: '`{items: KeptContainer[]}`, the oldest first' },
    handle: () => ({ items: keptViews(store) }),
  }),
  route({
    method: 'post',
    path: '/api/containers/:container/save',
    summary: 'Tries now to save the work in a kept container',
    idempotent: true,
    refusals: [409],
    answer: { status: 200, description: 'SavedContainer; the container is removed' },
    handle: ({ params }) => save(leftContainers, params.container),
  }),
  route({
    method: 'delete',
    path: '/api/containers/:container',
    summary: 'Removes a kept container with everything in it',
    answer: { status: 204, description: 'Removed' },
    handle: async ({ params: { container } }) => {
      if (!(await leftContainers.discard(container))) return notKept(container)
    },
  }),
]

async function save(containers: ContainerDeps['leftContainers'], name: string): Promise<SavedContainer | Problem> {
  const tried = await containers.save(name)
  if (tried === null) return notKept(name)
  if ('saved' in tried) return tried
  if ('lost' in tried) return new Problem(404, 'lost', tried.lost)
  return new Problem(409, 'still_kept', `What ${name} holds could not be saved: ${tried.kept}`)
}

const notKept = (name: string) =>
  new Problem(404, 'not_found', `there is no container ${name} that is kept; "beadloom containers" lists them`)
