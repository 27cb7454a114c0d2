// @suite unit-long
import { randomBytes } from 'node:crypto'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'

const odd = 'odd "name"\twith\nnewline ü.txt'
let kit: Kit
let source: string
let commit: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'readme.md': 'hello\n' })
  await symlink('/etc/passwd', join(source, 'link'))
  commit = await change({ 'beadloom.json': '\uFEFF{}\n', 'src/a.ts': 'a\n', [odd]: 'odd\n' })
})
afterEach(() => kit.close())

async function change(files: Record<string, string>): Promise<string> {
  const made = await kit.commit(source, files)
  await kit.hub.fetch(kit.project(source))
  return made
}

const read = (path: string, limit?: number) => kit.hub.readFile(projectId, commit, path, limit)

test('a file is read as text, without a byte order mark', async () => {
  expect(await read('readme.md')).toBe('hello\n')
  expect(await read('beadloom.json')).toBe('{}\n')
  expect(await read('src/a.ts')).toBe('a\n')
  expect(await read(odd)).toBe('odd\n')
})

test('a missing file, a folder, a link or a path outside of the tree is null', async () => {
  for (const path of ['nothing', 'src', 'link', '../lib/readme.md', '/etc/passwd', 'src/../readme.md', ':(glob)*']) {
    expect(await read(path)).toBeNull()
  }
})

test('a file above the limit is refused with both numbers', async () => {
  await expect(read('readme.md', 5)).rejects.toThrow(/readme.md has 6 bytes .* at most 5 are read/)
  expect(await read('readme.md', 6)).toBe('hello\n')
})

test('a folder lists its regular files, and a missing one lists nothing', async () => {
  const at = await change({ 'docs/a.md': 'a', 'docs/deep/b.md': 'b' })
  expect(await kit.hub.filesIn(projectId, at, 'docs')).toEqual(['a.md'])
  for (const folder of ['nothing', 'readme.md', '../lib', '/etc', 'link'])
    expect(await kit.hub.filesIn(projectId, at, folder)).toEqual([])
})

test('the names in the root folder are unchanged', async () => {
  expect((await kit.hub.rootFiles(projectId, commit)).toSorted()).toEqual(
    ['beadloom.json', 'link', odd, 'readme.md', 'src'].toSorted(),
  )
})

test('the paths of all folders come with those nearest to the root first, up to the requested number', async () => {
  const at = await change({ 'src/deep/b.ts': 'b\n', 'z.txt': 'z\n' })
  const all = await kit.hub.paths(projectId, at, 1000)
  expect(all.toSorted()).toEqual(
    ['beadloom.json', 'link', odd, 'readme.md', 'src/a.ts', 'src/deep/b.ts', 'z.txt'].toSorted(),
  )
  expect(all.slice(-2)).toEqual(['src/a.ts', 'src/deep/b.ts'])
  expect(await kit.hub.paths(projectId, at, 4)).toEqual(all.slice(0, 3)) // the root folder itself counts, too
})

/** Trees that no working tree could have, and commits of them. */
async function handmade() {
  const blob = (await kit.git(source, 'rev-parse', 'HEAD:readme.md')).trim()
  const file = join(kit.root, 'tree')
  return {
    file: (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]),
    submodule: (name: string) => Buffer.concat([Buffer.from(`160000 ${name}\0`), Buffer.alloc(20, 7)]),
    folder: (name: string, tree: string) => Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(tree, 'hex')]),
    tree: async (entries: Buffer[]) => {
      await writeFile(file, Buffer.concat(entries))
      return (await kit.git(source, 'hash-object', '-t', 'tree', '-w', file)).trim()
    },
    commit: async (tree: string) => {
      const made = (await kit.git(source, 'commit-tree', '-m', 'by hand', tree)).trim()
      await kit.git(source, 'update-ref', 'refs/heads/main', made)
      await kit.hub.fetch(kit.project(source))
      return made
    },
  }
}

const numbered = (many: number) => Array.from({ length: many }, (_, at) => String(at).padStart(6, '0'))

