import { request as octokitRequest } from '@octokit/request'
import { z } from 'zod/mini'
import { ForgeError, type NewPullRequest } from '../ports/forge.ts'
import { saidBy, valueOf } from './answer.ts'
import { askForge, type Answer, type Question } from './ask-forge.ts'
import { kindsOfForges } from './forge-kinds.ts'
import type { Pull, Pulls } from './open-pull.ts'
import { stepOf, succeeded, type Connection } from './rest-client.ts'

const Repository = z.object({ full_name: z.string() })
const GitHubPull = z.object({
  number: z.int().check(z.positive()),
  title: z.string(),
  body: z.nullish(z.string()),
  state: z.string(),
  head: z.object({ ref: z.string(), repo: z.nullable(Repository) }),
  base: z.object({ ref: z.string(), repo: Repository }),
})
type GitHubPull = z.infer<typeof GitHubPull>
const GitHubPulls = z.array(GitHubPull)

/** The API version that these calls were written for; GitHub supports each for at least two years. */
const API_VERSION = '2022-11-28'
const PAGE_SIZE = 100

/**
 * GitHub and GitHub Enterprise. Uses only octokit's `request`, which knows the routes and encodes their parameters. The
 * network (time, size, redirects) and the errors are ours, because octokit's errors contain the raw answer.
 */
export function githubPulls(connection: Connection): Pulls {
  const { forge, path } = connection
  const [owner = '', repo = ''] = path.split('/')

  async function find(request: NewPullRequest, thoroughly: boolean): Promise<Pull | null> {
    const { head, base } = request
    const answer = await ask(connection, 'GET /repos/{owner}/{repo}/pulls', {
      owner,
      repo,
      state: 'open',
      base,
      per_page: PAGE_SIZE,
      // After a repository has moved to another owner, GitHub finds the branch only under the new one.
      ...(thoroughly ? {} : { head: `${owner}:${head}` }),
    })
    const list = valueOf(forge, succeeded(connection, stepOf('find', path, request), answer), GitHubPulls)
    const found = list.find((pull) => fits(pull, request))
    return found ? pullOf(found) : null
  }

  return {
    find,

    async create(request) {
      const { head, base, title, body } = request
      const answer = await ask(connection, 'POST /repos/{owner}/{repo}/pulls', { owner, repo, head, base, title, body })
      if (answer.status === 422 && /already exists/i.test(saidBy(answer))) return null
      return pullOf(valueOf(forge, succeeded(connection, stepOf('open', path, request), answer), GitHubPull))
    },

    async update({ number }, request) {
      const { title, body } = request
      const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}'
      const answer = await ask(connection, route, { owner, repo, pull_number: number, title, body })
      valueOf(forge, succeeded(connection, stepOf('update', path, request), answer), GitHubPull)
    },

    page: (number) => `${forge.web}/${path}${kindsOfForges.github.page(number)}`,
  }
}

/** Makes one call with octokit, and returns the answer that we received, whatever octokit makes of it. */
async function ask(
  { clock, forge, token, signal }: Connection,
  route: string,
  parameters: Record<string, string | number>,
): Promise<Answer> {
  const answers: Answer[] = []
  const ours = async (url: string, { method, headers, body = null }: Question): Promise<Response> => {
    const answer = await askForge(clock, forge, { url, method, headers, body }, signal)
    answers.push(answer)
    const { status, text } = answer
    const empty = status === 204 || status === 205 || status === 304
    return new Response(empty ? null : text, { status, headers: answer.headers })
  }
  try {
    await octokitRequest(route, {
      ...parameters,
      baseUrl: forge.api,
      headers: {
        accept: 'application/vnd.github+json',
        'accept-encoding': 'identity',
        authorization: `Bearer ${token}`,
        'user-agent': 'beadloom',
        'x-github-api-version': API_VERSION,
      },
      request: { fetch: ours, log: silent },
    })
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null
    if (cause instanceof ForgeError) throw cause
    signal?.throwIfAborted()
    // octokit throws for every refusal and for every answer that it cannot read; our callers judge the answer instead.
    if (answers.length === 0) throw error
  }
  const answer = answers.at(-1)
  if (answer === undefined) throw new Error('octokit ended without a request')
  return answer
}

/** Keeps octokit from printing a header of the answer to the terminal. */
const nothing = (): void => {}
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

const fits = ({ state, head, base }: GitHubPull, request: NewPullRequest): boolean =>
  state === 'open' &&
  head.ref === request.head &&
  base.ref === request.base &&
  head.repo?.full_name === base.repo.full_name

const pullOf = ({ number, title, body }: GitHubPull): Pull => ({ number, title, body: body ?? '' })
