// @suite unit-long
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectId, startKit, type Kit } from '../hub-kit.ts'

/* Repositories within repositories, on this machine: as people have them and as strangers write them. */

let kit: Kit
beforeEach(async () => (kit = await startKit()))
afterEach(() => kit.close())

const FILE = ['-c', 'protocol.file.allow=always']

/** A commit with this `.gitmodules` and these pointers, valid or not. */
async function pointing(folder: string, modules: string, pointers: Record<string, string>): Promise<string> {
  await writeFile(join(folder, '.gitmodules'), modules)
  await kit.git(folder, 'add', '.gitmodules')
  for (const [path, commit] of Object.entries(pointers))
    await kit.git(folder, 'update-index', '--add', '--cacheinfo', `160000,${commit},${path}`)
  await kit.git(folder, 'commit', '-q', '-m', 'Point')
  return kit.git(folder, 'rev-parse', 'HEAD')
}
const section = (name: string, path: string, url: string) => `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${url}\n`
/** Names and contents of the hub's files at a commit. */
const filesAt = async (commit: string) => {
  const names = await kit.hub.rootFiles(projectId, commit)
  const texts = await kit.hub.readFiles(projectId, commit, names, 1000)
  return Object.fromEntries(texts)
}
const fetched = async (source: string, commit?: string) => {
  const project = kit.project(source)
  const base = await kit.hub.fetch(project)
  return kit.hub.fetchModules(project, commit ?? base.commit)
}

