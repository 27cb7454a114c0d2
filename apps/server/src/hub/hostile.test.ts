// @suite unit-long
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from './hub-kit.ts'
import { snapped, wholeLife } from './whole-life-kit.ts'

/*
 * A repository that tries to have the server run its programs. A sprung trap leaves a file `ran-…`; each test does the
 * server's usual work with such a repository and then looks for those files.
 */

let kit: Kit
let source: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'a.txt': 'a\n' })
})
afterEach(() => kit.close())

test('a repository cannot redirect pushes', async () => {
  const thief = join(kit.root, 'thief.git')
  await kit.git(kit.root, 'init', '-q', '--bare', thief)
  await kit.git(source, 'config', `url.${thief}.insteadOf`, source)
  await kit.git(source, 'config', `url.${thief}.pushInsteadOf`, source)
  await kit.git(source, 'config', 'remote.origin.pushurl', thief)
  const made = await wholeLife(kit, source)
  expect(await kit.git(thief, 'for-each-ref')).toBe('')
  expect(await kit.git(source, 'rev-parse', 'beads-1')).toBe(made)
})

test('missing objects are not fetched from a source that the repository names', async () => {
  const { program } = await kit.marker('promisor')
  const blob = await kit.git(source, 'rev-parse', 'HEAD:a.txt')
  for (const [key, value] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'evil'],
    ['remote.evil.url', `ext::sh -c ${program}`],
    ['remote.evil.promisor', 'true'],
    ['protocol.ext.allow', 'always'],
  ] as const) {
    await kit.git(source, 'config', key, value)
  }
  await import('node:fs/promises').then((fs) =>
    fs.rm(join(source, '.git', 'objects', blob.slice(0, 2), blob.slice(2)), { force: true }),
  )
  await expect(kit.hub.fetch(kit.project(source))).rejects.toMatchObject({ name: 'HubError' })
  expect(await snapped(kit)).toEqual([])
})

test('a data folder inside a checkout does not read that checkout’s configuration', async () => {
  const { program } = await kit.marker('enclosing')
  await kit.git(kit.root, 'init', '-q')
  await kit.git(kit.root, 'config', `url.${kit.root}/thief.insteadOf`, source)
  await kit.git(kit.root, 'config', 'core.fsmonitor', program)
  await kit.git(kit.root, 'config', 'core.sshCommand', program)
  await wholeLife(kit, source)
  await expect(kit.hub.fetch(kit.project('nobody@127.0.0.1:x'))).rejects.toMatchObject({ name: 'HubError' })
  expect(await snapped(kit)).toEqual([])
})

test("replace refs and grafts of a pusher do not affect the server's reading", async () => {
  const made = await wholeLife(kit, source)
  const gitDir = join(kit.root, 'data', 'hub', 'sample.git')
  const other = await kit.git(gitDir, 'rev-parse', `${made}~1`)
  await kit.git(gitDir, 'update-ref', `refs/replace/${made}`, other)
  expect(await kit.hub.readFile(projectId, made, 'made.txt')).toBe('made\n')
})

test('old defects of honest repositories are fetched, crafted submodules are not', async () => {
  const tree = await kit.git(source, 'rev-parse', 'HEAD^{tree}')
  const wart = join(kit.root, 'wart')
  await writeFile(wart, `tree ${tree}\nauthor A <a@b> 1234567890 +051800\ncommitter A<a@b> 1234567890 -0700\n\nOld\n`)
  const old = await kit.git(source, 'hash-object', '-t', 'commit', '-w', '--literally', wart)
  await kit.git(source, 'update-ref', 'refs/heads/main', old)
  expect((await kit.hub.fetch(kit.project(source))).commit).toBe(old)

  const modules = join(kit.root, 'modules')
  await writeFile(modules, '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=evil\n')
  const blob = await kit.git(source, 'hash-object', '-w', modules)
  const list = join(kit.root, 'list')
  await writeFile(list, `100644 blob ${blob}\t.gitmodules\n`)
  const crafted = await kit.git(source, '-c', `alias.evil=!git mktree < '${list}'`, 'evil')
  const bad = await kit.git(source, 'commit-tree', crafted, '-p', old, '-m', 'Bad')
  await kit.git(source, 'update-ref', 'refs/heads/main', bad)
  const failed = kit.hub.fetch(kit.project(source))
  await expect(failed).rejects.toMatchObject({ kind: 'refused' })
  await expect(failed).rejects.toThrow(/malformed or dangerous.*git fsck/)
  expect((await kit.hub.current(kit.project(source)))?.commit).toBe(old)
})

test('a path with quotes, spaces and a dash is only a path', async () => {
  const folder = join(kit.root, `-it's "odd" $(touch ran-path); x`)
  await kit.git(kit.root, 'clone', '-q', source, folder)
  source = folder
  await wholeLife(kit, source)
  expect(await snapped(kit)).toEqual([])
})
