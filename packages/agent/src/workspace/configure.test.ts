import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { git } from '../testing/test-hub.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { configure, lineOf } from './configure.ts'
import { Git } from './git.ts'

const order = (name: string) => ({
  url: 'http://127.0.0.1:1/git/hub.git',
  branch: 'b',
  commit: '0'.repeat(40),
  author: { name, email: 'agent@example.org' },
})

async function repository() {
  const folder = await tempFolder()
  await git(folder, 'init', '-q')
  const ours = new Git(folder, { env: { PATH: process.env['PATH'], HOME: folder }, clock: systemClock, onOutput: () => {} }) // prettier-ignore
  const get = (key: string) => git(folder, 'config', '--local', '--get-all', key)
  return { folder, ours, get, config: join(folder, '.git', 'config') }
}

test.each(['Agent', 'O\'Hara "the \\ agent" # no comment', ' blanks around ', 'two\nlines\tand a tab', 'ümlaut; = ['])(
  'git reads a name as it was given: %j',
  async (name) => {
    const { folder, ours, get } = await repository()
    await configure(ours, order(name))
    expect(await git(folder, 'config', '-z', '--local', '--get', 'user.name')).toBe(`${name}\0`.trim())
    expect(await get('remote.origin.url')).toBe('http://127.0.0.1:1/git/hub.git')
    expect(await get('core.hooksPath')).toBe('/dev/null')
  },
)

test('correct settings are not written again, and wrong ones are replaced', async () => {
  const { ours, get, config } = await repository()
  await configure(ours, order('First'))
  const before = await readFile(config, 'utf8')
  await configure(ours, order('First'))
  expect(await readFile(config, 'utf8')).toBe(before)
  await appendFile(config, '[user]\n\tname = Somebody\n[remote "origin"]\n\turl = /elsewhere\n\tpushurl = /elsewhere')
  await configure(ours, order('Second'))
  expect(await get('user.name')).toBe('Second')
  expect(await get('remote.origin.url')).toBe('http://127.0.0.1:1/git/hub.git')
  await expect(get('remote.origin.pushurl')).rejects.toThrow()
})

test('the author in a container that waited is set without a git', async () => {
  const { folder, ours, get } = await repository()
  await configure(ours, order('Nobody yet'))
  const none = new Git(folder, { env: { PATH: '' }, clock: systemClock, onOutput: () => {} })
  await configure(none, order('Anna'))
  expect([await get('user.name'), await get('committer.name')]).toEqual(['Anna', 'Anna'])
  expect(await get('remote.origin.fetch')).toBe('+refs/heads/*:refs/remotes/origin/*')
})

test('a file that ends in the middle of a line is continued on the next one', async () => {
  const { ours, get, config } = await repository()
  await appendFile(config, '[color]\n\tui = never')
  await configure(ours, order('Agent'))
  expect([await get('color.ui'), await get('user.name')]).toEqual(['never', 'Agent'])
})

test('a dotted name belongs to its section', () => {
  expect(lineOf(['remote.a.b.url', 'x'])).toBe('[remote "a.b"]\n\turl = "x"\n')
})
