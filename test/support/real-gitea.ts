import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'vitest'

/* The real Gitea that `scripts/gitea.mjs` builds. It is missing without Go. */

/** The same version as in `scripts/gitea.mjs`, which any Node runs. */
const GITEA_VERSION = '1.26.0'
const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
const folder = join(cache, 'beadloom', `gitea-${GITEA_VERSION}`)
const program = join(folder, 'gitea')

const hasGo = (): boolean => (process.env['PATH'] ?? '').split(delimiter).some((one) => existsSync(join(one, 'go')))

export const hasGitea = (): boolean => existsSync(program) && existsSync(join(folder, 'source'))

export function needsGitea(): typeof test {
  if (hasGitea()) return test
  if (process.env['REQUIRE_ALL'] === '1' && hasGo()) return test
  console.warn(`skipped: no Gitea ${GITEA_VERSION} in ${folder}; npm test -- forge builds it where Go is installed`)
  return test.skip as typeof test
}

const PASSWORD = 'a long enough Passw0rd'

/** A Gitea of its own on a free port of loopback, with people and the content that a test puts there. */
export class GiteaServer {
  readonly url: string
  readonly host: string
  readonly #home: string
  readonly #child: ChildProcess

  private constructor(home: string, host: string, child: ChildProcess) {
    this.#home = home
    this.host = host
    this.url = `http://${host}`
    this.#child = child
  }

  static async start(): Promise<GiteaServer> {
    const home = mkdtempSync(join(tmpdir(), 'forge-gitea-'))
    const port = await freePort()
    mkdirSync(join(home, 'home'))
    writeFileSync(join(home, 'app.ini'), settings(home, port), { mode: 0o600 })
    gitea(home, 'migrate')
    const child = spawn(program, ['-c', join(home, 'app.ini'), 'web'], {
      env: env(home),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const server = new GiteaServer(home, `127.0.0.1:${port}`, child)
    await server.#listens()
    return server
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close')
    this.#child.kill('SIGTERM')
    await ended
    rmSync(this.#home, { recursive: true, force: true })
  }

  addPerson(name: string): void {
    const words = ['--username', name, '--password', PASSWORD, '--email', `${name}@example.org`]
    gitea(this.#home, 'admin', 'user', 'create', ...words, '--must-change-password=false')
  }

  token(person: string, name: string, scopes: string): string {
    const words = ['--username', person, '--token-name', name, '--scopes', scopes, '--raw']
    const printed = gitea(this.#home, 'admin', 'user', 'generate-access-token', ...words)
    const [token] = /^[0-9a-f]{40}$/m.exec(printed) ?? []
    if (token === undefined) throw new Error(`no token in: ${printed}`)
    return token
  }

  /** An address for git with that person's password. */
  remote(person: string, repository: string): string {
    return `http://${person}:${encodeURIComponent(PASSWORD)}@${this.host}/${repository}.git`
  }

  async api<T>(person: string, method: string, path: string, body?: unknown): Promise<T> {
    const authorization = `Basic ${Buffer.from(`${person}:${PASSWORD}`).toString('base64')}`
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text === '' ? 'null' : text) as T
  }

  async #listens(): Promise<void> {
    let heard = ''
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding('utf8')
    await new Promise<void>((resolve, reject) => {
      const hear = (text: string) => {
        heard += text
        if (/\bListen: http/.test(heard)) resolve()
      }
      this.#child.stdout?.on('data', hear)
      this.#child.stderr?.on('data', hear)
      this.#child.once('close', () => reject(new Error(`Gitea ended:\n${heard}`)))
    })
    // It reports its start just before; the first request waits in the kernel or is repeated.
    for (;;) {
      const answer = await fetch(`${this.url}/api/v1/version`).catch(() => null)
      if (answer?.ok) return
    }
  }
}

const env = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: join(home, 'home'),
  USER: process.env['USER'] ?? 'root',
  GIT_CONFIG_NOSYSTEM: '1',
})

const gitea = (home: string, ...args: string[]): string =>
  execFileSync(program, ['-c', join(home, 'app.ini'), ...args], {
    env: env(home),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const settings = (home: string, port: number): string => `
APP_NAME = test
RUN_MODE = prod
WORK_PATH = ${home}
${process.getuid?.() === 0 ? 'I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true' : ''}
[server]
PROTOCOL = http
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
STATIC_ROOT_PATH = ${readFileSync(join(folder, 'source'), 'utf8')}
DISABLE_SSH = true
OFFLINE_MODE = true
LFS_START_SERVER = false
[database]
DB_TYPE = sqlite3
PATH = ${home}/gitea.db
[security]
INSTALL_LOCK = true
SECRET_KEY = 0123456789abcdef0123456789abcdef
[oauth2]
ENABLED = false
[log]
MODE = console
LEVEL = info
[repository]
ROOT = ${home}/repositories
DEFAULT_BRANCH = main
[indexer]
ISSUE_INDEXER_TYPE = db
`
