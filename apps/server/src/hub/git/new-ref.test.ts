import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeRef } from './new-ref.ts'

const run = promisify(execFile)
let root: string
let bare: string
let one: string
let two: string

const git = (...args: string[]): string =>
  execFileSync('git', ['--git-dir', bare, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'new-ref-'))
  bare = join(root, 'bare.git')
  execFileSync('git', ['init', '--quiet', '--bare', '--template=', bare])
  const tree = git('mktree', '--missing', '-z')
  const commit = (message: string) =>
    execFileSync(
      'git',
      ['--git-dir', bare, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', tree, '-m', message],
      {
        encoding: 'utf8',
      },
    ).trim()
  one = commit('one')
  two = commit('two')
})

const cleaned = () => onTestFinished(() => rmSync(root, { recursive: true, force: true }))

test('git finds it, can move it, pack it and remove it', async () => {
  cleaned()
  expect(await makeRef(bare, 'refs/heads/agents/be-1', one)).toBe(true)
  expect(git('rev-parse', 'refs/heads/agents/be-1')).toBe(one)
  expect(git('fsck', '--no-dangling')).toBe('')
  git('update-ref', 'refs/heads/agents/be-1', two, one)
  git('pack-refs', '--all')
  expect(await makeRef(bare, 'refs/heads/agents/be-2', one)).toBe(true)
  expect(git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/agents/be-1\nrefs/heads/agents/be-2')
  git('update-ref', '-d', 'refs/heads/agents/be-1')
  expect(await makeRef(bare, 'refs/heads/agents/be-1', one)).toBe(true)
})

test.each<[string, () => void]>([
  ['it is there', () => void git('update-ref', 'refs/heads/a/b', two)],
  ['it is there, packed', () => void (git('update-ref', 'refs/heads/a/b', two), git('pack-refs', '--all'))],
  ['its folder is a ref', () => void git('update-ref', 'refs/heads/a', two)],
  ['the same, packed', () => void (git('update-ref', 'refs/heads/a', two), git('pack-refs', '--all'))],
  ['it is a folder of one', () => void git('update-ref', 'refs/heads/a/b/c', two)],
  ['the same, packed', () => void (git('update-ref', 'refs/heads/a/b/c', two), git('pack-refs', '--all'))],
  [
    'somebody holds its lock',
    () => void (git('update-ref', 'refs/heads/a/c', two), writeFileSync(join(bare, 'refs/heads/a/b.lock'), '')),
  ],
  ['git keeps its refs elsewhere', () => writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/.invalid\n')],
])('it is left to git, and nothing changes, if %s', async (_, prepare) => {
  cleaned()
  prepare()
  const before = git('for-each-ref').length
  const locked = existsSync(join(bare, 'refs/heads/a/b.lock'))
  expect(await makeRef(bare, 'refs/heads/a/b', one)).toBe(false)
  expect(git('for-each-ref').length).toBe(before)
  expect(existsSync(join(bare, 'refs/heads/a/b.lock'))).toBe(locked)
})

test('exactly one of many simultaneous writers makes it, even while git packs', async () => {
  cleaned()
  await mkdir(join(root, 'home'))
  await writeFile(join(root, 'home', '.gitconfig'), '')
  for (let round = 0; round < 8; round++) {
    const ref = `refs/heads/race/${round}`
    const ours = Array.from({ length: 4 }, () => makeRef(bare, ref, one))
    const theirs = Array.from({ length: 2 }, () =>
      run('git', ['--git-dir', bare, 'update-ref', ref, two, '0'.repeat(40)]).then(
        () => true,
        () => false,
      ),
    )
    const packing = run('git', ['--git-dir', bare, 'pack-refs', '--all', '--prune']).catch(() => {})
    const [made, taken] = [await Promise.all(ours), await Promise.all(theirs)]
    await packing
    const winners = [...made, ...taken].filter(Boolean).length
    expect(winners).toBeLessThanOrEqual(1)
    if (winners === 1) expect(git('rev-parse', ref)).toBe(made.includes(true) ? one : two)
  }
})