test('a tree that names one folder over and over costs no more looks than requested', async () => {
  const made = await handmade()
  let tree = await made.tree([made.file('package.json')])
  for (let depth = 0; depth < 9; depth++) {
    const below = tree
    tree = await made.tree([...'abcdefghij'].map((name) => made.folder(name, below)))
  }
  const bomb = await made.commit(tree)
  expect(await kit.hub.paths(projectId, bomb, 500)).toEqual([])
})

test('a folder full of entries that are no files costs a look for each', async () => {
  const made = await handmade()
  const full = await made.tree([...numbered(600).map(made.submodule), made.file('z')])
  const at = await made.commit(await made.tree([made.folder('a', full), made.folder('b', full)]))
  expect(await kit.hub.paths(projectId, at, 500)).toEqual([])
  expect(await kit.hub.paths(projectId, at, 1300)).toEqual(['a/z', 'b/z'])
})

test('paths that are too long to be opened are left out, however deep the folders', async () => {
  const made = await handmade()
  const name = 'd'.repeat(250)
  let tree = await made.tree([made.file('a')])
  for (let depth = 0; depth < 40; depth++) tree = await made.tree([made.file('a'), made.folder(name, tree)])
  const paths = await kit.hub.paths(projectId, await made.commit(tree), 1000)
  expect(paths).toHaveLength(17)
  expect(paths.at(-1)?.length).toBe(16 * 251 + 1)
})

test('all paths together are no more text than a server can hold', async () => {
  const made = await handmade()
  let tree = await made.tree(numbered(10_000).map(made.file))
  for (let depth = 0; depth < 16; depth++) tree = await made.tree([made.folder('d'.repeat(250), tree)])
  const paths = await kit.hub.paths(projectId, await made.commit(tree), 100_000)
  expect(paths.length).toBeGreaterThan(8000)
  expect(paths.join('').length).toBeLessThan(33 * 1024 ** 2)
})

test('the hash of files changes with their contents, their absence, and nothing else', async () => {
  const hash = (at: string, paths: string[]) => kit.hub.hashFiles(projectId, at, paths)
  const paths = ['readme.md', 'package-lock.json', 'src/a.ts']
  const first = await hash(commit, paths)
  expect(await hash(commit, paths.toReversed())).toBe(first)
  expect(await hash(commit, ['readme.md', 'src/a.ts'])).not.toBe(first)
  expect(await hash(await change({ 'other.txt': 'x' }), paths)).toBe(first)
  expect(await hash(await change({ 'package-lock.json': '{}' }), paths)).not.toBe(first)
  expect(await hash(commit, [])).toMatch(/^[0-9a-f]{64}$/)
})

test('an archive holds every file byte for byte, whatever .gitattributes asks for', async () => {
  const files = {
    '.gitattributes': '* text eol=crlf ident\nhidden.txt export-ignore\nid.txt export-subst\n',
    'hidden.txt': 'hidden\n',
    'id.txt': '$Format:%H$ $Id$\n',
  }
  const entries = await untar(await kit.hub.archive(projectId, await change(files)))
  for (const [name, text] of Object.entries(files)) expect(entries.get(name)).toBe(text)
  expect(entries.get('link')).toBe('-> /etc/passwd')
  expect(entries.get(odd)).toBe('odd\n')
})

test('an archive of a missing commit fails in the stream', async () => {
  const stream = await kit.hub.archive(projectId, 'a'.repeat(40))
  await expect(untar(stream)).rejects.toMatchObject({ kind: 'git-failed' })
})

test('a reader that leaves early ends the archive', async () => {
  await writeFile(join(source, 'large.bin'), randomBytes(8 * 1024 ** 2))
  const stream = await kit.hub.archive(projectId, await change({ x: 'x' }))
  await new Promise<void>((resolve) => {
    stream.once('data', () => stream.destroy())
    stream.once('close', resolve)
  })
})

test('an archive of a tree that is much larger than the push ends at a number of bytes, with a sentence', async () => {
  const made = await handmade()
  let tree = await made.tree([made.file('a')])
  for (let depth = 0; depth < 5; depth++) tree = await made.tree(numbered(10).map((name) => made.folder(name, tree)))
  const bomb = await made.commit(await made.tree([made.folder('bomb', tree)]))
  const read = async (folder: string) =>
    (await (await kit.hub.archive(projectId, bomb, folder, 2 ** 20)).toArray()).length
  await expect(read('')).rejects.toThrow(/^The files in [0-9a-f]{40} have more than 1 MiB, which is the most/)
  await expect(read('bomb')).rejects.toMatchObject({ kind: 'refused', message: expect.stringContaining('of bomb in') })
  expect(await read('bomb/000000/000000/000000')).toBeGreaterThan(0)
})

