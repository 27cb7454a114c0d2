import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { editCommand, readCommand, searchCommand, writeCommand } from './shell-words.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'words-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return {
    at: (name: string) => join(path, name),
    sh: (command: string) => execFileSync('sh', ['-c', command], { cwd: path, encoding: 'utf8' }),
    fails: (command: string) => spawnSync('sh', ['-c', command], { cwd: path, encoding: 'utf8' }),
  }
}

const nasty = `it's "q" \`date\` $(date) $HOME \${x} \\n \\\\ & | ; * ? ! # %s %% é 🎉 'a'\\''b'\n\t-n\n`

test.each(['plain.txt', "a b/it's.txt", '-n', '--help', 'a=b', '$HOME', 'sub/-x'])(
  'a command line writes, edits and reads %j byte by byte',
  async (name) => {
    const { sh, at } = await folder()
    sh(writeCommand(name, `first\n${nasty}last`))
    expect(await readFile(at(name), 'utf8')).toBe(`first\n${nasty}last`)
    sh(editCommand(name, nasty, `new ${nasty}\n\n`))
    expect(await readFile(at(name), 'utf8')).toBe(`first\nnew ${nasty}\n\nlast`)
    expect(sh(readCommand(name, null, null))).toBe(`first\nnew ${nasty}\n\nlast`)
    expect(sh(readCommand(name, 1, 1))).toBe('first\n')
    expect(sh(readCommand(name, 2, null))).toBe(`new ${nasty}\n\nlast`)
    expect(sh(readCommand(name, null, 1))).toBe('first\n')
  },
)

test.each([
  ['one\ntwo\n', 'two\n', '', 'one\n'],
  ['one\ntwo\n\n\n', 'one', 'three', 'three\ntwo\n\n\n'],
  ['one', 'one', 'two\n\n', 'two\n\n'],
  ['a\n', 'a\n', 'b', 'b'],
])('an edit of %j keeps its line endings', async (content, before, after, result) => {
  const { sh, at } = await folder()
  await writeFile(at('f'), content)
  sh(editCommand('f', before, after))
  expect(await readFile(at('f'), 'utf8')).toBe(result)
})

test.each([
  ['nowhere', 'x'],
  ['twice', 'a'],
  ['twice, overlapping', 'bb'],
])('an edit whose old text is there %s changes nothing and fails', async (_where, before) => {
  const { fails, at } = await folder()
  await writeFile(at('f'), 'a bbb a\n')
  const { status, stderr } = fails(editCommand('f', before, 'new'))
  expect([status === 0, stderr.trim()]).toEqual([false, 'the old text is not there exactly once'])
  expect(await readFile(at('f'), 'utf8')).toBe('a bbb a\n')
})

test('a search finds lines with their files, up to the requested number', async () => {
  const { sh } = await folder()
  sh(writeCommand('src/a.ts', "one 'x'\nTwo\n"))
  sh(writeCommand('src/b.js', "one 'x'\n.*\n"))
  expect(sh(searchCommand({ pattern: "o.e 'x'", glob: 'src/**/*.ts' }))).toBe("./src/a.ts:1:one 'x'\n")
  expect(sh(searchCommand({ pattern: '.*', literal: true, path: 'src' }))).toBe('src/b.js:2:.*\n')
  expect(sh(searchCommand({ pattern: 'two', ignore_case: true, context: 1 }))).toContain('Two')
  expect(
    sh(searchCommand({ pattern: '.', max_results: 2 }))
      .trim()
      .split('\n'),
  ).toHaveLength(2)
})
