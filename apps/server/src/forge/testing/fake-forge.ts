import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ForgeKind } from '../../ports/forge.ts'

export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  body: Record<string, string>
  token: string
}
export type Reply =
  | { status: number; json: unknown; headers?: Record<string, string> }
  | { status: number; text: string; headers: Record<string, string> }
  | ((response: ServerResponse) => void)

/** One pull request as a forge keeps it. `fork`: its branch is in somebody else's repository. */
export type Kept = {
  number: number
  head: string
  base: string
  title: string
  body: string
  open: boolean
  fork: boolean
}

/**
 * A forge on loopback with one repository, `ada/tools/library` for GitLab and `ada/library` for the others. It answers
 * as their documentation says, unless `instead` returns an answer.
 */
export class FakeForge {
  readonly kind: ForgeKind
  readonly asked: Asked[] = []
  readonly pulls: Kept[] = []
  instead: (asked: Asked) => Reply | undefined = () => undefined
  readonly #server: Server

  private constructor(kind: ForgeKind, server: Server) {
    this.kind = kind
    this.#server = server
  }

  static async start(kind: ForgeKind): Promise<FakeForge> {
    const server = createServer()
    const forge = new FakeForge(kind, server)
    server.on('request', (request, response) => void forge.#serve(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return forge
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get url(): string {
    return `http://${this.host}`
  }

  get repository(): string {
    return this.kind === 'gitlab' ? 'ada/tools/library' : 'ada/library'
  }

  get remote(): string {
    return `${this.url}/${this.repository}.git`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Adds a pull request, as a person does on the forge's page. */
  add(pull: Partial<Kept>): Kept {
    const number = this.pulls.length + 1
    const made = { number, head: 'work', base: 'main', title: 'By hand', body: '', open: true, fork: false, ...pull }
    this.pulls.push(made)
    return made
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const body = await text(request).catch(() => '')
    const asked: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      body: body === '' ? {} : (JSON.parse(body) as Record<string, string>),
      token: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
    }
    this.asked.push(asked)
    const reply = this.instead(asked) ?? this.#answer(asked)
    if (typeof reply === 'function') return reply(response)
    const json = 'json' in reply
    const headers = { ...(json && { 'content-type': 'application/json; charset=utf-8' }), ...reply.headers }
    response.writeHead(reply.status, headers).end(json ? JSON.stringify(reply.json) : reply.text)
  }

  #answer(asked: Asked): Reply {
    const { list, exists } = forms[this.kind]
    const root = list(this.repository)
    const one = new RegExp(`^${root.replace(/[.%]/g, '\\$&')}/(\\d+)$`).exec(asked.path)
    if (one) return this.#change(Number(one[1]), asked)
    if (asked.path !== root) return { status: 404, json: { message: 'Not Found' } }
    if (asked.method === 'GET') return { status: 200, json: this.#listed(asked.query).map((pull) => this.shown(pull)) }
    const head = asked.body['head'] ?? asked.body['source_branch'] ?? ''
    const base = asked.body['base'] ?? asked.body['target_branch'] ?? ''
    if (this.pulls.some((pull) => pull.open && !pull.fork && pull.head === head && pull.base === base)) return exists
    const { title = '', body = asked.body['description'] ?? '' } = asked.body
    return { status: 201, json: this.shown(this.add({ head, base, title, body })) }
  }

  #listed(query: URLSearchParams): Kept[] {
    const size = Number(query.get('per_page') ?? query.get('limit') ?? 30)
    const from = (Number(query.get('page') ?? 1) - 1) * size
    return this.pulls
      .filter(({ open, head, base, fork }) => {
        const heads = [query.get('source_branch') ?? head, query.get('head')?.replace(/^ada:/, '') ?? head]
        if (this.kind === 'github' && fork && query.has('head')) return false
        return open && heads.every((wanted) => wanted === head) && (query.get('base') ?? base) === base
      })
      .slice(from, from + size)
  }

  #change(number: number, { method, body }: Asked): Reply {
    const pull = this.pulls.find((one) => one.number === number)
    if (!pull || method !== (this.kind === 'gitlab' ? 'PUT' : 'PATCH')) return { status: 404, json: { message: 'no' } }
    pull.title = body['title'] ?? pull.title
    pull.body = body['body'] ?? body['description'] ?? pull.body
    return { status: 200, json: this.shown(pull) }
  }

  shown(pull: Kept): unknown {
    return forms[this.kind].shown(pull)
  }
}

type Form = { list: (repository: string) => string; exists: Reply; shown: (pull: Kept) => unknown }

const forms: Record<ForgeKind, Form> = {
  github: {
    list: (repository) => `/api/v3/repos/${repository}/pulls`,
    exists: {
      status: 422,
      json: {
        message: 'Validation Failed',
        errors: [{ resource: 'PullRequest', code: 'custom', message: 'A pull request already exists for ada:work.' }],
        documentation_url: 'https://docs.github.com/rest/pulls/pulls#create-a-pull-request',
        status: '422',
      },
    },
    shown: ({ number, head, base, title, body, open, fork }) => ({
      id: 10_000_000_000_000_000_000 + number,
      number,
      state: open ? 'open' : 'closed',
      title,
      body: body === '' ? null : body,
      head: {
        ref: head,
        label: `ada:${head}`,
        repo: { id: fork ? 9 : 1, full_name: fork ? 'eve/library' : 'ada/library' },
      },
      base: { ref: base, label: `ada:${base}`, repo: { id: 1, full_name: 'ada/library' } },
      html_url: `https://elsewhere.example/ada/library/pull/${number}`,
    }),
  },
  gitlab: {
    list: (repository) => `/api/v4/projects/${encodeURIComponent(repository)}/merge_requests`,
    exists: {
      status: 409,
      json: { message: ['Another open merge request already exists for this source branch: !1'] },
    },
    shown: ({ number, head, base, title, body, open, fork }) => ({
      id: 1000 + number,
      iid: number,
      state: open ? 'opened' : 'closed',
      title,
      description: body === '' ? null : body,
      source_branch: head,
      target_branch: base,
      source_project_id: fork ? 9 : 3,
      target_project_id: 3,
      web_url: `https://elsewhere.example/ada/tools/library/-/merge_requests/${number}`,
    }),
  },
  gitea: {
    list: (repository) => `/api/v1/repos/${repository}/pulls`,
    exists: {
      status: 409,
      json: { message: 'pull request already exists for these targets [id: 1, issue_id: 1]', url: '/api/swagger' },
    },
    shown: ({ number, head, base, title, body, open, fork }) => ({
      id: 1000 + number,
      number,
      state: open ? 'open' : 'closed',
      title,
      body,
      head: { ref: head, label: head, repo_id: fork ? 9 : 3 },
      base: { ref: base, label: base, repo_id: 3 },
      html_url: `https://elsewhere.example/ada/library/pulls/${number}`,
    }),
  },
}
