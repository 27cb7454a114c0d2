import { z } from 'zod/mini'
import type { NewPullRequest } from '../ports/forge.ts'
import { valueOf } from './answer.ts'
import { kindsOfForges } from './forge-kinds.ts'
import type { Pull, Pulls } from './open-pull.ts'
import { askRest, firstOnPages, stepOf, succeeded, type Connection } from './rest-client.ts'

const MergeRequest = z.object({
  iid: z.int().check(z.positive()),
  title: z.string(),
  description: z.nullish(z.string()),
  state: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.nullable(z.number()),
  target_project_id: z.number(),
})
type MergeRequest = z.infer<typeof MergeRequest>
const MergeRequests = z.array(MergeRequest)

const PAGE_SIZE = 20

export function gitlabPulls(connection: Connection): Pulls {
  const { forge, path } = connection
  // A project's whole path is one segment of the address.
  const requests = `/projects/${encodeURIComponent(path)}/merge_requests`

  async function find(request: NewPullRequest): Promise<Pull | null> {
    const step = stepOf('find', path, request)
    const found = await firstOnPages(
      async (page) => {
        const query = new URLSearchParams({
          state: 'opened',
          scope: 'all',
          source_branch: request.head,
          target_branch: request.base,
          per_page: String(PAGE_SIZE),
          page: String(page),
        })
        const answer = await askRest(connection, 'GET', `${requests}?${query}`)
        return valueOf(forge, succeeded(connection, step, answer), MergeRequests)
      },
      (one) => fits(one, request),
    )
    return found && pullOf(found)
  }

  return {
    find,

    async create(request) {
      const answer = await askRest(connection, 'POST', requests, {
        source_branch: request.head,
        target_branch: request.base,
        title: request.title,
        description: withoutActions(request.body),
      })
      if (answer.status === 409) return null
      const step = stepOf('open', path, request)
      return pullOf(valueOf(forge, succeeded(connection, step, answer), MergeRequest))
    },

    async update({ number }, request) {
      const { title, body } = request
      const answer = await askRest(connection, 'PUT', `${requests}/${number}`, {
        title,
        description: withoutActions(body),
      })
      valueOf(forge, succeeded(connection, stepOf('update', path, request), answer), MergeRequest)
    },

    page: (number) => `${forge.web}/${path}${kindsOfForges.gitlab.page(number)}`,
  }
}

/**
 * GitLab executes lines like `/merge` in a description, with the rights of the token. The description contains an
 * agent's words, so no line may start with a slash; with a backslash in front, it looks the same.
 */
export const withoutActions = (body: string): string => body.replace(/^([^\S\n\r\u2028\u2029]*)\/(?=\p{L})/gmu, '$1\\/')

const fits = (one: MergeRequest, request: NewPullRequest): boolean =>
  one.state === 'opened' &&
  one.source_branch === request.head &&
  one.target_branch === request.base &&
  one.source_project_id === one.target_project_id

const pullOf = ({ iid, title, description }: MergeRequest): Pull => ({ number: iid, title, body: description ?? '' })
