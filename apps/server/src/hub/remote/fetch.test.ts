import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})
afterEach(() => kit.close())

test('a working tree is cloned and its default branch is found', async () => {
  const source = await kit.source('lib')
  const tip = await kit.git(source, 'rev-parse', 'main')
  expect(await kit.hub.current(kit.project(source))).toBeNull()
  const fetched = await kit.hub.fetch(kit.project(source))
  expect(fetched).toMatchObject({ baseBranch: 'main', commit: tip })
  expect(await kit.hub.current(kit.project(source))).toEqual(fetched)
  expect(await kit.hub.tip(projectId, 'refs/heads/main')).toBe(tip)
})

test("the hub's contents survive a restart of the server and the loss of the remote", async () => {
  const source = await kit.source('lib')
  const fetched = await kit.hub.fetch(kit.project(source))
  const again = await kit.again()
  const gone = kit.project(join(kit.root, 'elsewhere'))
  expect(await again.current(gone)).toEqual(fetched)
  await expect(again.fetch(gone)).rejects.toMatchObject({ kind: 'missing' })
  expect(await again.readFile(projectId, fetched.commit, 'readme.md')).toBe('hello\n')
})

test('a default branch of another name is found, in bare repositories and by file URL too', async () => {
  const source = await kit.source('lib')
  await kit.git(source, 'branch', '-m', 'trunk')
  const bare = join(kit.root, 'bare.git')
  await kit.git(kit.root, 'clone', '-q', '--bare', source, bare)
  for (const one of [source, bare, `file://${bare}`]) {
    expect((await kit.hub.fetch(kit.project(one))).baseBranch).toBe('trunk')
  }
})

test('with a detached HEAD the branch main is the default', async () => {
  const source = await kit.source('lib')
  await kit.git(source, 'branch', 'other')
  await kit.git(source, 'checkout', '-q', '--detach')
  expect((await kit.hub.fetch(kit.project(source))).baseBranch).toBe('main')
})

test('without a default branch the error names the existing branches and the setting', async () => {
  const source = await kit.source('lib')
  await kit.git(source, 'branch', '-m', 'one')
  await kit.git(source, 'branch', 'two')
  await kit.git(source, 'checkout', '-q', '--detach')
  const failed = kit.hub.fetch(kit.project(source))
  await expect(failed).rejects.toMatchObject({ kind: 'no-default-branch' })
  await expect(failed).rejects.toThrow(/It has one, two; at that commit are one, two\..*--base one$/)
  expect((await kit.hub.fetch(kit.project(source, 'two'))).baseBranch).toBe('two')
})

test("Beadloom's own branches are not offered as a base if the base branch is gone", async () => {
  const source = await kit.source('lib')
  const { commit } = await kit.hub.fetch(kit.project(source))
  const { commit: work } = await kit.hub.workTip(kit.project(source), 'beadloom/work', 'main')
  await kit.git(source, 'checkout', '-q', '--detach')
  await kit.git(source, 'branch', '-m', 'main', 'beadloom/work')
  expect(work).toBe(commit)
  await expect(kit.hub.fetch(kit.project(source))).rejects.toThrow(
    /only what Beadloom published there \(beadloom\/work\)\. Push the branch that work starts from again\.$/,
  )
  await expect(kit.hub.fetch(kit.project(source, 'main'))).rejects.toThrow(/no branch main, only .* Push main again\.$/)
  await kit.git(source, 'branch', 'other')
  await expect(kit.hub.fetch(kit.project(source))).rejects.toThrow(/It has other; .*--base other$/)
})

test('a missing base branch is refused with the existing ones', async () => {
  const source = await kit.source('lib')
  const failed = kit.hub.fetch(kit.project(source, 'develop'))
  await expect(failed).rejects.toMatchObject({ kind: 'no-default-branch' })
  await expect(failed).rejects.toThrow(/no branch develop \(it has main\)/)
})

test('an empty repository, bare or not, is called empty', async () => {
  for (const flags of [[], ['--bare']]) {
    const folder = join(kit.root, `empty${flags.join('')}`)
    await kit.git(kit.root, 'init', '-q', ...flags, folder)
    const failed = kit.hub.fetch(kit.project(folder))
    await expect(failed).rejects.toMatchObject({ kind: 'empty' })
    await expect(failed).rejects.toThrow(/no commits yet/)
    expect(await kit.hub.current(kit.project(folder))).toBeNull()
  }
})