describe('a submodule', () => {
  test('beside the project is fetched, with those within it, and their files have no history', async () => {
    const deep = await kit.source('deep', { 'deep.txt': 'deep\n' })
    const lib = await kit.source('lib', { 'lib.txt': 'lib\n' })
    await kit.commit(lib, { 'lib.txt': 'lib 2\n' })
    const libCommit = await pointing(lib, section('d', 'inner/deep', '../deep'), {
      'inner/deep': await kit.git(deep, 'rev-parse', 'HEAD'),
    })
    const app = await kit.source('app')
    await pointing(app, section('l', 'vendor/lib', '../lib'), { 'vendor/lib': libCommit })
    const { here, missing } = await fetched(app)
    expect(missing).toEqual([])
    expect(here.map(({ path }) => path)).toEqual(['vendor/lib', 'vendor/lib/inner/deep'])
    expect(await filesAt(here[0]!.commit)).toMatchObject({ 'lib.txt': 'lib 2\n' })
    expect(await filesAt(here[1]!.commit)).toEqual({ 'deep.txt': 'deep\n' })
    const clone = kit.hub.path(projectId)
    expect(await kit.git(clone, 'rev-list', '--count', here[0]!.commit)).toBe('1')
    expect((await readdir(clone)).filter((name) => /shallow|beadloom-fetch/.test(name))).toEqual([])
    await kit.git(clone, 'fsck', '--strict')
    // Later calls have it without asking anybody, and so does a second server.
    expect((await kit.hub.modules(projectId, await kit.git(app, 'rev-parse', 'HEAD'))).here).toEqual(here)
    const again = await kit.again()
    expect((await again.modules(projectId, await kit.git(app, 'rev-parse', 'HEAD'))).here).toEqual(here)
  })

  test('that the person has in their working tree is taken from there, whatever its address is', async () => {
    const lib = await kit.source('lib', { 'lib.txt': 'lib\n' })
    const app = await kit.source('app')
    await kit.git(app, ...FILE, 'submodule', '--quiet', 'add', lib, 'vendor/lib')
    await kit.git(app, 'config', '-f', '.gitmodules', 'submodule.vendor/lib.url', 'https://example.invalid/lib.git')
    await kit.git(app, 'commit', '-qam', 'Use a library')
    const { here, missing } = await fetched(app)
    expect(missing).toEqual([])
    expect(await filesAt(here[0]!.commit)).toEqual({ 'lib.txt': 'lib\n' })
  })

  test('of a further working tree is taken from there, too', async () => {
    const lib = await kit.source('lib', { 'lib.txt': 'lib\n' })
    const app = await kit.source('app')
    await kit.git(app, ...FILE, 'submodule', '--quiet', 'add', lib, 'vendor/lib')
    await kit.git(app, 'config', '-f', '.gitmodules', 'submodule.vendor/lib.url', 'https://example.invalid/lib.git')
    await kit.git(app, 'commit', '-qam', 'Use a library')
    await kit.git(app, 'worktree', 'add', '-q', '-b', 'second', join(kit.root, 'second'))
    expect((await fetched(join(kit.root, 'second'))).here.map(({ path }) => path)).toEqual(['vendor/lib'])
  })

  test('reaches a container as a commit that it may ask for', async () => {
    const lib = await kit.source('lib', { 'lib.txt': 'lib\n' })
    const app = await kit.source('app')
    await pointing(app, section('l', 'lib', '../lib'), { lib: await kit.git(lib, 'rev-parse', 'HEAD') })
    const { here } = await fetched(app)
    const url = await kit.serve({ project: projectId, execution: null, pushable: null })
    await kit.git(kit.root, 'init', '-q', 'container')
    const container = join(kit.root, 'container')
    await kit.git(container, 'fetch', '-q', url, here[0]!.commit)
    expect(await kit.git(container, 'show', `${here[0]!.commit}:lib.txt`)).toBe('lib')
    expect(await kit.git(container, 'ls-remote', url)).not.toContain('modules')
  })

  test('whose pointer an agent moves is fetched at the new commit; one whose address it writes is not', async () => {
    const lib = await kit.source('lib', { 'lib.txt': 'one\n' })
    const secret = await kit.source('secret', { 'secret.txt': 'secret\n' })
    const app = await kit.source('app')
    await pointing(app, section('l', 'lib', '../lib'), { lib: await kit.git(lib, 'rev-parse', 'HEAD') })
    await kit.hub.fetch(kit.project(app))
    const two = await kit.commit(lib, { 'lib.txt': 'two\n' })
    const stolen = await kit.git(secret, 'rev-parse', 'HEAD')
    const agent = await kit.source('agent')
    await kit.git(agent, 'pull', '-q', '--rebase=false', '--allow-unrelated-histories', app, 'main')
    const its = await pointing(agent, section('l', 'lib', '../lib') + section('s', 'stolen', '../secret'), {
      lib: two,
      stolen,
    })
    await kit.git(kit.hub.path(projectId), 'fetch', '-q', agent, 'main')
    const { here, missing } = await kit.hub.fetchModules(kit.project(app), its)
    expect(here.map(({ path }) => path)).toEqual(['lib'])
    expect(await filesAt(here[0]!.commit)).toEqual({ 'lib.txt': 'two\n' })
    expect(missing).toEqual([{ path: 'stolen', why: 'the base branch does not name its address', fix: null }])
  })

  test('that is unavailable is named with advice, keeps no other from being there, and is asked for again', async () => {
    const lib = await kit.source('lib', { 'lib.txt': 'lib\n' })
    const app = await kit.source('app')
    const libCommit = await kit.git(lib, 'rev-parse', 'HEAD')
    const gone = '1'.repeat(40)
    await pointing(
      app,
      [section('n', 'nowhere', '../nowhere'), section('g', 'gone', '../lib'), section('l', 'lib', '../lib')].join(''),
      { nowhere: gone, gone, lib: libCommit },
    )
    const { here, missing } = await fetched(app)
    expect(here.map(({ path }) => path)).toEqual(['lib'])
    const fix = `Run \`git submodule update --init --recursive\` in ${app}, and sync the project.`
    expect(missing).toEqual([
      { path: 'nowhere', why: expect.stringContaining(`There is no folder ${join(kit.root, 'nowhere')}`), fix },
      { path: 'gone', why: expect.stringMatching(/not our ref|has no commit/), fix },
    ])
    await kit.source('nowhere', { 'now.txt': 'here\n' })
    const commit = await kit.git(app, 'rev-parse', 'HEAD')
    expect((await kit.hub.fetchModules(kit.project(app), commit)).missing).toEqual(missing)
    const anew = await kit.hub.fetchModules(kit.project(app), commit, { anew: true })
    expect(anew.missing.find(({ path }) => path === 'nowhere')?.why).toMatch(/not our ref|has no commit/)
  })
})

test('files of submodules without a pointer are removed, once there are many', async () => {
  const lib = await kit.source('lib', { 'lib.txt': 'lib\n' })
  const app = await kit.source('app')
  const one = await kit.git(lib, 'rev-parse', 'HEAD')
  const base = await pointing(app, section('l', 'lib', '../lib'), { lib: one })
  expect((await fetched(app)).here).toHaveLength(1)
  const clone = kit.hub.path(projectId)
  const old = Array.from(
    { length: 200 },
    (_, at) => `create refs/hub/modules/${at.toString(16).padStart(40, '0')} ${base}`,
  )
  await writeFile(join(kit.root, 'refs'), `${old.join('\n')}\n`)
  await kit.git(clone, '-c', 'alias.many=!git update-ref --stdin <', 'many', join(kit.root, 'refs'))
  const two = await kit.commit(lib, { 'lib.txt': 'two\n' })
  await kit.git(app, 'checkout', '-q', '-b', 'other')
  const next = await pointing(app, section('l', 'lib', '../lib'), { lib: two })
  await kit.git(clone, 'fetch', '-q', app, 'other')
  expect((await kit.hub.fetchModules(kit.project(app), next)).here).toHaveLength(1)
  const left = await kit.git(clone, 'for-each-ref', '--format=%(refname:lstrip=3)', 'refs/hub/modules/')
  expect(left.split('\n').toSorted()).toEqual([one, two].toSorted())
})