test('commits are listed newest first with their known fields', async () => {
  const next = await change({ 'b.txt': 'b' })
  const [newest, ...others] = await kit.hub.commits(projectId, commit, next)
  expect(newest).toMatchObject({ commit: next, parent: commit, subject: 'Change', author: 'Ada' })
  expect(newest?.at).toBe(1000 * Number(await kit.git(source, 'log', '-1', '--format=%ct')))
  expect(others).toEqual([])
  expect(await kit.hub.commits(projectId, next, next)).toEqual([])
})

test('a subject of any kind is one subject', async () => {
  const next = await kit.commit(source, { 'b.txt': 'b' }, '"quotes" | pipes \t tabs 🧵\nsecond line\n\nbody')
  await kit.hub.fetch(kit.project(source))
  const [newest] = await kit.hub.commits(projectId, commit, next)
  expect(newest?.subject).toBe('"quotes" | pipes \t tabs 🧵 second line')
})

test('a diff knows renames, binary files, modes, submodules and odd names', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
  const from = await change({ 'old.txt': lines, 'gone.txt': 'gone\n' })
  await kit.git(source, 'mv', 'old.txt', 'new\tname.txt')
  await kit.git(source, 'rm', '-q', 'gone.txt')
  await kit.git(source, 'update-index', '--add', '--cacheinfo', `160000,${from},sub`)
  await kit.git(source, 'update-index', '--chmod=+x', 'src/a.ts')
  await writeFile(join(source, 'bin'), Buffer.from([0, 1, 2, 3]))
  await writeFile(join(source, odd), 'odd\nmore\n')
  await kit.git(source, 'add', 'bin', odd)
  await kit.git(source, 'commit', '-q', '-m', 'Many')
  const to = await kit.git(source, 'rev-parse', 'HEAD')
  await kit.hub.fetch(kit.project(source))
  const files = await kit.hub.diff(projectId, from, to)
  const blob = (path: string) => kit.git(source, 'rev-parse', `${to}:${path}`)
  expect(files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: 'bin', oldPath: null, status: 'A', added: null, removed: null, blob: expect.any(String) },
    { path: 'gone.txt', oldPath: null, status: 'D', added: 0, removed: 1, blob: null },
    { path: 'new\tname.txt', oldPath: 'old.txt', status: 'R', added: 0, removed: 0, blob: await blob('new\tname.txt') },
    { path: odd, oldPath: null, status: 'M', added: 1, removed: 0, blob: await blob(odd) },
    { path: 'src/a.ts', oldPath: null, status: 'M', added: 0, removed: 0, blob: await blob('src/a.ts') },
    { path: 'sub', oldPath: null, status: 'A', as: 'submodule', added: 1, removed: 0, blob: from },
  ])
  const patch = async (path: string) => (await kit.hub.patch(projectId, from, to, path)).text
  expect(await patch(odd)).toContain('+more')
  expect(await patch('new\tname.txt')).toContain('rename from old.txt')
  expect(await patch('bin')).toMatch(/Binary files/)
  expect(await patch('sub')).toContain(`+Subproject commit ${from}`)
  expect(await patch('gone.txt')).toContain('-gone')
  expect(await patch('readme.md')).toBe('')
  expect(await patch('../../etc/passwd')).toBe('')
})

test('a diff compares its trees once, and each patch costs one more git', async () => {
  const from = commit
  const to = await change({ 'one.txt': 'one\n', 'two.txt': 'two\n' })
  const [calls, counting] = [join(kit.root, 'calls'), join(kit.root, 'counting-git')]
  await writeFile(counting, `#!/bin/sh\necho "$*" >> '${calls}'\nexec git "$@"\n`, { mode: 0o755 })
  const hub = await kit.again(counting)
  await expect(hub.diff(projectId, from, '0'.repeat(40))).rejects.toThrow()
  await Promise.all([hub.diff(projectId, from, to), hub.patch(projectId, from, to, 'one.txt')])
  expect((await hub.patch(projectId, from, to, 'two.txt')).text).toContain('+two')
  const compared = async () =>
    (await readFile(calls, 'utf8')).split('\n').filter((call) => call.includes(`${from} ${to}`))
  expect((await compared()).map((call) => (call.includes(' --raw ') ? 'all' : call.split(' -- ')[1]))).toEqual([
    'all',
    'one.txt',
    'two.txt',
  ])
  await hub.remove(projectId)
  await expect(hub.diff(projectId, from, to)).rejects.toThrow(/fetch it first/)
})

