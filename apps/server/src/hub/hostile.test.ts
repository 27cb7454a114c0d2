// @suite unit-long
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { execution, type Kit, projectId, startKit } from './hub-kit.ts'

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

const snapped = async () => (await readdir(kit.root)).filter((name) => name.startsWith('ran-'))

const hooks = [
  'pre-receive',
  'update',
  'post-receive',
  'post-update',
  'reference-transaction',
  'proc-receive',
  'push-to-checkout',
  'pre-push',
  'pre-auto-gc',
  'post-checkout',
  'post-merge',
  'post-index-change',
  'fsmonitor-watchman',
]

/** A project's whole work with its repository, from the first fetch to the published branch. */
async function wholeLife(): Promise<string> {
  const project = kit.project(source)
  const { commit } = await kit.hub.fetch(project)
  await kit.hub.workTip(project, 'beadloom/work', 'main')
  await kit.hub.ensureBranch(projectId, 'beads-1', commit)
  const url = await kit.serve({ project: projectId, execution, pushable: { branch: 'beads-1' } })
  const work = join(kit.root, `work-${execution}`)
  await kit.git(kit.root, 'clone', '-q', '-b', 'beads-1', url, work)
  const made = await kit.commit(work, { 'made.txt': 'made\n' })
  await kit.git(work, 'push', '-q', 'origin', 'HEAD')
  await kit.hub.integrate(projectId, 'beadloom/work', made, 'Merge')
  for await (const chunk of await kit.hub.archive(projectId, made)) void chunk
  await kit.hub.patch(projectId, commit, made, 'made.txt')
  const published = await kit.hub.publish(project, ['beads-1', 'beadloom/work'])
  expect(published).toEqual({ ok: true, failed: [] })
  await kit.hub.fetch(project)
  return made
}

async function arm(folder: string): Promise<void> {
  for (const hook of hooks) {
    const { program } = await kit.marker(`hook-${hook}`)
    const text = `#!/bin/sh\nexec '${program}'\n`
    await mkdir(join(folder, 'hooks'), { recursive: true })
    await writeFile(join(folder, 'hooks', hook), text)
    await chmod(join(folder, 'hooks', hook), 0o755)
  }
}

test('hooks of the repository do not run, wherever it keeps them', async () => {
  const gitDir = join(source, '.git')
  await arm(gitDir)
  await wholeLife()
  expect(await snapped()).toEqual([])
})

test('hooks behind core.hooksPath do not run', async () => {
  const elsewhere = join(kit.root, 'elsewhere')
  await arm(elsewhere)
  await kit.git(source, 'config', 'core.hooksPath', join(elsewhere, 'hooks'))
  await wholeLife()
  expect(await snapped()).toEqual([])
})

test('no program of the repository’s configuration runs, not even from an included file', async () => {
  const keys = [
    'core.fsmonitor',
    'core.sshCommand',
    'core.gitProxy',
    'core.askPass',
    'core.editor',
    'core.pager',
    'core.alternateRefsCommand',
    'uploadpack.packObjectsHook',
    'diff.external',
    'diff.evil.textconv',
    'diff.evil.command',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'merge.evil.driver',
    'gpg.program',
    'credential.helper',
    'tar.tar.command',
    'alias.upload-pack',
    'alias.receive-pack',
  ]
  const included = join(source, '.git', 'included')
  for (const key of keys) {
    const { program } = await kit.marker(key.replaceAll('.', '-'))
    const value = key.startsWith('alias.') || key === 'credential.helper' ? `!${program}` : program
    await kit.git(source, 'config', '--file', included, key, value)
  }
  await kit.commit(source, { '.gitattributes': '* filter=evil diff=evil merge=evil\n' })
  await kit.git(source, 'config', 'include.path', 'included')
  const alternate = join(kit.root, 'alternate.git')
  await kit.git(kit.root, 'init', '-q', '--bare', alternate)
  await writeFile(join(source, '.git', 'objects', 'info', 'alternates'), `${alternate}/objects\n`)
  await wholeLife()
  expect(await snapped()).toEqual([])
})

test('a repository cannot redirect pushes', async () => {
  const thief = join(kit.root, 'thief.git')
  await kit.git(kit.root, 'init', '-q', '--bare', thief)
  await kit.git(source, 'config', `url.${thief}.insteadOf`, source)
  await kit.git(source, 'config', `url.${thief}.pushInsteadOf`, source)
  await kit.git(source, 'config', 'remote.origin.pushurl', thief)
  const made = await wholeLife()
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
  expect(await snapped()).toEqual([])
})

test('a data folder inside a checkout does not read that checkout’s configuration', async () => {
  const { program } = await kit.marker('enclosing')
  await kit.git(kit.root, 'init', '-q')
  await kit.git(kit.root, 'config', `url.${kit.root}/thief.insteadOf`, source)
  await kit.git(kit.root, 'config', 'core.fsmonitor', program)
  await kit.git(kit.root, 'config', 'core.sshCommand', program)
  await wholeLife()
  await expect(kit.hub.fetch(kit.project('nobody@127.0.0.1:x'))).rejects.toMatchObject({ name: 'HubError' })
  expect(await snapped()).toEqual([])
})

test("replace refs and grafts of a pusher do not affect the server's reading", async () => {
  const made = await wholeLife()
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
  await wholeLife()
  expect(await snapped()).toEqual([])
})
