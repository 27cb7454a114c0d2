import { execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { tempFolder } from './temp-folder.ts'

const run = promisify(execFile)

const plain = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Somebody',
  GIT_AUTHOR_EMAIL: 'somebody@example.org',
  GIT_COMMITTER_NAME: 'Somebody',
  GIT_COMMITTER_EMAIL: 'somebody@example.org',
}

/** Real git, with nothing of this machine's settings. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...args], { env: plain, maxBuffer: 64 * 1024 ** 2 })
  return stdout.trim()
}

/** A bare repository behind git's own smart HTTP program, as a session sees the hub. */
export class TestHub {
  readonly bare: string
  readonly root: string
  url = ''
  /** How many requests fail before the next one is answered: a server that restarts. */
  failNext = 0
  /** How often somebody wanted to fetch. */
  fetches = 0

  private constructor(root: string) {
    this.root = root
    this.bare = join(root, 'hub.git')
  }

  static async start(): Promise<TestHub> {
    const hub = new TestHub(await tempFolder())
    await git(hub.root, 'init', '-q', '--bare', '--initial-branch=main', hub.bare)
    await git(hub.bare, 'config', 'http.receivepack', 'true')
    await git(hub.bare, 'config', 'receive.denyNonFastForwards', 'true')
    const server = createServer((request, response) => {
      if (request.url?.includes('service=git-upload-pack')) hub.fetches += 1
      hub.answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    )
    hub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/git/hub.git`
    return hub
  }

  /** A commit with exactly these files on top of a branch (or as its first one), made beside the hub. */
  async commit(branch: string, files: Record<string, string>, message = 'change'): Promise<string> {
    const folder = join(await tempFolder(), 'source')
    const exists = (await this.tip(`refs/heads/${branch}`)) !== null
    if (exists) await git(this.root, 'clone', '-q', '--branch', branch, this.bare, folder)
    else {
      await git(this.root, 'clone', '-q', this.bare, folder)
      await git(folder, 'checkout', '-q', '-B', branch)
    }
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    await git(folder, 'add', '-A')
    await git(folder, 'commit', '-q', '--allow-empty', '-m', message)
    await git(folder, 'push', '-q', 'origin', `HEAD:refs/heads/${branch}`)
    return git(folder, 'rev-parse', 'HEAD')
  }

  branch(name: string, commit: string): Promise<string> {
    return git(this.bare, 'update-ref', `refs/heads/${name}`, commit)
  }

  tip(ref: string): Promise<string | null> {
    return git(this.bare, 'rev-parse', '--verify', '--quiet', ref).catch(() => null)
  }

  files(ref: string): Promise<string[]> {
    return git(this.bare, 'ls-tree', '-r', '-z', '--name-only', ref).then((text) => text.split('\0').filter(Boolean))
  }

  readonly answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (this.failNext > 0) {
      this.failNext -= 1
      request.socket.destroy()
      return
    }
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const backend = spawn('git', ['http-backend'], {
      env: {
        ...plain,
        GIT_PROJECT_ROOT: this.root,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: path.replace(/^\/git/, ''),
        QUERY_STRING: query,
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    backend.stdin.on('error', () => {})
    request.pipe(backend.stdin)
    const chunks: Buffer[] = []
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    backend.on('close', () => {
      const all = Buffer.concat(chunks)
      const end = all.indexOf('\r\n\r\n')
      const headers = all.subarray(0, end).toString().split('\r\n')
      for (const header of headers) {
        const [name = '', value = ''] = header.split(': ')
        if (name === 'Status') response.statusCode = Number.parseInt(value)
        else response.setHeader(name, value)
      }
      response.end(all.subarray(end + 4))
    })
  }
}
