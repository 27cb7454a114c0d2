// @suite unit-long
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectId, startKit, type Kit } from './hub-kit.ts'

let kit: Kit
beforeAll(async () => void (kit = await startKit()))
afterAll(() => kit.close())

const latin1 = (path: string) => Buffer.from(path, 'latin1')

/** Two commits in the hub: before and after `change`. */
async function changed(name: string, files: Record<string, string>, change: (at: (path: string) => Buffer) => unknown) {
  const folder = await kit.source(name, { 'readme.md': 'hello\n' })
  const at = (path: string) => Buffer.concat([Buffer.from(`${folder}/`), latin1(path)])
  await mkdir(join(folder, 'test'))
  for (const [path, text] of Object.entries(files)) await writeFile(at(path), text)
  const from = await kit.commit(folder, { 'test/first': 'first\n' }, 'Files')
  await change(at)
  const to = await kit.commit(folder, {}, 'Change')
  await kit.hub.fetch(kit.project(folder))
  const diff = await kit.hub.diff(projectId, from, to)
  return {
    folder,
    from,
    diff,
    to,
    paths: diff.map(({ path }) => path),
    patch: (path: string, how = {}) => kit.hub.patch(projectId, from, to, path, undefined, how),
  }
}

const lines = (...words: string[]) => words.map((word) => `${word}\n`).join('')

describe('a path that is no UTF-8', () => {
  test('is listed in a form that asks for its own patch and its own file, and for no other', async () => {
    const { paths, patch, to } = await changed(
      'bytes',
      { 'test/caf\xe9.js': lines('a', 'b'), 'test/caf\xe8.js': lines('c', 'd') },
      async (at) => {
        await writeFile(at('test/caf\xe9.js'), lines('a'))
        await writeFile(at('test/caf\xe8.js'), lines('c'))
      },
    )
    expect(paths).toEqual(['test/caf\\xE8.js', 'test/caf\\xE9.js'])
    expect((await patch('test/caf\\xE9.js')).text).toMatch(/^diff --git "a\/test\/caf\\351\.js" [^]*\n-b\n$/)
    expect((await patch('test/caf\\xE8.js')).text).toMatch(/^diff --git "a\/test\/caf\\350\.js" [^]*\n-d\n$/)
    expect(await kit.hub.readFile(projectId, to, 'test/caf\\xE9.js')).toBe('a\n')
    expect(await kit.hub.filesIn(projectId, to, 'test')).toEqual(['caf\\xE8.js', 'caf\\xE9.js', 'first'])
    expect(await kit.hub.paths(projectId, to, 100)).toContain('test/caf\\xE9.js')
  })

  test('shows its changes when it is renamed, from such a name and to one', async () => {
    const body = lines(...'abcdefgh')
    const { diff, patch } = await changed(
      'renamed',
      { 'test/a\xff.js': body, 'test/b.js': body + body },
      async (at) => {
        await rename(at('test/a\xff.js'), at('test/a.js'))
        await rename(at('test/b.js'), at('test/b\xff.js'))
        await writeFile(at('test/a.js'), body.replace('c\n', ''))
        await writeFile(at('test/b\xff.js'), (body + body).replace('d\n', ''))
      },
    )
    expect(diff.map(({ path, oldPath, status }) => [status, oldPath, path])).toEqual([
      ['R', 'test/a\\xFF.js', 'test/a.js'],
      ['R', 'test/b.js', 'test/b\\xFF.js'],
    ])
    expect((await patch('test/a.js')).text).toMatch(/\n-c\n/)
    expect((await patch('test/b\\xFF.js')).text).toMatch(/\n-d\n/)
  })

  test('has a patch that is cut if it is too long, whatever else matches its pattern', async () => {
    const long = 'x'.repeat(1000)
    const { patch } = await changed('long', {}, async (at) => {
      await writeFile(at('test/a\xe8.js'), lines(...Array.from({ length: 6000 }, (_, n) => `${n}${long}`)))
      await writeFile(at('test/a\xe9.js'), lines('short'))
    })
    const cut = await patch('test/a\\xE8.js')
    expect(cut.cut).toBe(true)
    expect(cut.text.length).toBeLessThanOrEqual(1024 ** 2)
    expect(await patch('test/a\\xE9.js')).toEqual({ text: '', cut: true })
  })
})

