import { afterEach, expect, test } from 'vitest'
import { file, line } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { BranchKit, FILE, filesWith, WORK } from './tracker-branch-kit.ts'

/* Before 1.0, bd could keep its beads on a branch of their own; its settings on the base branch name it. */

let at: BranchKit
afterEach(() => at.close())

test('a stale copy on the base branch is neither read nor written: the beads are those of the named branch', async () => {
  at = await BranchKit.start({
    ...filesWith(line('a-1'), line('a-9')),
    '.beads/config.yaml': 'sync-branch: beads-sync\n',
  })
  await at.kit.git(at.person, 'checkout', '-q', '-b', 'beads-sync')
  await at.kit.commit(at.person, {
    [FILE]: file(line('a-1', { status: 'closed', closed_at: '2026-01-03T00:00:00Z' }), line('a-2')),
  })
  await at.kit.git(at.person, 'push', '-q', 'origin', 'beads-sync')
  const sync = at.sync()
  expect(await at.round(sync)).toEqual([])
  expect(at.store.beads(projectId).map(({ id, status }) => `${id} ${status}`)).toEqual(['a-1 done', 'a-2 open'])
  expect(sync.info(projectId)).toMatchObject({ kind: 'branch', writable: false, branch: 'beads-sync' })

  const before = await at.git('for-each-ref')
  at.closeBead('a-2')
  await at.round(sync)
  expect(await at.git('for-each-ref')).toBe(before)
  expect(await at.git('branch', '--list', WORK)).toBe('')
})

test('a named branch that does not exist is reported, and the copy does not replace it', async () => {
  at = await BranchKit.start({ ...filesWith(line('a-1')), '.beads/config.yaml': 'sync-branch: gone\n' })
  expect(await at.round()).toEqual([expect.stringContaining('has no branch gone')])
  expect(at.store.beads(projectId)).toEqual([])
})
