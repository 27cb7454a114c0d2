// @suite unit-long
import { spawn } from 'node:child_process'
import { chmod, link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { execution, projectId, startKit, type Kit } from './hub-kit.ts'

/* Files of an ended container become a commit, from a tar stream. */

const ref = `refs/beadloom/${execution}/left`
let kit: Kit
let onto: string
let workspace: string
beforeEach(async () => {
  kit = await startKit()
  const source = await kit.source('sample', { 'a.txt': 'a\n', 'gone.txt': 'x\n', 'kept.log': 'tracked\n' })
  onto = await kit.git(source, 'rev-parse', 'HEAD')
  await kit.hub.fetch(kit.project(source))
  workspace = join(await mkdtemp(join(tmpdir(), 'bl-import-')), 'workspace')
  await mkdir(workspace)
})
afterEach(async () => {
  await rm(dirname(workspace), { recursive: true, force: true })
  await kit.close()
})

/** As Docker gives it: paths begin with the folder's own name. */
const tar = async (): Promise<Readable> =>
  spawn('tar', ['-C', dirname(workspace), '-c', 'workspace'], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout
type How = Partial<Parameters<Kit['hub']['importFolder']>[1]>
const bringing = (how: How = {}) =>
  kit.hub.importFolder(projectId, { ref, onto, message: 'Left in the workspace', tar, ...how })
const bring = async (how: How = {}) => (await bringing(how)).commit
const put = async (files: Record<string, string | Buffer>) => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), content)
  }
}
const hubGit = (...args: string[]) => kit.git(join(kit.root, 'data', 'hub', `${projectId}.git`), ...args)

test('a saved folder has its files unchanged, on top of the commit below: bytes, modes, links, odd names, and deletions', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 256))
  const odd = 'odd "name"\nof a\\file ü.txt'
  await put({
    'a.txt': 'changed\n',
    'kept.log': 'tracked\n',
    'deep/er/bytes.bin': bytes,
    [odd]: 'odd\n',
    'run.sh': '#!/bin/sh\n',
  })
  await chmod(join(workspace, 'run.sh'), 0o755)
  await symlink('../outside', join(workspace, 'symbolic'))
  await link(join(workspace, 'a.txt'), join(workspace, 'hard.txt'))

  const commit = await bring()

  expect(await kit.hub.tip(projectId, ref)).toBe(commit)
  expect(await hubGit('rev-parse', `${ref}^`)).toBe(onto)
  const listed = await hubGit('ls-tree', '-r', '-z', ref)
  const modes = listed
    .split('\0')
    .filter(Boolean)
    .map((line) => line.replace(/ .*?\t/s, ' '))
  expect(modes.sort()).toEqual(
    [
      '100644 a.txt',
      '100644 deep/er/bytes.bin',
      '100644 hard.txt',
      '100644 kept.log',
      `100644 ${odd}`,
      '100755 run.sh',
      '120000 symbolic',
    ].sort(),
  )
  expect(await hubGit('cat-file', '-s', `${ref}:deep/er/bytes.bin`)).toBe(String(bytes.length))
  expect(await hubGit('cat-file', 'blob', `${ref}:hard.txt`)).toBe('changed')
  expect(await hubGit('cat-file', 'blob', `${ref}:symbolic`)).toBe('../outside')
  expect(await hubGit('for-each-ref', 'refs/hub/importing')).toBe('')
})

