// @suite unit-long
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'

let kit: Kit
let source: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'readme.md': 'hello\n' })
})
afterEach(() => kit.close())

async function change(files: Record<string, string>): Promise<string> {
  const made = await kit.commit(source, files)
  await kit.hub.fetch(kit.project(source))
  return made
}

test('several files are read up to 32 MiB, each once; omitted ones are reported', async () => {
  const large = 'x'.repeat(10 * 1024 ** 2)
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.txt`)
  const files = Object.fromEntries(names.map((name) => [name, `${name}${large}`]))
  const commit = await change({ ...files, 'src/a.ts': 'a\n' })
  const unread = new Set<string>()
  const asked = ['a.txt', 'a.txt', ...names, 'src/a.ts', 'src', 'nothing']
  const texts = await kit.hub.readFiles(projectId, commit, asked, 11 * 1024 ** 2, unread)
  expect([...texts.keys()]).toEqual(['a.txt', 'b.txt', 'c.txt', 'src/a.ts'])
  expect([...unread]).toEqual(['d.txt', 'e.txt'])
})

test('a file that is too long is told apart from a missing one', async () => {
  const commit = await change({ 'src/a.ts': 'a\n' })
  const unread = new Set<string>()
  const texts = await kit.hub.readFiles(projectId, commit, ['nothing', 'readme.md', 'src/a.ts'], 4, unread)
  expect([...texts]).toEqual([['src/a.ts', 'a\n']])
  expect([...unread]).toEqual(['readme.md'])
})
