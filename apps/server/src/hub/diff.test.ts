import { setImmediate } from 'node:timers'
import { expect, test } from 'vitest'
import { diffFiles } from './diff.ts'
import type { Git } from './git/git.ts'

const commit = 'a'.repeat(40)

/** A git that lists these changes, as the real one does with `--raw --numstat -z`. */
function listing(fields: readonly string[]): { git: Git; gitDir: string } {
  const stdout = Buffer.from(fields.map((field) => `${field}\0`).join(''), 'latin1')
  return { git: { run: () => Promise.resolve({ stdout, stderr: '', code: 0, cut: false }) } as never, gitDir: '/hub' }
}

const record = (letter = 'M'): string => `:100644 100644 ${commit} ${commit} ${letter}`

test('the server does other things while a long listing is read', async () => {
  const names = Array.from({ length: 40_000 }, (_, at) => `src/${at}`)
  const git = listing([...names.flatMap((name) => [record(), name]), ...names.map((name) => `1\t2\t${name}`)])
  let turns = 0
  let ended = false
  const turn = (): void => {
    turns += 1
    if (!ended) setImmediate(turn)
  }
  setImmediate(turn)
  const files = await diffFiles(git, commit, commit)
  ended = true
  expect(files).toHaveLength(40_000)
  expect(files.at(-1)).toMatchObject({ path: 'src/39999', status: 'M', added: 1, removed: 2 })
  expect(turns).toBeGreaterThan(10)
})

test('a renamed file has both names, and its lines', async () => {
  const git = listing([record('R090'), 'old', 'new', record('A'), 'other', '3\t1\t', 'old', 'new', '-\t-\tother'])
  expect(await diffFiles(git, commit, commit)).toMatchObject([
    { path: 'new', oldPath: 'old', status: 'R', added: 3, removed: 1 },
    { path: 'other', oldPath: null, status: 'A', added: null, removed: null },
  ])
})

test('a path of megabytes, which a tree can name but no computer opens, is refused in a sentence', async () => {
  const git = listing([record('A'), '\xff'.repeat(4 * 1024 ** 2)])
  await expect(diffFiles(git, commit, commit)).rejects.toThrow(/a path of 4194304 bytes, which no computer can open/)
})