test('a missing path, a file, or a folder without a repository is named as such', async () => {
  const source = await kit.source('lib')
  await mkdir(join(kit.root, 'plain'))
  await expect(kit.hub.fetch(kit.project('/no/such/folder'))).rejects.toThrow(/There is no folder \/no\/such\/folder/)
  await expect(kit.hub.fetch(kit.project(join(source, 'readme.md')))).rejects.toThrow(/is not a folder/)
  await expect(kit.hub.fetch(kit.project(join(kit.root, 'plain')))).rejects.toThrow(/not a git repository.*git init/)
})

test.each([
  ['--upload-pack=touch /tmp/x', /neither an absolute path nor/],
  ['relative/path', /neither an absolute path nor/],
  ['ext::sh -c true', /neither an absolute path nor/],
  ['git://example.org/x', /git: URLs are not supported/],
  ['http://example.org/x', /plain http/],
  ['https://example.org/\nhost=evil', /control characters/],
  ['-oProxyCommand=x:y', /neither an absolute path nor/],
])('the source %j is refused', async (source, why) => {
  const failed = kit.hub.fetch(kit.project(source))
  await expect(failed).rejects.toMatchObject({ kind: 'refused' })
  await expect(failed).rejects.toThrow(why)
})

test('a remote that does not answer is unreachable, and no password is repeated', async () => {
  const failed = kit.hub.fetch(kit.project('http://ada:secret@127.0.0.1:1/x.git'))
  await expect(failed).rejects.toMatchObject({ kind: 'unreachable' })
  await expect(failed).rejects.not.toThrow(/secret/)
})

test('the base branch follows the remote, even after its history was rewritten', async () => {
  const source = await kit.source('lib')
  await kit.hub.fetch(kit.project(source))
  await kit.git(source, 'commit', '-q', '--amend', '-m', 'Begin again')
  const { commit } = await kit.hub.fetch(kit.project(source))
  expect(commit).toBe(await kit.git(source, 'rev-parse', 'main'))
  expect(await kit.hub.tip(projectId, 'main')).toBe(commit)
})

test('a fetch keeps commits that were integrated into the base branch', async () => {
  const source = await kit.source('lib')
  const { commit } = await kit.hub.fetch(kit.project(source))
  await kit.git(source, 'checkout', '-q', '-b', 'side')
  const side = await kit.commit(source, { 'a.txt': 'a' })
  await kit.git(source, 'checkout', '-q', 'main')
  await kit.hub.fetch(kit.project(source))
  await kit.hub.integrate(projectId, 'main', side, 'Merge side')
  const moved = await kit.commit(source, { 'b.txt': 'b' })
  await kit.hub.fetch(kit.project(source))
  expect(await kit.hub.tip(projectId, 'main')).toBe(side)
  const tip = await kit.hub.workTip(kit.project(source), 'main', 'main')
  expect(tip.behind).toBeNull()
  const subjects = (await kit.hub.commits(projectId, commit, tip.commit)).map((one) => one.commit)
  expect(subjects).toEqual(expect.arrayContaining([side, moved]))
})

test('deleted branches and tags of the remote go, new ones come', async () => {
  const source = await kit.source('lib')
  await kit.git(source, 'branch', 'a')
  await kit.git(source, 'tag', 'v1')
  await kit.hub.fetch(kit.project(source))
  await kit.git(source, 'branch', '-D', 'a')
  await kit.git(source, 'branch', 'a/b')
  await kit.git(source, 'tag', '-d', 'v1')
  await kit.hub.fetch(kit.project(source))
  expect(await kit.hub.tip(projectId, 'refs/remotes/origin/a')).toBeNull()
  expect(await kit.hub.tip(projectId, 'refs/remotes/origin/a/b')).not.toBeNull()
  expect(await kit.hub.tip(projectId, 'refs/tags/v1')).toBeNull()
})

test('an aborted fetch rejects with the reason of the abort', async () => {
  const source = await kit.source('lib')
  const reason = new Error('cancelled')
  await expect(kit.hub.fetch(kit.project(source), AbortSignal.abort(reason))).rejects.toBe(reason)
})

test('a removed project leaves nothing', async () => {
  const source = await kit.source('lib')
  await kit.hub.fetch(kit.project(source))
  await kit.hub.remove(projectId)
  expect(await kit.hub.current(kit.project(source))).toBeNull()
  await expect(kit.hub.rootFiles(projectId, 'a'.repeat(40))).rejects.toMatchObject({ kind: 'missing' })
  expect((await kit.hub.fetch(kit.project(source))).baseBranch).toBe('main')
})
