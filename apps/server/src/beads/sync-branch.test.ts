import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { createTracker } from './find-tracker.ts'
import { syncBranchIn } from './sync-branch.ts'
import { file, line, TrackerFolder } from './testing/tracker-folder.ts'

let at: TrackerFolder
beforeEach(() => {
  at = new TrackerFolder(file(line('a-1')))
})
afterEach(() => at.remove())

const config = (text: string) => writeFileSync(join(at.path, '.beads', 'config.yaml'), text)
const find = () =>
  createTracker({ clock: systemClock, env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] }).find(at.path)

test.each([
  ['sync-branch: beads-sync\n', 'beads-sync'],
  ['# sync-branch: old\nissue-prefix: a\n"sync-branch" : "beads/all" # ours\n', 'beads/all'],
  ['sync.branch: beads-sync\n', 'beads-sync'],
  ['sync:\n  remote: origin\n  branch: beads-sync\n', 'beads-sync'],
  ['a: 1\r\nsync-branch: beads-sync\r\n', 'beads-sync'],
  ['\uFEFFSync-Branch: beads-sync\n', 'beads-sync'],
  ['sync: { remote: origin, branch: beads-sync }\n', 'beads-sync'],
  ['sync-branch: ~\n', null],
  ['sync-branch: null # none\n', null],
  ['other:\n  branch: beads-sync\n', null],
  ['sync-branch: ""\nsync:\n  remote: x\n', null],
  ['', null],
])('the branch of the beads in %j is %s', (text, branch) => {
  expect(syncBranchIn(text)).toBe(branch)
})

test('a copy of the file beside a branch of its own is not written, and the remedy is named', async () => {
  config('sync-branch: beads-sync\n')
  const { info } = await find()
  expect(info).toMatchObject({ kind: 'read-only', writable: false, branch: 'beads-sync' })
  expect(info.text).toMatch(/the beads are on the branch beads-sync .*, and nothing is written back\. To have them/)
})

test.each(['the repository', 'a working tree of its own'])(
  'if that branch is checked out in %s, its file is the one to write',
  async (where) => {
    config('sync-branch: beads-sync\n')
    const isOwn = where !== 'the repository'
    const git = join(at.path, isOwn ? 'of-worktree' : '.git')
    mkdirSync(git)
    if (isOwn) writeFileSync(join(at.path, '.git'), 'gitdir: of-worktree\n')
    writeFileSync(join(git, 'HEAD'), 'ref: refs/heads/beads-sync\n')
    expect((await find()).info).toMatchObject({ kind: 'jsonl', writable: true })
  },
)