test('a patch has names as they are, quotes those that could mislead, and git applies it', async () => {
  const utf8 = (name: string) => Buffer.from(name).toString('latin1')
  const names = ['grüße.txt', '日 本.txt', '"ü".txt', 'ü\tb.txt', 'ü\nb.txt', '\u202etxt.exe'].map(utf8)
  const old = utf8('test/alt ä.txt')
  const { folder, from, to, diff, patch } = await changed(
    'as-they-are',
    { [old]: lines(...'abcdefgh') },
    async (at) => {
      for (const name of [...names, 'caf\xe9.txt']) await writeFile(at(`test/${name}`), 'new\n')
      await rename(at(old), at(utf8('test/neu ü.txt')))
    },
  )
  const texts = await Promise.all(diff.map(async ({ path }) => (await patch(path)).text))
  expect(new Set(texts.map((text) => text.split('\n', 1)[0]))).toEqual(
    new Set([
      'diff --git a/test/grüße.txt b/test/grüße.txt',
      'diff --git a/test/日 本.txt b/test/日 本.txt',
      'diff --git a/test/alt ä.txt b/test/neu ü.txt',
      String.raw`diff --git "a/test/\"ü\".txt" "b/test/\"ü\".txt"`,
      String.raw`diff --git "a/test/ü\tb.txt" "b/test/ü\tb.txt"`,
      String.raw`diff --git "a/test/ü\nb.txt" "b/test/ü\nb.txt"`,
      String.raw`diff --git "a/test/\342\200\256txt.exe" "b/test/\342\200\256txt.exe"`,
      String.raw`diff --git "a/test/caf\351.txt" "b/test/caf\351.txt"`,
    ]),
  )
  await kit.git(folder, 'reset', '-q', '--hard', from)
  await writeFile(join(folder, '..', 'patch'), texts.join(''))
  await kit.git(folder, 'apply', '--index', '../patch')
  expect(await kit.git(folder, 'write-tree')).toBe(await kit.git(folder, 'rev-parse', `${to}^{tree}`))
})

test('a name that means something to a shell, to git or to a terminal is a name', async () => {
  const names = [
    '"quoted".js',
    'a\nb.js',
    'a\tb.js',
    'a\\b.js',
    'a\\xE9.js',
    '-p',
    '--output=x',
    ':(exclude)readme.md',
    ':!x',
    '*',
    '[a].js',
    `${'long'.repeat(60)}.js`,
    'UPPER.js',
    'upper.js',
    ' spaces ',
  ]
  const { diff, patch } = await changed('names', {}, async (at) => {
    for (const name of names) await writeFile(at(name), `of ${JSON.stringify(name)}\n`)
  })
  expect(diff).toHaveLength(names.length)
  const texts = await Promise.all(diff.map(async ({ path }) => (await patch(path)).text))
  for (const name of names)
    expect(texts.filter((text) => text.endsWith(`+of ${JSON.stringify(name)}\n`))).toHaveLength(1)
  for (const text of texts) expect(text.match(/^diff --git /gm)).toHaveLength(1)
})

test('attributes that a repository gives its files hide no line', async () => {
  const attributes = { '.gitattributes': '*.js -diff\n*.ts binary\n*.py diff=none\n' }
  const files = { 'test/a.js': lines('a', 'b'), 'test/a.ts': lines('a', 'b'), 'test/a.py': lines('a', 'b') }
  const { diff, patch } = await changed('attributes', { ...attributes, ...files }, async (at) => {
    for (const path of Object.keys(files)) await writeFile(at(path), 'a\n')
  })
  for (const path of Object.keys(files)) {
    expect(diff.find((file) => file.path === path)).toMatchObject({ added: 0, removed: 1 })
    expect((await patch(path)).text).toMatch(/\n-b\n$/)
  }
})

test('the lines of a file with a zero byte are shown to callers that ask for text', async () => {
  const { diff, patch } = await changed('zero', { 'test/a.js': lines('a', 'b') }, (at) =>
    writeFile(at('test/a.js'), 'a // \0\n'),
  )
  expect(diff).toMatchObject([{ path: 'test/a.js', added: null }])
  expect((await patch('test/a.js')).text).toMatch(/^Binary files /m)
  expect((await patch('test/a.js', { text: true })).text).toMatch(/\n-a\n-b\n\+a \/\/ \0\n$/)
})

test('a file that a link replaces shows its former content', async () => {
  const { diff, patch } = await changed('link', { 'test/a.js': lines('a', 'b') }, async (at) => {
    await rm(at('test/a.js'))
    await symlink('../readme.md', at('test/a.js'))
  })
  expect(diff).toMatchObject([{ path: 'test/a.js', status: 'T' }])
  expect((await patch('test/a.js')).text).toMatch(/deleted file mode 100644\n[^]*\n-a\n-b\n[^]*new file mode 120000\n/)
})

test('a conflict names a file whose path is no UTF-8', async () => {
  const folder = await kit.source('conflict')
  const path = Buffer.concat([Buffer.from(`${folder}/`), latin1('caf\xe9')])
  await writeFile(path, 'a\n')
  await kit.commit(folder, {}, 'Add it')
  await kit.git(folder, 'checkout', '-q', '-b', 'other')
  await writeFile(path, 'b\n')
  const other = await kit.commit(folder, {}, 'Other')
  await kit.git(folder, 'checkout', '-q', 'main')
  await writeFile(path, 'c\n')
  await kit.commit(folder, {}, 'Main')
  await kit.hub.fetch(kit.project(folder))
  expect(await kit.hub.integrate(projectId, 'main', other, 'Merge')).toMatchObject({
    result: 'conflict',
    files: ['caf\\xE9'],
  })
})
