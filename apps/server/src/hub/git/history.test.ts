// @suite unit-long
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { Git } from './git.ts'
import { History } from './history.ts'
import type { Objects } from './objects.ts'
import { parentsOf } from './parse-objects.ts'

/** Commits on main, in a row: more than are read one by one. */
const LENGTH = 100
const BRANCHES_AT = 50

let gitDir: string
let git: Git
/** Main's commits from the first, then those of a branch, a merge of both, and a stranger. */
let main: string[]
let branch: string[]
let merge: string
let stranger: string

beforeAll(async () => {
  gitDir = await mkdtemp(join(tmpdir(), 'beadloom-history-'))
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: gitDir, GIT_DIR: gitDir }
  const plain = (args: string[], input = '') => execFileSync('git', args, { env, input, encoding: 'utf8' }).trim()
  plain(['init', '-q', '--bare', gitDir])
  let mark = 0
  const made = (ref: string, ...parents: string[]) => {
    mark += 1
    const from = parents.map((parent, i) => `${i === 0 ? 'from' : 'merge'} ${parent}\n`).join('')
    return `commit refs/heads/${ref}\nmark :${mark}\ncommitter A <a> ${mark} +0000\ndata 0\n${from}\n`
  }
  const input = [
    ...Array.from({ length: LENGTH }, () => made('main')),
    made('branch', `:${BRANCHES_AT}`),
    ...Array.from({ length: 39 }, () => made('branch')),
    made('merge', 'refs/heads/main', 'refs/heads/branch'),
    made('stranger'),
  ]
  plain(['fast-import', '--quiet'], input.join(''))
  const list = (...range: string[]) => plain(['rev-list', '--reverse', '--first-parent', ...range]).split('\n')
  main = list('main')
  branch = list('branch', '^main')
  ;[merge, stranger] = [plain(['rev-parse', 'merge']), plain(['rev-parse', 'stranger'])]
  git = new Git({
    binary: 'git',
    home: gitDir,
    searchPath: '/usr/local/bin:/usr/bin:/bin',
    cwd: gitDir,
    clock: new HandClock(),
  })
})
afterAll(async () => {
  await git.clones.closeAll()
  await rm(gitDir, { recursive: true, force: true })
})

const contains = (commit: string, ancestor: string) => git.clones.at(gitDir).history.contains(commit, ancestor)
const mergeBase = (one: string, other: string) => git.clones.at(gitDir).history.mergeBase(one, other)

test("a commit's contents are the same near and far, and on the second question", async () => {
  const [first, tip, side] = [main[0] ?? '', main.at(-1) ?? '', branch.at(-1) ?? '']
  expect([main.length, branch.length]).toEqual([LENGTH, 40])
  const facts: [string, string, boolean][] = [
    [tip, tip, true],
    [tip, main.at(-2) ?? '', true],
    [main.at(-2) ?? '', tip, false],
    [tip, first, true],
    [first, tip, false],
    [side, tip, false],
    [tip, side, false],
    [merge, side, true],
    [merge, first, true],
    [side, main[BRANCHES_AT - 1] ?? '', true],
    [side, main[BRANCHES_AT] ?? '', false],
    [tip, stranger, false],
    [stranger, tip, false],
  ]
  for (const round of [1, 2]) {
    for (const [commit, ancestor, answer] of facts) {
      expect(await contains(commit, ancestor), `${round}: ${commit} ${ancestor}`).toBe(answer)
    }
  }
})

test('a meeting point of two commits is the same near and far, and on the second question', async () => {
  const [first, tip, side] = [main[0] ?? '', main.at(-1) ?? '', branch.at(-1) ?? '']
  const facts: [string, string, string | null][] = [
    [tip, tip, tip],
    [tip, first, first],
    [first, tip, first],
    [tip, side, main[BRANCHES_AT - 1] ?? ''],
    [merge, side, side],
    [tip, stranger, null],
  ]
  for (const round of [1, 2]) {
    for (const [one, other, base] of facts) expect(await mergeBase(one, other), `${round}: ${one}`).toBe(base)
  }
})

test('a commit that the hub does not have is an error, not an answer', async () => {
  const tip = main.at(-1) ?? ''
  await expect(contains('1'.repeat(40), tip)).rejects.toMatchObject({ kind: 'git-failed' })
  await expect(contains(tip, '1'.repeat(40))).rejects.toMatchObject({ kind: 'git-failed' })
})

test('commits with heads of megabytes leave nothing of that in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const id = (at: number) => String(at).padStart(40, '0')
  const head = (lines: string) => Buffer.from(`tree ${id(0)}\n${lines}\n\n`)
  const commits = new Map<string, Buffer>()
  for (let at = 1; at <= 30; at++) {
    commits.set(id(at), head(`parent ${id(at + 1)}\nnote ${'x'.repeat(3 * 1024 ** 2)}`))
    commits.set(id(100 + at), head(`parent ${id(at)}\n`.repeat(40_000)))
  }
  const objects = { parents: async (commit: string) => parentsOf(commits.get(commit) ?? head('')) }
  const asked = { text: async () => '', run: async () => ({ code: 1 }) }
  const history = new History(asked as unknown as Git, gitDir, objects as unknown as Objects)
  collect()
  const before = process.memoryUsage().heapUsed
  for (const commit of commits.keys()) await history.contains(commit, id(999))
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 * 1024 ** 2)
})