test('changes of white space alone can be left out, and unchanged lines around a change asked for', async () => {
  const lines = (change: string) => `${'same\n'.repeat(9)}${change}\n`
  const from = await change({ 'space.txt': 'if (a) {\n', 'both.txt': lines('old') })
  const to = await change({ 'space.txt': '  if (a)  {\n', 'both.txt': ` ${lines('new')}` })
  const exact = await kit.hub.diff(projectId, from, to)
  expect(exact.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['both.txt', 2, 2],
    ['space.txt', 1, 1],
  ])
  const ignored = await kit.hub.diff(projectId, from, to, { ignoreSpace: true })
  expect(ignored.map(({ path, added, removed }) => [path, added, removed])).toEqual([
    ['both.txt', 1, 1],
    ['space.txt', 0, 0],
  ])
  const patch = async (context: number) =>
    (await kit.hub.patch(projectId, from, to, 'both.txt', undefined, { ignoreSpace: true, context })).text
  expect(await patch(0)).toMatch(/@@ same\n-old\n\+new\n$/)
  expect((await patch(100)).match(/^ +same$/gm)).toHaveLength(9)
})

test('files can be limited to those in which a certain line came or went', async () => {
  const from = await change({
    'came.py': 'x = 1\n',
    'there.py': 'def __eq__(self, other):\nx = 1\n',
    'odd.py': '# \0\n',
  })
  const to = await change({
    'came.py': 'def __eq__(self, other):\n',
    'there.py': 'def __eq__(self, other):\nx = 2\n',
    'odd.py': '# \0\ndef __eq__(self, other):\n',
  })
  const matching = await kit.hub.diff(projectId, from, to, { lines: 'def __(eq|ne)__' })
  expect(matching.map(({ path }) => path).sort()).toEqual(['came.py', 'odd.py'])
  expect(await kit.hub.diff(projectId, from, to)).toHaveLength(3)
})

test('a long patch is cut at a line, and the cut is noted beside its text', async () => {
  const from = commit
  const to = await change({ 'long.txt': 'one line of text\n'.repeat(10_000) })
  const patch = await kit.hub.patch(projectId, from, to, 'long.txt', 10_000)
  expect(patch.cut).toBe(true)
  expect(patch.text.length).toBeLessThanOrEqual(10_000)
  expect(patch.text).toMatch(/\+one line of text\n$/)
  expect((await kit.hub.patch(projectId, from, to, 'long.txt')).cut).toBe(false)
})

test('a text conversion or external diff that the repository names never runs', async () => {
  const { program, path } = await kit.marker('textconv')
  for (const key of ['diff.evil.textconv', 'diff.evil.command', 'diff.external']) {
    await kit.git(source, 'config', key, program)
  }
  const from = await change({ '.gitattributes': '*.txt diff=evil\n', 'a.txt': 'a\n' })
  const to = await change({ 'a.txt': 'b\n' })
  expect((await kit.hub.patch(projectId, from, to, 'a.txt')).text).toContain('+b')
  expect(await import('node:fs').then((fs) => fs.existsSync(path))).toBe(false)
})

/** Text of each file, `-> target` for a link. */
async function untar(stream: Readable): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const reader = extract()
  reader.on('entry', (header, body, next) => {
    let text = ''
    body.on('data', (chunk) => (text += String(chunk)))
    body.on('end', () => {
      if (header.type === 'file') found.set(header.name, text)
      if (header.type === 'symlink') found.set(header.name, `-> ${header.linkname}`)
      next()
    })
  })
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject)
    reader.on('error', reject)
    reader.on('finish', resolve)
    stream.pipe(reader)
  })
  return found
}