test('work that is too large is saved as far as it fits, small files first, and the rest is named with its size', async () => {
  await put({
    'a.txt': 'changed\n',
    'kept.log': 'x'.repeat(3000),
    'small.txt': 'small\n',
    'model.bin': Buffer.alloc(5000, 1),
  })
  await link(join(workspace, 'model.bin'), join(workspace, 'model.again'))
  const { commit, left } = await bringing({ mostBytes: 2500 })
  expect(left).toEqual([
    // The folder's own order decides which of two names of one file comes first.
    { path: expect.stringMatching(/^model\.(?:bin|again)$/), size: 5000 },
    { path: 'kept.log', size: 3000 },
  ])
  expect((await hubGit('ls-tree', '--name-only', ref)).split('\n')).toEqual(['a.txt', 'kept.log', 'small.txt'])
  expect(await hubGit('cat-file', 'blob', `${ref}:a.txt`)).toBe('changed')
  expect(await hubGit('cat-file', 'blob', `${ref}:kept.log`), 'as it was committed').toBe('tracked')
  expect(await hubGit('log', '-1', '--format=%B', ref)).toMatch(
    /model\.(?:bin|again) \(4\.9 KiB\), kept\.log \(2\.9 KiB\)/,
  )

  const later = await bringing({ ref: `${ref}-2`, mostBytes: 2500, before: commit })
  expect(later, 'the same once more is no further commit').toEqual({ commit, left })
  expect(await kit.hub.tip(projectId, `${ref}-2`)).toBeNull()
})

test('files that the folder ignores, by all of its rules, are left out, but never committed ones', async () => {
  await put({
    'a.txt': 'a\n',
    '.gitignore': '*.log\nbuild/\n',
    'kept.log': 'tracked, and changed\n',
    'other.log': 'ignored\n',
    'build/out.js': 'ignored\n',
    'sub/.gitignore': '!loud.log\n/here.txt\n',
    'sub/loud.log': 'not ignored\n',
    'sub/here.txt': 'ignored\n',
    'sub/deeper/here.txt': 'not ignored\n',
    'made-by-setup/x': 'ignored\n',
    '.git/info/exclude': '/made-by-setup/\n',
    '.git/config': '[core]\n\tfsmonitor = touch /tmp/never\n',
    'embedded/.git/HEAD': 'ref: refs/heads/x\n',
    'embedded/file.txt': 'of an embedded repository\n',
  })
  await bring()
  const names = await hubGit('ls-tree', '-r', '--name-only', ref)
  expect(names.split('\n')).toEqual([
    '.gitignore',
    'a.txt',
    'embedded/file.txt',
    'kept.log',
    'sub/.gitignore',
    'sub/deeper/here.txt',
    'sub/loud.log',
  ])
})

test('a file whose other name is ignored is saved, whichever of the two the stream names first', async () => {
  const made = pack()
  for (const [name, content] of Object.entries({ '.gitignore': 'made/\nz.log\n', 'made/a': 'early\n', b: 'late\n' }))
    made.entry({ name: `workspace/${name}` }, content)
  made.entry({ name: 'workspace/source', type: 'link', linkname: 'workspace/made/a' })
  made.entry({ name: 'workspace/z.log', type: 'link', linkname: 'workspace/b' })
  made.finalize()
  const bytes = await buffer(made)
  await bring({ tar: async () => Readable.from([bytes]) })
  expect(await hubGit('show', `${ref}:source`)).toBe('early')
  expect((await hubGit('ls-tree', '-r', '--name-only', ref)).split('\n')).toEqual(['.gitignore', 'b', 'source'])
})

test('a submodule whose files the hub has put there is kept, without these files', async () => {
  const lib = await kit.source('lib', { 'lib.txt': 'lib\n' })
  const source = await kit.source('using', {
    'a.txt': 'a\n',
    '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n',
  })
  await kit.git(source, 'update-index', '--add', '--cacheinfo', `160000,${await kit.git(lib, 'rev-parse', 'HEAD')},lib`)
  await kit.git(source, 'commit', '-qm', 'Use a library')
  const project = kit.project(source)
  const { commit } = await kit.hub.fetch(project)
  expect((await kit.hub.fetchModules(project, commit)).here).toHaveLength(1)
  onto = commit
  await put({ 'a.txt': 'changed\n', 'lib/lib.txt': 'spoiled\n' })
  const tree = await hubGit('ls-tree', '-r', (await bring()) ?? '')
  expect(tree).toMatch(/160000 commit \w+\tlib$/m)
  expect(tree).not.toContain('lib.txt')
})

