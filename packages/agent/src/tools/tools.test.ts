import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile as read, stat, symlink, truncate, writeFile as write } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { bash } from './bash.ts'
import { editFile } from './edit-file.ts'
import { noTokens } from '../testing/no-tokens.ts'
import { OutputFolder } from './output-folder.ts'
import { readFile } from './read-file.ts'
import { search } from './search.ts'
import type { Observation, Tool, ToolContext } from './tool.ts'
import { writeFile } from './write-file.ts'

let context: ToolContext
let outside: string
const at = (name: string) => join(context.workspace, name)

beforeEach(async () => {
  const root = await tempFolder()
  const workspace = join(root, 'workspace')
  outside = join(root, 'workspace-2') // its path begins like the workspace's
  await mkdir(workspace)
  await mkdir(outside)
  await write(join(outside, 'secret'), 'secret')
  const stop = new AbortController().signal
  context = {
    workspace,
    env: { PATH: process.env['PATH'] },
    clock: systemClock,
    stop,
    timeoutMs: 20_000,
    outputLimit: 2000,
    outputs: new OutputFolder(join(root, 'outputs')),
    tokens: noTokens,
  }
})

const use = (tool: Tool, args: unknown): Promise<Observation> =>
  tool.run(typeof args === 'string' ? args : JSON.stringify(args), context)

test('every tool describes its arguments to the model', () => {
  for (const tool of [bash, search, readFile, writeFile, editFile]) {
    expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
    const properties = Object.values(tool.parameters['properties'] as Record<string, { description?: string }>)
    expect(properties.every(({ description }) => description)).toBe(true)
  }
})

test.each([
  ['no JSON', '{"path":', 'not valid JSON'],
  ['an array', '[]', 'invalid arguments'],
  ['nothing', '', 'path'],
  ['a wrong type', '{"path":7}', 'path'],
  ['an unknown name', '{"path":"a","mode":1}', 'mode'],
  ['an empty path', '{"path":""}', 'empty'],
  ['a zero byte', '{"path":"a\\u0000b"}', 'zero byte'],
  ['a name that is too long', JSON.stringify({ path: 'x'.repeat(300) }), 'ENAMETOOLONG'],
])('arguments that are %s come back as an observation', async (_name, args, part) => {
  const { ok, text } = await use(readFile, args)
  expect(ok).toBe(false)
  expect(text).toContain(part)
})

test('bash runs in the workspace and reports output and exit code', async () => {
  expect(await use(bash, { command: 'pwd; echo err >&2; exit 4' })).toEqual({
    ok: false,
    text: `${context.workspace}\nerr\n[exit code 4]`,
  })
  expect(await use(bash, { command: 'true' })).toEqual({ ok: true, text: '[exit code 0]' })
})

test('bash is bounded in time', async () => {
  const { ok, text } = await use(bash, { command: 'echo begun; sleep 1000', timeout_seconds: 1 })
  expect({ ok, text }).toEqual({ ok: false, text: 'begun\n[stopped after 1 s: the time limit]' })
})

