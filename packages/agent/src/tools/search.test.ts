import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock, type Clock } from '../process/clock.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { git } from '../testing/test-hub.ts'
import { LineMatcher, patternOf, TooCostly } from './match-lines.ts'
import { noTokens } from '../testing/no-tokens.ts'
import { OutputFolder } from './output-folder.ts'
import { search } from './search.ts'
import { ToolRefusal, type ToolContext } from './tool.ts'

let context: ToolContext
let root: string
const at = (name: string) => join(context.workspace, name)

async function files(content: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(content)) {
    await mkdir(dirname(at(name)), { recursive: true })
    await writeFile(at(name), text)
  }
}

beforeEach(async () => {
  root = await tempFolder()
  context = {
    workspace: join(root, 'workspace'),
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' },
    clock: systemClock,
    stop: new AbortController().signal,
    timeoutMs: 20_000,
    outputLimit: 5000,
    outputs: new OutputFolder(join(root, 'outputs')),
    tokens: noTokens,
  }
  await mkdir(context.workspace)
  await git(context.workspace, 'init', '-q')
})

const find = (pattern: string, options: object = {}) => search.run(JSON.stringify({ pattern, ...options }), context)
/** The lines of results, without the notes about them. */
const lines = async (pattern: string, options: object = {}) =>
  (await find(pattern, options)).text.split('\n').filter((line) => !line.startsWith('['))

describe('search', () => {
  test('finds lines of files that git knows or would know, in order of the names', async () => {
    await files({
      'src/b.ts': 'one\r\ntwo thing\r\n',
      'a.ts': 'thing',
      '.gitignore': 'dist/\n*.log\n',
      'dist/out.js': 'thing',
      'x.log': 'thing',
      'src/odd\nname.ts': 'thing',
    })
    await git(context.workspace, 'add', 'src/b.ts')
    expect(await find('thing')).toEqual({
      ok: true,
      text: 'a.ts:1: thing\nsrc/b.ts:2: two thing\nsrc/odd name.ts:1: thing\n[3 matching lines in 3 files; 4 files searched]',
    })
    expect((await find('thing$', { path: 'src' })).text).toContain('2 matching lines')
    // A file asked for by name is meant, even if ignored.
    expect(await lines('thing', { path: 'x.log' })).toEqual(['x.log:1: thing'])
  })

  test('takes a glob as people write it', async () => {
    await files({ 'a.ts': 'x', 'src/b.tsx': 'x', 'src/deep/c.ts': 'x', 'src/d.js': 'x', 'odd [1]/e.ts': 'x' })
    const named = async (options: object) => (await lines('x', options)).map((line) => line.split(':')[0])
    expect(await named({ glob: '*.ts' })).toEqual(['a.ts', 'odd [1]/e.ts', 'src/deep/c.ts'])
    expect(await named({ glob: '*.{ts,tsx}', path: 'src' })).toEqual(['src/b.tsx', 'src/deep/c.ts'])
    expect(await named({ glob: 'src/*.{t,j}s{,x}' })).toEqual(['src/b.tsx', 'src/d.js'])
    expect(await named({ glob: './src/**/c.*' })).toEqual(['src/deep/c.ts'])
    expect(await named({ glob: '*.ts', path: 'odd [1]' })).toEqual(['odd [1]/e.ts'])
    expect((await find('x', { glob: '*.rs' })).text).toContain('there is no such file: check path and glob')
    expect(await find('x', { glob: '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}' })).toMatchObject({ ok: false })
  })

  test('takes a regular expression, a text, and either without regard to case', async () => {
    await files({ 'a.txt': 'f(x)\nF(X)\nfx\n  ärger 😀\n' })
    expect(await lines('f(x)')).toEqual(['a.txt:3: fx'])
    expect(await lines('f(x)', { literal: true })).toEqual(['a.txt:1: f(x)'])
    expect(await lines('f(x)', { literal: true, ignore_case: true })).toHaveLength(2)
    expect(await lines('(?i)^FX$')).toEqual(['a.txt:3: fx'])
    expect(await lines('^\\s+\\p{L}+ .$')).toEqual(['a.txt:4:   ärger 😀'])
    expect(await lines('\\_|f\\-x|r 😀')).toEqual(['a.txt:4:   ärger 😀']) // needless backslashes
    for (const pattern of ['f(x', 'a\nb'])
      expect(await find(pattern)).toMatchObject({ ok: false, text: expect.stringMatching(/^Error: /) })
    expect((await find('f(x')).text).toContain('"literal"')
  })

  test('shows the lines around a match once, and where some are left out', async () => {
    await files({ 'a.txt': '1\n2\nhit\n4\nhit\n6\n7\n8\n9\nhit\n', 'b.txt': 'hit' })
    expect(await lines('hit', { context: 1 })).toEqual([
      'a.txt-2- 2',
      'a.txt:3: hit',
      'a.txt-4- 4',
      'a.txt:5: hit',
      'a.txt-6- 6',
      '--',
      'a.txt-9- 9',
      'a.txt:10: hit',
      '--',
      'b.txt:1: hit',
    ])
  })
})