test('a submodule whose folder is empty is kept, and a filled one has its files', async () => {
  const source = await kit.source('with-submodules', { 'a.txt': 'a\n' })
  for (const path of ['empty', 'filled', 'in/it'])
    await kit.git(source, 'update-index', '--add', '--cacheinfo', `160000,${onto},${path}`)
  await kit.git(source, 'commit', '-qm', 'submodules')
  onto = await kit.git(source, 'rev-parse', 'HEAD')
  await kit.hub.fetch(kit.project(source))
  await put({ 'a.txt': 'a\n' })
  expect(await bring()).toBeNull()
  await put({ 'filled/x': 'work\n', 'filled/.git': 'gitdir: ../.git/modules/filled\n' })
  await bring()
  const listed = (await hubGit('ls-tree', '-r', ref)).split('\n').map((line) => line.replace(/ \w+ \w+\t/, ' '))
  expect(listed).toEqual(['100644 a.txt', '160000 empty', '100644 filled/x', '160000 in/it'])
})

test('attributes of the folder change nothing in the saved work', async () => {
  await put({
    '.gitattributes': '*.txt working-tree-encoding=UTF-16 filter=swallow text eol=crlf ident\n',
    'a.txt': 'no UTF-16 at all $Id$\r\n',
  })
  await bring()
  expect(await hubGit('cat-file', '-s', `${ref}:a.txt`)).toBe(String('no UTF-16 at all $Id$\r\n'.length))
})

test('nothing is saved when nothing differs, and a save without a commit below stands alone', async () => {
  await put({ 'a.txt': 'a\n', 'gone.txt': 'x\n', 'kept.log': 'tracked\n' })
  expect(await bring()).toBeNull()
  expect(await kit.hub.tip(projectId, ref)).toBeNull()
  const alone = await bring({ onto: null })
  expect(await hubGit('rev-list', '--count', alone!)).toBe('1')
})

test('an existing ref is never moved', async () => {
  await put({ 'a.txt': 'first\n' })
  const first = await bring()
  await put({ 'a.txt': 'second\n' })
  await expect(bring()).rejects.toThrow(/is there already/)
  expect(await kit.hub.tip(projectId, ref)).toBe(first)
})

test('a stream with hostile names makes no file outside, and no commit that a checkout would trip over', async () => {
  const hostile = async () => {
    const made = pack()
    for (const name of [
      'workspace/../../evil',
      '/evil',
      'workspace/.git/hooks/x',
      'workspace/a//b',
      'workspace/./c',
      'workspace/../.gitignore',
    ])
      made.entry({ name }, 'evil\n')
    made.entry({ name: 'workspace/.gitignore', type: 'symlink', linkname: '/etc/passwd' })
    made.entry({ name: 'workspace/device', type: 'character-device' })
    made.entry({ name: 'workspace/good.txt' }, 'good\n')
    made.finalize()
    return made as unknown as Readable
  }
  await bring({ tar: hostile })
  const names = await hubGit('ls-tree', '-r', '--name-only', ref)
  expect(names.split('\n')).toEqual(['.gitignore', 'good.txt'])
})

