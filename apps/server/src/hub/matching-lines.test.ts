import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from './hub-kit.ts'

let kit: Kit
let base: string
beforeEach(async () => {
  kit = await startKit()
  const source = await kit.source('lib', {
    'a.test.js': "test('adds 1', f)\ntest('adds 1', g)\n",
    'sub/b.test.js': "test('adds 2', f)\n",
    ':(exclude)a.test.js': "test('adds 3', f)\n",
    '.gitattributes': '* -text diff=none\n',
    'bin.dat': "\0test('adds 4')\n",
  })
  base = (await kit.hub.fetch(kit.project(source))).commit
})
afterEach(() => kit.close())

const lines = (pattern: string, paths?: string[]) => kit.hub.matchingLines(projectId, base, pattern, paths)

test('lines of text are counted in all files, or in some files and folders', async () => {
  expect(await lines(`'adds [0-9]+'`)).toBe(4)
  expect(await lines(`'adds [0-9]+'`, ['sub/'])).toBe(1)
  expect(await lines(`'adds [0-9]+'`, ['a.test.js', 'sub'])).toBe(3)
  expect(await lines('subtracts')).toBe(0)
})

test('a path is a path, and one that leads out is rejected', async () => {
  expect(await lines(`'adds [0-9]+'`, [':(exclude)a.test.js'])).toBe(1)
  expect(await lines(`'adds [0-9]+'`, ['*.js'])).toBe(0)
  expect(await lines(`'adds [0-9]+'`, ['../x'])).toBe(0)
})

test('a pattern that begins like an option is a pattern', async () => {
  expect(await lines('--open-files-in-pager=touch /tmp/x')).toBe(0)
})
