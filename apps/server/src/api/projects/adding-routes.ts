import type { Adding } from '../../app/projects/adding.ts'
import { Problem } from '../../ports/problem.ts'
import { route, type Route } from '../../http/routing/route.ts'

export const addingRoutes = ({ adding }: { adding: Pick<Adding, 'list' | 'cancel'> }): Route[] => [
  route({
    method: 'get',
    path: '/api/adding',
    summary: 'Projects that are being added, with how far each is',
    answer: { status: 200, description: 'Page of AddingView' },
    handle: () => ({ items: adding.list() }),
  }),
  route({
    method: 'delete',
    path: '/api/adding/:project',
    summary: 'Ends the adding of a project: nothing of it stays',
    refusals: [409],
    answer: { status: 204, description: 'It ends' },
    handle({ params: { project } }) {
      const done = adding.cancel(project)
      if (done === 'unknown') return new Problem(404, 'not_found', `no project ${project} is being added`)
      if (done === 'too late')
        return new Problem(409, 'not_now', `${project} is a project already: beadloom project remove ${project}`)
    },
  }),
]