test.each([
  [
    'names that are equal without bytes that are no UTF-8',
    ['/\xff', '/\xfe'],
    '/\ufffd',
    'several files have this name',
  ],
  ['a file and a folder whose names become equal', ['/\xff', '/\xfe/a'], '/\ufffd', 'several files have this name'],
  ['a folder and a file whose names become equal', ['/\xfe/a', '/\xff'], '/\ufffd', 'several files have this name'],
  ['a name that git takes from nobody', ['/.GIT/a'], '/.GIT/a', 'git takes no such name'],
])('%s: all other work is saved, and they are named', async (_what, ends, left, why) => {
  const made = pack()
  made.entry({ name: 'workspace/a.txt' }, 'changed\n')
  for (const end of ends) {
    const name = `workspace/name${end}`
    if (end.split('/').length > 2)
      made.entry({ name: Buffer.from(dirname(name), 'latin1').toString(), type: 'directory' })
    made.entry({ name: Buffer.from(name, 'latin1').toString() }, 'work\n')
  }
  made.finalize()
  const bytes = await buffer(made)
  const saved = await bringing({ tar: async () => Readable.from([bytes]) })
  expect(saved.left).toEqual([{ path: `name${left}`, size: 5, why: expect.stringContaining(why) }])
  expect(await hubGit('show', `${ref}:a.txt`)).toBe('changed')
  expect(await hubGit('log', '-1', '--format=%B', ref)).toContain(`Not saved here: name${left} (${why}`)
  expect(await hubGit('ls-tree', '-r', '--name-only', ref)).not.toMatch(/GIT|name\/"$/)
})

test('ignored files, names among them that cannot be saved, count for nothing', async () => {
  await put({ 'a.txt': 'changed\n', '.gitignore': 'node_modules/\n', 'node_modules/x/.GIT/a': 'x\n' })
  for (let at = 0; at < 20; at++) await put({ [`node_modules/x/${at}.js`]: 'x\n' })
  const { left } = await bringing({ mostFiles: 2 })
  expect(left).toEqual([])
  expect((await hubGit('ls-tree', '-r', '--name-only', ref)).split('\n')).toEqual(['.gitignore', 'a.txt'])
})

test('of too many files, committed ones and those in few folders are saved, and the others are named', async () => {
  await put({ 'a.txt': 'changed\n', 'kept.log': 'changed\n', 'src/new.ts': 'work\n' })
  for (let at = 0; at < 20; at++) await put({ [`cache/of/it/${at}.js`]: 'x\n' })
  const { left } = await bringing({ mostFiles: 4 })
  expect(left).toHaveLength(19)
  expect(left[0]).toEqual({ path: expect.stringMatching(/^cache\//), size: 2, why: 'there are too many files' })
  expect(await hubGit('ls-tree', '-r', '--name-only', ref)).toMatch(
    /^a\.txt\ncache\/of\/it\/\d+\.js\nkept\.log\nsrc\/new\.ts$/,
  )
})

test("a further name of a file in git's own folder is named, since its bytes are not read", async () => {
  const made = pack()
  made.entry({ name: 'workspace/.git/own' }, 'own\n')
  made.entry({ name: 'workspace/z.txt', type: 'link', linkname: 'workspace/.git/own' })
  made.entry({ name: 'workspace/a.txt' }, 'changed\n')
  made.finalize()
  const bytes = await buffer(made)
  const { left } = await bringing({ tar: async () => Readable.from([bytes]) })
  expect(left).toEqual([{ path: 'z.txt', size: 0, why: expect.stringContaining("git's own folder") }])
})

test('a stream that breaks off, in either reading, leaves no ref', async () => {
  await put({ 'a.txt': 'changed\n' })
  for (const broken of [1, 2]) {
    let calls = 0
    const breaking = async () =>
      ++calls === broken
        ? Readable.from(
            (async function* () {
              for await (const chunk of await tar()) {
                yield (chunk as Buffer).subarray(0, 700)
                throw new Error('the connection broke')
              }
            })(),
          )
        : tar()
    await expect(bring({ tar: breaking })).rejects.toThrow(/broke/)
    expect(await kit.hub.tip(projectId, ref)).toBeNull()
    expect(await hubGit('for-each-ref', 'refs/hub/importing')).toBe('')
  }
})

test('a folder whose names are too long together is refused', async () => {
  const names = async () => {
    const out = pack()
    for (let at = 0; at < 1200; at++) out.entry({ name: `workspace/${at}/${'d'.repeat(60_000)}`, size: 0 }, '')
    out.finalize()
    return Readable.from(out)
  }
  await expect(bring({ tar: names })).rejects.toThrow(/names of the files in the workspace are too long together/)
})
