import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectId, startKit, type Kit } from '../hub-kit.ts'

/* A project and its submodules on one host, which wants a password; git's own program answers there. */

let kit: Kit
let server: Server
let port: number
/** What was asked, and with which password. */
let asked: string[]
/** As older servers do, it gives out nothing but what a branch or a tag names. */
let isOld: boolean
beforeEach(async () => {
  kit = await startKit()
  asked = []
  isOld = false
  server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ;({ port } = server.address() as AddressInfo)
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await kit.close()
})

function serve(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const login = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
  asked.push(`${url.pathname} ${login}`)
  if (login !== 'ada:secret') return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
  const git = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: join(kit.root, 'host'),
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: kit.root,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_USER: 'ada',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      ...(!isOld && { GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') }),
    },
  })
  request.pipe(git.stdin)
  git.stdin.on('error', () => {})
  let head = Buffer.alloc(0)
  git.stdout.on('data', (bytes: Buffer) => {
    if (response.headersSent) return void response.write(bytes)
    head = Buffer.concat([head, bytes])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    const lines = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(/: */, 2) as [string, string])
    const status = lines.find(([name]) => name === 'Status')?.[1] ?? '200'
    response.writeHead(Number.parseInt(status, 10), Object.fromEntries(lines.filter(([name]) => name !== 'Status')))
    response.write(head.subarray(end + 4))
  })
  git.on('close', () => response.end())
}

/** A bare repository on the host. */
async function hosted(path: string, from: string): Promise<void> {
  await kit.git(kit.root, 'clone', '-q', '--bare', from, join(kit.root, 'host', path))
}

/** A project whose submodules are relative, and named by the host in other ways; the last one is somewhere else. */
async function project(): Promise<string> {
  const lib = await kit.source('lib', { 'lib.txt': 'one\n' })
  const one = await kit.git(lib, 'rev-parse', 'HEAD')
  await kit.commit(lib, { 'lib.txt': 'two\n' })
  await hosted('team/lib.git', lib)
  const app = await kit.source('app')
  const addresses = {
    relative: '../lib.git',
    other: 'https://127.0.0.1/team/lib.git',
    ssh: 'git@127.0.0.1:team/lib.git',
    elsewhere: 'https://elsewhere.example/team/lib.git',
  }
  const sections = Object.entries(addresses).map(
    ([path, url]) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`,
  )
  await writeFile(join(app, '.gitmodules'), sections.join(''))
  await kit.git(app, 'add', '.gitmodules')
  for (const path of Object.keys(addresses))
    await kit.git(
      app,
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${path === 'elsewhere' ? '1'.repeat(40) : one},${path}`,
    )
  await kit.git(app, 'commit', '-qm', 'Point')
  await hosted('team/app.git', app)
  return `http://ada:secret@127.0.0.1:${port}/team/app.git`
}

test.each([
  ['gives out any commit', false],
  ['gives out only what is named', true],
])(
  'submodules on the project’s own host, which %s, are fetched with its password, and none elsewhere',
  async (_, old) => {
    isOld = old
    const its = kit.project(await project())
    const { commit } = await kit.hub.fetch(its)
    const { here, missing } = await kit.hub.fetchModules(its, commit)
    expect(here.map(({ path }) => path)).toEqual(['relative', 'other', 'ssh'])
    expect(await kit.hub.readFile(projectId, here[0]!.commit, 'lib.txt')).toBe('one\n')
    expect(missing).toEqual([
      { path: 'elsewhere', why: 'it is on elsewhere.example, and the project is on 127.0.0.1', fix: null },
    ])
    expect(asked.filter((one) => one.startsWith('/team/lib.git')).every((one) => one.endsWith(' ada:secret'))).toBe(
      true,
    )
    expect(await kit.git(kit.hub.path(projectId), 'config', '--list')).not.toContain('secret')
  },
)

test('a password that does not count any more is named without being told', async () => {
  const source = await project()
  const its = kit.project(source)
  const { commit } = await kit.hub.fetch(its)
  const { missing } = await kit.hub.fetchModules({ ...its, source: source.replace('secret', 'canary8') }, commit)
  expect(missing.map(({ path }) => path)).toEqual(['relative', 'other', 'ssh', 'elsewhere'])
  expect(missing[0]?.why).toMatch(/wants credentials/)
  expect(JSON.stringify(missing)).not.toMatch(/secret|canary8/)
})
