// @suite unit-long
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import { systemClock } from '../process/clock.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { Git } from './git.ts'
import { branchWhereHeadIs } from './ready-branch.ts'

let folder: string
let commit: string
const run = (...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Makes a repository with one commit, which is checked out, and no branch. */
async function startRepository(): Promise<void> {
  folder = await tempFolder()
  const remote = await tempFolder()
  execFileSync('git', ['init', '--quiet', '--bare', remote])
  run('init', '--quiet', '--initial-branch=start')
  for (const [key, value] of [
    ['user.name', 'a'],
    ['user.email', 'a@example.org'],
    ['remote.origin.url', remote],
    ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
  ] as const)
    run('config', key, value)
  writeFileSync(join(folder, 'file'), 'text\n')
  run('add', '.')
  run('commit', '--quiet', '-m', 'one')
  commit = run('rev-parse', 'HEAD')
  run('checkout', '--quiet', '--detach')
  run('branch', '--quiet', '-D', 'start')
}

const make = (branch: string, at = commit): Promise<boolean> => {
  const git = new Git(folder, { env: process.env, clock: systemClock, onOutput: () => {} })
  return branchWhereHeadIs(git, { branch, commit: at } as GitOrder)
}

test.each(['beads-be-1-fix', 'agents/be-1.2/fix', 'v1.0_x'])(
  'git finds the branch %s with its upstream, a clean workspace, and can work with both',
  async (branch) => {
    await startRepository()
    expect(await make(branch)).toBe(true)
    expect(run('branch', '--show-current')).toBe(branch)
    expect(run('rev-parse', 'HEAD', `refs/heads/${branch}`, '@{upstream}')).toBe([commit, commit, commit].join('\n'))
    expect(run('rev-parse', '--abbrev-ref', '@{upstream}')).toBe(`origin/${branch}`)
    expect(run('status', '--porcelain=v2', '--branch')).toContain(`# branch.ab +0 -0`)
    expect(run('status', '--porcelain')).toBe('')
    expect(run('fsck', '--no-dangling')).toBe('')
    writeFileSync(join(folder, 'file'), 'more\n')
    run('commit', '--quiet', '--all', '-m', 'two')
    run('push', '--quiet', 'origin', branch)
    expect(run('rev-parse', '@{upstream}')).toBe(run('rev-parse', 'HEAD'))
    run('pack-refs', '--all')
    expect(run('branch', '--show-current')).toBe(branch)
  },
)

const names = [
  'HEAD',
  '',
  '-x',
  '.hidden',
  'a//b',
  'a/',
  'a..b',
  'a.lock',
  'a.',
  'a b',
  'a"b',
  'ä',
  'a\\b',
  'a/../../config',
]
test('a name that is no plain path is left to git', async () => {
  await startRepository()
  const before = readFileSync(join(folder, '.git/config'), 'utf8')
  for (const branch of names) expect([branch, await make(branch)]).toEqual([branch, false])
  expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe(before)
  expect(run('rev-parse', 'HEAD')).toBe(commit)
  expect(run('for-each-ref')).toBe('')
})

test.each<[string, () => void, string?]>([
  ['HEAD is somewhere else', () => {}, 'f'.repeat(40)],
  ['HEAD is a branch', () => void run('checkout', '--quiet', '-b', 'other')],
  ['a branch of its folder’s name is there', () => void run('branch', 'agents')],
  ['the same, packed', () => void (run('branch', 'agents'), run('pack-refs', '--all'))],
  ['a branch below its name is there, packed', () => void (run('branch', 'agents/one/two'), run('pack-refs', '--all'))],
  ['the remote had one of its folder’s name', () => void run('update-ref', 'refs/remotes/origin/agents', commit)],
  [
    'somebody has left a lock',
    () => {
      mkdirSync(join(folder, '.git/refs/heads/agents'), { recursive: true })
      writeFileSync(join(folder, '.git/refs/heads/agents/one.lock'), '')
    },
  ],
  ['branches are configured already', () => void run('config', 'branch.agents/one.merge', 'refs/heads/elsewhere')],
])('git has to do it if %s', async (_, prepare, at) => {
  await startRepository()
  prepare()
  const head = readFileSync(join(folder, '.git/HEAD'), 'utf8')
  expect(await make('agents/one', at)).toBe(false)
  expect(readFileSync(join(folder, '.git/HEAD'), 'utf8')).toBe(head)
})
