import { z } from 'zod/mini'
import type { NewPullRequest } from '../ports/forge.ts'
import { valueOf } from './answer.ts'
import { kindsOfForges } from './forge-kinds.ts'
import type { Pull, Pulls } from './open-pull.ts'
import { askRest, firstOnPages, stepOf, succeeded, type Connection } from './rest-client.ts'

const Branch = z.object({ ref: z.string(), repo_id: z.number() })
const GiteaPull = z.object({
  number: z.int().check(z.positive()),
  title: z.string(),
  body: z.nullish(z.string()),
  state: z.string(),
  head: Branch,
  base: Branch,
})
type GiteaPull = z.infer<typeof GiteaPull>
const GiteaPulls = z.array(GiteaPull)

/** The default maximum; a server with a lower one sends shorter pages. */
const PAGE_SIZE = 50

/** Gitea, and Forgejo with the same API. */
export function giteaPulls(connection: Connection): Pulls {
  const { forge, path } = connection
  const pulls = `/repos/${path.split('/').map(encodeURIComponent).join('/')}/pulls`

  async function find(request: NewPullRequest): Promise<Pull | null> {
    const step = stepOf('find', path, request)
    const found = await firstOnPages(
      async (page) => {
        // Older servers ignore `base_branch` and send all pull requests.
        const query = new URLSearchParams({
          state: 'open',
          sort: 'recentupdate',
          base_branch: request.base,
          limit: String(PAGE_SIZE),
          page: String(page),
        })
        const answer = await askRest(connection, 'GET', `${pulls}?${query}`)
        return valueOf(forge, succeeded(connection, step, answer), GiteaPulls)
      },
      (pull) => fits(pull, request),
    )
    return found && pullOf(found)
  }

  return {
    find,

    async create(request) {
      const { head, base, title, body } = request
      const answer = await askRest(connection, 'POST', pulls, { head, base, title, body })
      if (answer.status === 409) return null
      const step = stepOf('open', path, request)
      return pullOf(valueOf(forge, succeeded(connection, step, answer), GiteaPull))
    },

    async update({ number }, request) {
      const { title, body } = request
      const answer = await askRest(connection, 'PATCH', `${pulls}/${number}`, { title, body })
      valueOf(forge, succeeded(connection, stepOf('update', path, request), answer), GiteaPull)
    },

    page: (number) => `${forge.web}/${path}${kindsOfForges.gitea.page(number)}`,
  }
}

const fits = ({ state, head, base }: GiteaPull, request: NewPullRequest): boolean =>
  state === 'open' && head.ref === request.head && base.ref === request.base && head.repo_id === base.repo_id

const pullOf = ({ number, title, body }: GiteaPull): Pull => ({ number, title, body: body ?? '' })