test("a dead server's unfinished fetch is thrown away by the next one", async () => {
  const app = await kit.source('app')
  await kit.hub.fetch(kit.project(app))
  const left = join(kit.hub.path(projectId), 'beadloom-fetch-abc123')
  await mkdir(join(left, 'objects', 'pack'), { recursive: true })
  await writeFile(join(left, 'objects', 'pack', 'tmp_pack_x'), 'half')
  const again = await kit.again()
  await again.fetch(kit.project(app))
  expect((await readdir(again.path(projectId))).filter((name) => name.startsWith('beadloom-fetch'))).toEqual([])
})

describe('nothing happens', () => {
  test.each([
    ['a command', 'x', 'ext::sh -c "touch ran"'],
    ['an option', 'x', '--upload-pack=touch ran'],
    ['a folder further away', 'x', '../../private'],
    ['an absolute folder', 'x', '/etc'],
    ['a name that leaves the folder', '../../../private/.git', 'https://example.invalid/x'],
    ['an absolute name', '/etc', 'https://example.invalid/x'],
  ])('if its address is %s', async (_, name, url) => {
    const folder = await kit.source('private', { 'secret.txt': 'secret\n' })
    const app = await kit.source('nested/app')
    await mkdir(join(app, '.git', 'modules'), { recursive: true })
    const commit = await kit.git(folder, 'rev-parse', 'HEAD')
    await pointing(app, section(name, 'x', url), { x: commit })
    // Git itself refuses some of them.
    const found = await fetched(app).catch((error: Error) => error.message)
    if (typeof found === 'string') expect(found).toMatch(/malformed or dangerous/)
    else expect([found.here, found.missing.map(({ path }) => path)]).toEqual([[], ['x']])
    expect((await readdir(app)).includes('ran')).toBe(false)
  })

  test('if a folder of the working tree leads elsewhere', async () => {
    const secret = await kit.source('secret', { 'secret.txt': 'secret\n' })
    const app = await kit.source('app')
    const link = join(app, '.git', 'modules', 'x')
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(secret, '.git'), link)
    await pointing(app, section('x', 'x', 'https://example.invalid/x'), {
      x: await kit.git(secret, 'rev-parse', 'HEAD'),
    })
    expect((await fetched(app)).here).toEqual([])
  })

  test('beyond fifty of them, or four of them within each other', async () => {
    const lib = await kit.source('lib')
    const pin = await kit.git(lib, 'rev-parse', 'HEAD')
    const app = await kit.source('app')
    const paths = Array.from({ length: 80 }, (_, at) => `m${at}`)
    const many = await pointing(
      app,
      paths.map((path) => section(path, path, '../lib')).join(''),
      Object.fromEntries(paths.map((path) => [path, pin])),
    )
    expect((await fetched(app, many)).here).toHaveLength(50)

    let [below, commit] = ['lib', pin]
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const folder = await kit.source(name)
      commit = await pointing(folder, section('m', 'm', `../${below}`), { m: commit })
      below = name
    }
    const { here } = await fetched(join(kit.root, below))
    expect(here.map(({ path }) => path)).toEqual(['m', 'm/m', 'm/m/m', 'm/m/m/m'])
  })

  test('after ten unavailable ones, however many a commit points to', async () => {
    const lib = await kit.source('lib')
    const app = await kit.source('app')
    const paths = Array.from({ length: 40 }, (_, at) => `m${at}`)
    const sections = paths.map((path) => section(path, path, '../lib')).join('')
    const gone = paths.map((path, at) => [path, at.toString(16).padStart(40, '1')])
    expect(await kit.git(lib, 'rev-parse', 'HEAD')).toHaveLength(40)
    await pointing(app, sections, Object.fromEntries(gone))
    const { here, missing } = await fetched(app)
    expect(here).toEqual([])
    expect(missing.filter(({ why }) => /not our ref|no commit/.test(why))).toHaveLength(10)
    expect(missing.filter(({ why }) => why === 'too many before it could not be had')).toHaveLength(30)
  })

  test('if a submodule is the project itself', async () => {
    const app = await kit.source('app')
    await pointing(app, section('me', 'me', '../app'), { me: await kit.git(app, 'rev-parse', 'HEAD') })
    const { here } = await fetched(app)
    expect(here.map(({ path }) => path)).toEqual(['me'])
    const clone = kit.hub.path(projectId)
    expect(await kit.git(clone, 'rev-list', '--count', 'refs/heads/main')).toBe('2')
  })
})