describe('a search is bounded', () => {
  test('in results: it says how many there are and how to narrow them', async () => {
    await files({ 'a.txt': 'x\n'.repeat(70), 'b.txt': 'x\n'.repeat(70), 'c.txt': 'x\n' })
    expect(await lines('x')).toHaveLength(100)
    const few = await find('x', { max_results: 2 })
    expect(few).toEqual({
      ok: true,
      text: 'a.txt:1: x\na.txt:2: x\n[the first 2 of 141 matching lines in 3 files; narrow it with path or glob, take a more exact pattern, or raise max_results]',
    })
  })

  test('in the length of a line: it shows the part that matches', async () => {
    await files({ 'min.js': `${'a'.repeat(5000)}needle${'b'.repeat(5000)}` })
    const [line = ''] = await lines('needle')
    expect(line).toMatch(/^min\.js:1: …a+needleb+…$/)
    expect(line.length).toBeLessThan(330)
  })

  test('in all of its text: a file keeps the whole', async () => {
    await files({ 'a.txt': `${'long line '.repeat(20)}\n`.repeat(100) })
    const { text } = await find('line')
    expect(text.length).toBeLessThan(5500)
    expect(text).toMatch(/^a\.txt:1: long line/)
    expect(text).toMatch(/a\.txt:100: [^\n]*\n\[100 matching lines in 1 file; 1 file searched\]$/)
    expect(text).toContain(`the whole output is in ${join(root, 'outputs', 'output-1.txt')}`)
  })

  test('in its files: no binary file, no huge one, no special file, nothing behind a link', async () => {
    await mkdir(join(root, 'outside'))
    await writeFile(join(root, 'outside', 'secret.txt'), 'thing')
    await files({ 'a.bin': 'thing\0', 'huge.txt': 'thing\n', 'folder/secret.txt': 'thing', 'good.txt': 'thing' })
    await truncate(at('huge.txt'), 3 * 1024 ** 2)
    await git(context.workspace, 'add', '.')
    await rm(at('folder'), { recursive: true })
    await symlink(join(root, 'outside'), at('folder'))
    await symlink(join(root, 'outside', 'secret.txt'), at('link.txt'))
    await rm(at('good.txt'))
    execFileSync('mkfifo', [at('good.txt')])
    await files({ 'last.txt': 'thing' })
    expect(await find('thing')).toEqual({
      ok: true,
      text: 'last.txt:1: thing\n[1 matching line in 1 file; 1 file searched]\n[left out: 1 binary file, 1 file of more than 2 MiB]',
    })
    for (const path of ['folder', 'folder/secret.txt', 'link.txt', '../outside', '/etc', 'missing'])
      expect(await find('thing', { path })).toMatchObject({ ok: false, text: expect.stringMatching(/^Error: /) })
  })

  test('in the cost of a pattern: it is stopped, the file is named, and the next search works', async () => {
    await files({ 'a.txt': 'aa\n', 'z.txt': `${'a'.repeat(45)}!\n` })
    const { ok, text } = await find('(a+)+$')
    expect(ok).toBe(false)
    expect(text).toContain('the pattern takes too long on z.txt; take a simpler one')
    expect(await lines('^a+!')).toHaveLength(1)
  })

  test.each(['(a|aa)+$', '^(.*a){25}$', '(?:(?:a{1,999}){1,999}){1,999}b', '(?=(a+)+$)'])(
    'in the cost of a pattern, however it is made: %s',
    (pattern) => {
      const matcher = new LineMatcher(patternOf(pattern, {}), 50)
      const find = () => matcher.find([{ name: 'z.txt', text: `${'a'.repeat(5000)}!` }], 1)
      expect(find).toThrow(expect.toSatisfy((error) => error instanceof TooCostly || error instanceof ToolRefusal))
    },
  )

  test('in time: it says how far it came', async () => {
    await files({ 'a.txt': 'x\n' })
    const late: Clock = { ...systemClock, sleep: () => Promise.resolve() }
    context = { ...context, clock: late }
    expect(await find('x')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/stopped \(after 20 s\) with 0 of/),
    })
  })

  test('by the session: a stopped one ends at once', async () => {
    await files({ 'a.txt': 'x\n' })
    context = { ...context, stop: AbortSignal.abort() }
    expect(await find('x')).toMatchObject({ ok: false, text: expect.stringContaining('the session is ending') })
  })
})

test('a workspace that is no repository any more leads to a sentence for the model', async () => {
  await files({ 'a.txt': 'x\n' })
  await rm(at('.git'), { recursive: true })
  const { ok, text } = await find('x')
  expect(ok).toBe(false)
  expect(text).toMatch(/^Error: git cannot list the files: .*; use the bash tool/)
  expect(await lines('x', { path: 'a.txt' })).toEqual(['a.txt:1: x'])
})