test('bash is bounded in output: the middle is cut, and the model is told which lines and where they are', async () => {
  const { text } = await use(bash, { command: 'echo first; yes | head -c 30000000; echo last' })
  expect(text).toMatch(/^first\ny\n/)
  expect(text).toMatch(/y\nlast\n\[exit code 0\]$/)
  expect(text).toMatch(/\[… [\d,]+ characters left out: lines 499 to 14999504; the first part of the output is in \//)
  expect(text.length).toBeLessThan(2300)
  expect((await stat(join(context.outputs.path, 'output-1.txt'))).size).toBe(4 * 1024 ** 2)
})

test('the whole of a long output is in a file, of which read_file gives lines and search finds them', async () => {
  const { text } = await use(bash, { command: 'seq 1 5000; echo "an ü"; seq 5001 9000; exit 3' })
  const path = join(context.outputs.path, 'output-1.txt')
  expect(text).toContain(`the whole output is in ${path}`)
  expect(text).toContain('[exit code 3]')
  expect((await use(readFile, { path, first_line: 4000, line_count: 2 })).text).toBe(
    '[lines 4000 to 4001 of 9001]\n4000\n4001',
  )
  expect((await use(search, { path, pattern: '^(777|8888)$' })).text).toMatch(/output-1\.txt:777: 777\n.*:8889: 8888\n/)
  expect(await read(path, 'utf8')).toMatch(/^1\n2\n[^]*an ü\n[^]*\n9000\n$/)
  expect((await use(bash, { command: 'echo short' })).text).toBe('short\n[exit code 0]')
  expect(existsSync(join(context.outputs.path, 'output-2.txt'))).toBe(false)
})

test('the newest long outputs are kept, and a missing one says what to do', async () => {
  await mkdir(context.outputs.path)
  await write(join(context.outputs.path, 'output-99.txt'), 'of a session before')
  const files = []
  for (let count = 0; count < 18; count++) files.push(await context.outputs.open())
  await Promise.all(files.map((file) => file?.close()))
  expect((await readdir(context.outputs.path)).toSorted()).toEqual(
    Array.from({ length: 16 }, (_, at) => `output-${at + 3}.txt`).toSorted(),
  )
  const gone = await use(readFile, { path: join(context.outputs.path, 'output-2.txt') })
  expect(gone).toMatchObject({ ok: false, text: expect.stringContaining('make that call again') })
})

test('the output folder gives access to nothing else beside the workspace, and nothing is written there', async () => {
  await use(bash, { command: 'seq 1 5000' })
  const { path } = context.outputs
  await symlink(join(outside, 'secret'), join(path, 'link'))
  for (const other of ['link', '../workspace-2/secret', '..', '.', 'missing'])
    for (const tool of [readFile, search])
      expect(await use(tool, { path: `${path}/${other}`, ...(tool === search && { pattern: 's' }) })).toMatchObject({
        ok: false,
      })
  expect((await use(writeFile, { path: join(path, 'output-1.txt'), content: 'x' })).ok).toBe(false)
})

test('if that folder is a link, nothing is removed or written behind it, and output is only cut', async () => {
  await symlink(outside, context.outputs.path)
  const { text } = await use(bash, { command: 'seq 1 5000' })
  expect(text).toMatch(/\[… [\d,]+ characters left out: lines \d+ to \d+ …\]/)
  expect(await readdir(outside)).toEqual(['secret'])
  expect((await use(readFile, { path: join(context.outputs.path, 'secret') })).ok).toBe(false)
})

test('read_file returns text, whole or in part', async () => {
  await write(at('a.txt'), 'one\ntwo\nthree\n')
  expect(await use(readFile, { path: 'a.txt' })).toEqual({ ok: true, text: 'one\ntwo\nthree\n' })
  expect(await use(readFile, { path: 'a.txt', first_line: 2, line_count: 1 })).toEqual({
    ok: true,
    text: '[lines 2 to 2 of 3]\ntwo',
  })
  expect((await use(readFile, { path: 'a.txt', first_line: 9 })).text).toContain('only 3 lines')
})

test('read_file cuts long text, and names files that are no text', async () => {
  await write(at('long'), 'x'.repeat(100_000))
  expect((await use(readFile, { path: 'long' })).text).toContain('98,000 characters left out: lines 1 to 1;')
  await write(at('lines'), Array.from({ length: 3000 }, (_, line) => `${line + 1}\n`).join(''))
  expect((await use(readFile, { path: 'lines' })).text).toMatch(/277\n\n?\[… .* lines 278 to 2801; ask for parts/)
  expect((await use(readFile, { path: 'lines', first_line: 1001 })).text).toMatch(/lines 1201 to 2800; ask for parts/)
  await write(at('binary'), Buffer.from([1, 0, 2]))
  expect((await use(readFile, { path: 'binary' })).text).toContain('binary file')
  await write(at('latin'), Buffer.from([0x61, 0xff, 0x62]))
  expect(await use(readFile, { path: 'latin' })).toEqual({
    ok: true,
    text: '[not valid UTF-8: bad bytes are shown as \ufffd]\na\ufffdb',
  })
  await write(at('huge'), '')
  await truncate(at('huge'), 50_000_000)
  expect((await use(readFile, { path: 'huge' })).text).toContain('50,000,000 bytes')
})

test.each([
  ['../workspace-2/secret'],
  ['/etc/passwd'],
  ['linked/secret'],
  ['link'],
  ['..'],
  ['linked/../../workspace-2/secret'],
])('no file tool leaves the workspace by %s', async (path) => {
  await symlink(outside, at('linked'))
  await symlink(join(outside, 'secret'), at('link'))
  for (const result of [
    await use(readFile, { path }),
    await use(writeFile, { path, content: 'changed' }),
    await use(editFile, { path, old_text: 'secret', new_text: 'changed' }),
  ]) {
    expect(result.ok).toBe(false)
  }
  expect(await read(join(outside, 'secret'), 'utf8')).toBe('secret')
})

test('write_file makes no folder and no file behind a link that leads out', async () => {
  await symlink(outside, at('linked'))
  await symlink(join(outside, 'new'), at('dangling'))
  for (const path of ['linked/new', 'linked/deep/new', 'dangling', '../workspace-2/new']) {
    expect((await use(writeFile, { path, content: 'x' })).ok).toBe(false)
  }
  expect(existsSync(join(outside, 'new'))).toBe(false)
  expect(existsSync(join(outside, 'deep'))).toBe(false)
})

test('links inside the workspace work', async () => {
  await write(at('real.txt'), 'real')
  await symlink('real.txt', at('alias.txt'))
  expect((await use(readFile, { path: 'alias.txt' })).text).toBe('real')
  expect((await use(editFile, { path: 'alias.txt', old_text: 'real', new_text: 'edited' })).ok).toBe(true)
  expect(await read(at('real.txt'), 'utf8')).toBe('edited')
  expect((await use(readFile, { path: at('real.txt') })).text).toBe('edited') // absolute and inside
})

test('a FIFO, a device or a folder is refused without waiting', async () => {
  execFileSync('mkfifo', [at('fifo')])
  await symlink('/dev/zero', at('zero'))
  await mkdir(at('folder'))
  for (const path of ['fifo', 'zero', 'folder', '.']) {
    expect((await use(readFile, { path })).ok).toBe(false)
    expect((await use(writeFile, { path, content: 'x' })).ok).toBe(false)
    expect((await use(editFile, { path, old_text: 'x', new_text: 'y' })).ok).toBe(false)
  }
})

test('write_file makes folders, replaces content and keeps the mode', async () => {
  expect(await use(writeFile, { path: 'a/b/c.txt', content: 'ü' })).toEqual({
    ok: true,
    text: 'wrote 2 bytes to a/b/c.txt',
  })
  await write(at('run.sh'), 'a long old content', { mode: 0o755 })
  await use(writeFile, { path: 'run.sh', content: 'new' })
  expect(await read(at('run.sh'), 'utf8')).toBe('new')
  expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o755)
  expect((await use(writeFile, { path: 'big', content: 'x'.repeat(11_000_000) })).ok).toBe(false)
  expect((await use(writeFile, { path: 'run.sh/below', content: 'x' })).ok).toBe(false)
})

test('edit_file replaces exactly one passage, taking both texts literally', async () => {
  await write(at('a.txt'), 'a $1 b\na $2 b\n')
  expect(await use(editFile, { path: 'a.txt', old_text: '$2', new_text: `$& $' $1` })).toEqual({
    ok: true,
    text: 'replaced the passage at line 2 of a.txt',
  })
  expect(await read(at('a.txt'), 'utf8')).toBe(`a $1 b\na $& $' $1 b\n`)
})

test('edit_file says how often a passage occurs, and changes nothing', async () => {
  await write(at('a.txt'), 'aaa')
  expect((await use(editFile, { path: 'a.txt', old_text: 'aa', new_text: 'b' })).text).toContain('2 times')
  expect((await use(editFile, { path: 'a.txt', old_text: 'b', new_text: 'c' })).text).toContain('not in a.txt')
  expect((await use(editFile, { path: 'missing', old_text: 'b', new_text: 'c' })).text).toContain('no such file')
  await write(at('latin'), Buffer.from([0x61, 0xff, 0x62]))
  expect((await use(editFile, { path: 'latin', old_text: 'a', new_text: 'c' })).text).toContain('not valid UTF-8')
  expect(await read(at('a.txt'), 'utf8')).toBe('aaa')
})
