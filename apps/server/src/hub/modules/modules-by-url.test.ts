// @suite unit-long
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectId, startKit, type Kit } from '../hub-kit.ts'
import { startHost, type Host } from '../remote/http-host-kit.ts'

/* A project and its submodules on one host, which wants a password; git's own program answers there. */

let kit: Kit
let host: Host
/** Each request, with its password. */
let asked: string[]
/** Like older servers, it serves only the commits that branches or tags name. */
let isOld: boolean
beforeEach(async () => {
  kit = await startKit()
  asked = []
  isOld = false
  host = await startHost(join(kit.root, 'host'), ({ path, login, headers }, response) => {
    asked.push(`${path} ${login}`)
    if (isOld) delete headers['git-protocol']
    if (login === 'ada:secret' || path.startsWith('/public/')) return false
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    return true
  })
})
afterEach(async () => {
  host.close()
  await kit.close()
})

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
  return host.url('team/app.git').replace('//', '//ada:secret@')
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

test('an expired password is named without being told', async () => {
  const source = await project()
  const its = kit.project(source)
  const { commit } = await kit.hub.fetch(its)
  const { missing } = await kit.hub.fetchModules({ ...its, source: source.replace('secret', 'canary8') }, commit)
  expect(missing.map(({ path }) => path)).toEqual(['relative', 'other', 'ssh', 'elsewhere'])
  expect(missing[0]?.why).toMatch(/wants credentials/)
  expect(JSON.stringify(missing)).not.toMatch(/secret|canary8/)
})

test('a submodule in another folder of the host, and those that it names, are asked for without the password', async () => {
  const secret = await kit.source('secret', { 'key.txt': 'theirs\n' })
  await hosted('team/secret.git', secret)
  const open = await kit.source('open', { 'open.txt': 'everybody\n' })
  await writeFile(join(open, '.gitmodules'), '[submodule "s"]\n\tpath = s\n\turl = ../team/secret.git\n')
  await kit.git(open, 'add', '.gitmodules')
  const pointer = (at: string, path: string) =>
    ['update-index', '--add', '--cacheinfo', `160000,${at},${path}`] as const
  await kit.git(open, ...pointer(await kit.git(secret, 'rev-parse', 'HEAD'), 's'))
  await kit.git(open, 'commit', '-qm', 'Point')
  await hosted('public/open.git', open)
  const app = await kit.source('app')
  await writeFile(join(app, '.gitmodules'), '[submodule "open"]\n\tpath = open\n\turl = ../../public/open.git\n')
  await kit.git(app, 'add', '.gitmodules')
  await kit.git(app, ...pointer(await kit.git(open, 'rev-parse', 'HEAD'), 'open'))
  await kit.git(app, 'commit', '-qm', 'Point')
  await hosted('team/app.git', app)
  const its = kit.project(host.url('team/app.git').replace('//', '//ada:secret@'))
  const { commit } = await kit.hub.fetch(its)
  const { here, missing } = await kit.hub.fetchModules(its, commit)
  expect(here.map(({ path }) => path)).toEqual(['open'])
  expect(missing).toEqual([
    { path: 'open/s', why: expect.stringMatching(/in another folder of the host .* without your rights/), fix: null },
  ])
  expect(asked.filter((one) => /^\/(?:public|team\/secret)/.test(one)).every((one) => !one.includes('ada'))).toBe(true)
})
