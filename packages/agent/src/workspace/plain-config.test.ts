// @suite unit-long
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { git } from '../testing/test-hub.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { LIST_SETTINGS, listedSettings, lineOf } from './configure.ts'
import { Git } from './git.ts'
import { plainSettings, withoutSettings } from './plain-config.ts'

/** Reads the file as git itself does; null if git refuses it. */
async function reader() {
  const folder = await tempFolder()
  await git(folder, 'init', '-q')
  const env = { PATH: process.env['PATH'], HOME: folder }
  const ours = new Git(folder, { env, clock: systemClock, onOutput: () => {} })
  return async (text: string) => {
    await writeFile(join(folder, '.git', 'config'), text)
    const { code, stdout } = await ours.run(LIST_SETTINGS)
    return code === 0 ? listedSettings(stdout) : null
  }
}

const written = [
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n',
  lineOf(['user.name', 'Agent Smith']),
  lineOf(['remote.origin.url', 'http://127.0.0.1:4610/git/hub.git']),
  lineOf(['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*']),
  lineOf(['branch.be-1.a.merge', 'refs/heads/be-1.a']),
].join('')

test('settings that git and we write are read without a git', async () => {
  expect(plainSettings(written)).toEqual(await (await reader())(written))
  expect(plainSettings(written)?.get('remote.origin.url')).toEqual(['http://127.0.0.1:4610/git/hub.git'])
})

test.each([
  '[include]\n\tpath = /elsewhere\n',
  '[includeIf "gitdir:/"]\n\tpath = /elsewhere\n',
  '[user]\n\tname = a \\\n\tb\n',
  '[user]\n\tname = "a\\"b"\n',
  '[user]\n\tname = a # a comment\n',
  '[user]\n\tname = a"b"c\n',
  '# a comment\n',
  '[user] name = a\n',
  '[branch.main]\n\tremote = origin\n',
  '[a "b\\c"]\n\td = e\n',
  'name = nowhere\n',
  '[user]\n\tname = ümlaut\n',
  '[user]\n\tname = a\tb\n',
])('a form that only git knows is left to git: %j', (text) => {
  expect(plainSettings(text)).toBeNull()
})

test('for any file we read the same as git, or leave it to git', async () => {
  const read = await reader()
  const parts = ['[user]', '[User]', '[a "B c"]', '[core]', '\n', '\n', '\t', ' ', 'name', 'Key-1', '=', ' = ', 'v', '"', '"q r"', 'x y', '\\', '#', ';', '\r', 'é', '1', '[', ']', '\u00a0', '\f'] // prettier-ignore
  const file = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((some) => some.join(''))
  let known = 0
  await fc.assert(
    fc.asyncProperty(file, async (text) => {
      const ours = plainSettings(`[core]\n\tbare = false\n${text}\n`)
      if (ours === null) return
      known++
      expect(ours).toEqual(await read(`[core]\n\tbare = false\n${text}\n`))
    }),
    { numRuns: 1000 },
  )
  expect(known).toBeGreaterThan(20)
})

test('a setting is removed wherever it is, and the others stay', () => {
  const twice = `${written}${lineOf(['user.email', 'a@b.c'])}${lineOf(['user.name', 'Other'])}`
  const rest = withoutSettings(twice, new Set(['user.name', 'remote.origin.fetch']))
  const expected = plainSettings(twice)
  for (const key of ['user.name', 'remote.origin.fetch']) expected?.delete(key)
  expect(plainSettings(rest ?? '')).toEqual(expected)
  expect(withoutSettings('[user]\n\tname = a # a comment\n', new Set(['user.name']))).toBeNull()
})
