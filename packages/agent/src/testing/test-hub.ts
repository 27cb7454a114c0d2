import { execFile, spawn } from 'node:child_process'
import { appendFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
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

/** Runs real git, without this machine's settings. */
export const git = (folder: string, ...args: string[]): Promise<string> => gitWith('', folder, ...args)

/** Git's pack of these commits, without those after a `^`; `how` empty: of these objects alone. */
export async function packOf(folder: string, revisions: string, how = ['--revs', '--thin']): Promise<Buffer> {
  const args = ['-C', folder, 'pack-objects', '--quiet', ...how, '--stdout']
  const running = run('git', args, { env: plain, encoding: 'buffer' })
  running.child.stdin?.end(revisions)
  return (await running).stdout
}

async function gitWith(input: string, folder: string, ...args: string[]): Promise<string> {
  const running = run('git', ['-C', folder, ...args], { env: plain, maxBuffer: 64 * 1024 ** 2 })
  running.child.stdin?.on('error', () => {}).end(input)
  return (await running).stdout.trim()
}

/** A bare repository behind git's own smart HTTP program, as a session sees the hub. */
export class TestHub {
  readonly bare: string
  readonly root: string
  url = ''
  /** The number of requests that fail before the next one is answered, as when a server restarts. */
  failNext = 0
  /** The number of times that a client wanted to fetch. */
  fetches = 0

  private constructor(root: string) {
    this.root = root
    this.bare = join(root, 'hub.git')
  }

  static async start(): Promise<TestHub> {
    const hub = new TestHub(await tempFolder())
    await git(hub.root, 'init', '-q', '--bare', '--initial-branch=main', hub.bare)
    await appendFile(
      join(hub.bare, 'config'),
      '[http]\n\treceivepack = true\n[receive]\n\tdenyNonFastForwards = true\n',
    )
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

  /**
   * Adds a commit on top of a branch (or as its first one), with these files changed. Uses two processes of git; a
   * clone, a commit and a push took more than ten before every test.
   */
  async commit(branch: string, files: Record<string, string>, message = 'change'): Promise<string> {
    const ref = `refs/heads/${branch}`
    const before = await this.tip(ref)
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
    const changes = Object.entries(files).map(([name, text]) => `M 100644 inline ${name}\n${data(text)}`)
    const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email } = plain
    const head = `commit ${ref}\nmark :1\ncommitter ${name} <${email}> ${Math.floor(Date.now() / 1000)} +0000\n`
    const from = before === null ? '' : `from ${before}\n`
    const stream = `${head}${data(`${message}\n`)}${from}${changes.join('')}get-mark :1\n`
    return gitWith(stream, this.bare, 'fast-import', '--quiet')
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
