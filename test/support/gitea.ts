import { execFileSync, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { git, makeRemote, type Files } from './repository.ts'

export type GiteaPull = {
  path: string
  number: number
  title: string
  body: string
  state: string
  head: string
  base: string
}

/** Moments to interfere: 'find', 'open' or 'update' before it is done, 'opened' once it is and before the answer. */
export type GiteaMoment = 'find' | 'open' | 'update' | 'opened'

export const GITEA_TOKEN = 'gitea-token-0123456789'

/**
 * A forge on loopback: real bare repositories behind `git http-backend`, and the part of Gitea's API that opens pull
 * requests, with its refusals (no token, no such branch, one that is open already).
 */
export class Gitea {
  readonly pulls: GiteaPull[] = []
  /** Method and path of every request of the API, in order. */
  readonly asked: string[] = []
  at: (moment: GiteaMoment) => Promise<void> | void = () => {}
  readonly #server: Server
  readonly #root: string

  private constructor(root: string) {
    this.#root = root
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
  }

  /** `root`: a folder for its repositories. */
  static async start(root: string): Promise<Gitea> {
    const forge = new Gitea(root)
    await new Promise<void>((resolve) => forge.#server.listen(0, '127.0.0.1', resolve))
    return forge
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Its entry in the data folder's file of forges. */
  get settings(): string {
    return JSON.stringify({ [this.host]: { kind: 'gitea', url: `http://${this.host}`, token: GITEA_TOKEN } })
  }

  /** Creates a repository with these files on `main`. Returns the address to add as a project. */
  repository(path: string, files: Files): string {
    const folder = makeRemote(this.folderOf(path), files)
    git(folder, 'config', 'http.receivepack', 'true')
    return `http://${this.host}/${path}.git`
  }

  folderOf(path: string): string {
    return join(this.#root, `${path}.git`)
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://forge')
    const [, path, number] = /^\/api\/v1\/repos\/([^/]+\/[^/]+)\/pulls(?:\/(\d+))?$/.exec(url.pathname) ?? []
    if (path === undefined) return this.#git(url, request, response)
    this.asked.push(`${request.method} ${url.pathname}`)
    const send = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!request.headers.authorization?.endsWith(GITEA_TOKEN)) return send(401, { message: 'token is required' })
    if (request.method === 'GET') {
      await this.at('find')
      const page = Number(url.searchParams.get('page') ?? 1)
      return send(
        200,
        page > 1
          ? []
          : this.#of(path)
              .filter(({ state }) => state === 'open')
              .map(shown),
      )
    }
    const body = JSON.parse(await textOf(request)) as Omit<GiteaPull, 'path' | 'number' | 'state'>
    if (request.method === 'PATCH') {
      await this.at('update')
      const pull = this.#of(path).find((one) => one.number === Number(number))
      if (!pull) return send(404, { message: 'not found' })
      Object.assign(pull, body)
      return send(201, shown(pull))
    }
    await this.at('open')
    if (![body.head, body.base].every((branch) => this.#has(path, branch))) return send(404, { message: 'no branch' })
    const isThere = this.#of(path).some(
      ({ state, head, base }) => state === 'open' && head === body.head && base === body.base,
    )
    if (isThere) return send(409, { message: 'pull request already exists for these targets' })
    const pull = { ...body, path, number: this.#of(path).length + 1, state: 'open' }
    this.pulls.push(pull)
    await this.at('opened')
    send(201, shown(pull))
  }

  #of(repository: string): GiteaPull[] {
    return this.pulls.filter(({ path }) => path === repository)
  }

  #has(path: string, branch: string): boolean {
    try {
      execFileSync('git', ['-C', this.folderOf(path), 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])
      return true
    } catch {
      return false
    }
  }

  /** Git's own server side, as a CGI program. */
  async #git(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request
    const child = spawn('git', ['http-backend'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: this.#root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        REQUEST_METHOD: request.method,
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: headers['content-type'],
        CONTENT_LENGTH: headers['content-length'],
        HTTP_CONTENT_ENCODING: headers['content-encoding'],
        GIT_PROTOCOL: headers['git-protocol'] as string | undefined,
        REMOTE_ADDR: '127.0.0.1',
      },
    })
    pipeline(request, child.stdin).catch(() => child.kill())
    const chunks: Buffer[] = []
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
    const output = Buffer.concat(chunks)
    const end = output.indexOf('\r\n\r\n')
    const lines = output.subarray(0, end).toString('latin1').split('\r\n')
    const fields = lines.map(
      (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const,
    )
    const status = Number(fields.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200)
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
    response.end(output.subarray(end + 4))
  }
}

const shown = ({ number, title, body, state, head, base }: GiteaPull) => ({
  number,
  title,
  body,
  state,
  html_url: 'http://elsewhere.example/never-believed',
  head: { ref: head, repo_id: 1 },
  base: { ref: base, repo_id: 1 },
})

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
