import { mkdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'
import { type Host, startHost } from './http-host-kit.ts'

/* Two hosts: the project's, which wants a password, and the target of its redirects. */

let kit: Kit
let own: Host
let other: Host
/** Each one's requests, with their passwords. */
let asked: string[]
let askedOfOther: string[]
/** Paths of the project's host, and their targets. */
let redirects: Map<string, string>

beforeEach(async () => {
  kit = await startKit()
  asked = []
  askedOfOther = []
  redirects = new Map()
  const folder = join(kit.root, 'host')
  await mkdir(folder)
  own = await startHost(folder, ({ path, search, login }, response) => {
    asked.push(`${path} ${login}`)
    if (login !== 'ada:secret') {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return true
    }
    return lead(path, search, response)
  })
  other = await startHost(folder, ({ path, login }) => {
    askedOfOther.push(`${path} ${login}`)
    return false
  })
  const lib = await kit.source('lib', { 'lib.txt': 'one\n' })
  await kit.git(kit.root, 'clone', '-q', '--bare', lib, join(folder, 'new.git'))
})
afterEach(async () => {
  own.close()
  other.close()
  await kit.close()
})

function lead(path: string, search: string, response: ServerResponse): boolean {
  for (const [from, to] of redirects) {
    if (!path.startsWith(from)) continue
    response.writeHead(301, { location: to + path.slice(from.length) + search }).end()
    return true
  }
  return false
}

const its = (path: string) => kit.project(own.url(path).replace('//', '//ada:secret@'))

longTest.each([
  ['a path', () => '/new.git'],
  ['a whole address', () => own.url('new.git')],
  ['several steps', () => '/step1'],
])('a renamed repository is fetched and pushed to behind %s on its own host', async (_, to) => {
  redirects = new Map([
    ['/old.git', to()],
    ['/step1', '/step2'],
    ['/step2', '/new.git'],
  ])
  const { commit } = await kit.hub.fetch(its('old.git'))
  await kit.hub.ensureBranch(projectId, 'work', commit)
  expect(await kit.hub.publish(its('old.git'), ['work'])).toEqual({ ok: true, failed: [] })
  expect(await kit.git(join(kit.root, 'host', 'new.git'), 'rev-parse', 'work')).toBe(commit)
})

test.each([['nothing else', async () => {}]])(
  'a redirect to another host gets neither password nor work, if the person says that %s',
  isRefused,
)
longTest.each([
  ['git follows redirects', () => kit.git(kit.root, 'config', '--global', 'http.followRedirects', 'true')],
  [
    'git follows those of this host',
    () => kit.git(kit.root, 'config', '--global', `http.http://${own.host}/.followRedirects`, 'true'),
  ],
])('a redirect to another host gets neither password nor work, if the person says that %s', isRefused)

async function isRefused(_: string, says: () => Promise<unknown>): Promise<void> {
  await says()
  const { commit } = await kit.hub.fetch(its('new.git'))
  await kit.hub.ensureBranch(projectId, 'work', commit)
  redirects.set('/new.git', other.url('new.git'))
  const said = expect.stringMatching(
    new RegExp(
      `${own.host}/new\\.git redirects to http://${other.host}/new\\.git\\. .*from ${own.host} to ${other.host}`,
    ),
  )
  await expect(kit.hub.fetch(its('new.git'))).rejects.toMatchObject({ kind: 'unreachable', message: said })
  const published = await kit.hub.publish(its('new.git'), ['work'])
  expect(published.failed).toMatchObject([{ kind: 'unreachable', why: said }])
  expect(askedOfOther).toEqual([])
  expect(JSON.stringify(published)).not.toContain('secret')
}

longTest('a submodule whose address leads to another host is named, and nothing is requested there', async () => {
  const lib = await kit.git(join(kit.root, 'lib'), 'rev-parse', 'HEAD')
  const app = await kit.source('app', { '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ../lib.git\n' })
  await kit.git(app, 'update-index', '--add', '--cacheinfo', `160000,${lib},lib`)
  await kit.git(app, 'commit', '-qm', 'Point')
  await kit.git(kit.root, 'clone', '-q', '--bare', app, join(kit.root, 'host', 'app.git'))
  redirects.set('/lib.git', other.url('new.git'))
  const { commit } = await kit.hub.fetch(its('app.git'))
  const { missing } = await kit.hub.fetchModules(its('app.git'), commit)
  expect(missing).toMatchObject([{ path: 'lib', why: expect.stringContaining(`from ${own.host} to ${other.host}`) }])
  expect(askedOfOther).toEqual([])
  redirects.set('/lib.git', '/new.git')
  const { here } = await kit.hub.fetchModules(its('app.git'), commit, { anew: true })
  expect(await kit.hub.readFile(projectId, here[0]!.commit, 'lib.txt')).toBe('one\n')
})

longTest('redirects in a circle or to a page of the host end with a sentence', async () => {
  redirects.set('/circle.git', '/circle.git')
  await expect(kit.hub.fetch(its('circle.git'))).rejects.toThrow(/circle\.git redirects more than 5 times/)
  expect(asked.length).toBeLessThan(50)
  redirects.set('/page.git/info/refs', '/sign-in')
  await expect(kit.hub.fetch(its('page.git'))).rejects.toThrow(/redirects to .*\/sign-in, which is no git repository/)
  redirects.set('/odd.git/info/refs', 'http://[')
  await expect(kit.hub.fetch(its('odd.git'))).rejects.toThrow(/redirects to something that is no address/)
  redirects.set('/secret.git/info/refs', 'https://user:canary8@elsewhere.example/x?pass=canary8')
  const error = await kit.hub.fetch(its('secret.git')).catch((reason: unknown) => String(reason))
  expect(error).toMatch(/redirects to https:\/\/elsewhere\.example\/x\./)
  expect(error).not.toContain('canary8')
})
