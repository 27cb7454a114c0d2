// @suite unit-long
import { rename } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mergeIssues } from '@beadloom/server/src/beads/jsonl/merge-issues.ts'
import { line, file } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { projectId, startKit } from '@beadloom/server/src/hub/hub-kit.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import { running } from '@beadloom/server/src/store/testing.ts'
import { BranchKit, FILE, filed, filesWith, WORK } from './tracker-branch-kit.ts'

/* The tracker of a project without a working tree here: races, remotes that are away, and when nothing is written. */

let at: BranchKit
afterEach(() => at.close())

describe('when something interferes', () => {
  beforeEach(async () => {
    at = await BranchKit.start(filesWith(line('a-1'), line('a-2')))
    await at.round()
  })

  test('a push of somebody else is fetched, and the change is made on top of it', async () => {
    let first = true
    at.closeBead('a-1')
    const racing = at.sync({
      trackerFile: async (project, branches) => {
        const seen = await at.kit.hub.trackerFile(project, branches)
        if (first) await pushToWork()
        first = false
        return seen
      },
    })
    const pushToWork = async () => {
      await at.inClone('push', '-q', 'origin', `main:refs/heads/${WORK}`)
      await at.push(WORK, { 'theirs.txt': 't\n', [FILE]: file(line('a-1', { notes: 'theirs' }), line('a-2')) })
    }
    expect(await at.round(racing)).toEqual([])
    expect(await at.commits()).toEqual(['Beadloom: Beads: a-1: closed', 'Ada: By a person'])
    expect(await at.beadIn(WORK, 'a-1')).toMatchObject({ status: 'closed', notes: 'theirs' })
  })

  test('a remote that is away keeps everything waiting, and gets one commit when it is back', async () => {
    at.closeBead('a-1')
    const away = `${at.remote}-away`
    await rename(at.remote, away)
    expect(await at.round()).toEqual([expect.stringContaining('1 change is waiting to be written to the tracker')])
    at.closeBead('a-2')
    await at.round()
    expect(at.store.trackerState(projectId)).toMatchObject({ waiting: 2 })
    await rename(away, at.remote)
    expect(await at.round()).toEqual([])
    expect(await at.commits()).toEqual(['Beadloom: Beads: 2 changes'])
  })

  test('a server that died after its push, before it knew, writes nothing twice', async () => {
    at.closeBead('a-1')
    const died = at.sync({
      writeTracker: async (...args) => {
        await at.kit.hub.writeTracker(...args)
        throw new Error('killed')
      },
    })
    await expect(at.round(died)).rejects.toThrow('killed')
    expect(at.store.trackerState(projectId)).toMatchObject({ waiting: 1 })
    await at.round()
    expect(at.store.trackerState(projectId)).toMatchObject({ waiting: 0 })
    expect(await at.commits()).toEqual(['Beadloom: Beads: a-1: closed'])
  })

  test('two servers that write at once both get through', async () => {
    const other = await startKit({}, mergeIssues)
    try {
      const project = at.project
      await other.hub.fetch(project)
      const branches = { workBranch: WORK, baseBranch: 'main' }
      const say = (id: string) => (text: string) => ({
        text: text.replace(line(id), line(id, { status: 'closed' })),
        message: `Close ${id}`,
      })
      // A writer that found the remote busy waits in its queue, and asks again.
      const write = async (hub: Hub, id: string) => {
        while ((await hub.writeTracker(project, branches, say(id))).result === 'later');
      }
      await Promise.all([write(at.kit.hub, 'a-1'), write(other.hub, 'a-2')])
      expect(await at.show(WORK)).toBe(file(line('a-1', { status: 'closed' }), line('a-2', { status: 'closed' })))
      expect(await at.commits()).toHaveLength(2)
    } finally {
      await other.close()
    }
  })

  test('a remote that refuses says why, and everything waits', async () => {
    await at.git('branch', 'beadloom', 'main')
    at.closeBead('a-1')
    expect(await at.round()).toEqual([expect.stringMatching(/^1 change is waiting .*Rename that one/)])
    await at.git('branch', '-m', 'beadloom', 'other')
    expect(await at.round()).toEqual([])
    expect(await at.beadIn(WORK, 'a-1')).toMatchObject({ status: 'closed' })
  })
})

describe('nothing is written', () => {
  test('if no branch has the file, and the project says what to do', async () => {
    at = await BranchKit.start({ 'a.txt': 'a\n' })
    const sync = at.sync()
    at.store.addBead(filed('a-1'))
    expect(await at.round(sync)).toEqual([expect.stringContaining('no beads yet')])
    expect(sync.info(projectId)).toMatchObject({ kind: 'none', writable: false })
    expect(await at.git('branch', '--list', WORK)).toBe('')
    await at.push('main', { [FILE]: '' })
    expect(await at.round()).toEqual([])
    expect(await at.beadIn(WORK, 'a-1')).toMatchObject({ status: 'open' })
  })

  test('after people have removed the file from the base branch', async () => {
    at = await BranchKit.start(filesWith(line('a-1')))
    await at.round()
    at.closeBead('a-1')
    await at.round()
    await at.mergeWorkIntoMain()
    await at.inClone('rm', '-q', FILE)
    await at.inClone('commit', '-q', '-m', 'No tracker')
    await at.inClone('push', '-q', 'origin', 'HEAD:main')
    const sync = at.sync()
    const before = await at.git('rev-parse', WORK)
    at.store.addBead(filed('a-2'))
    await at.round(sync)
    expect(sync.info(projectId)).toMatchObject({ kind: 'none' })
    expect(await at.git('rev-parse', WORK)).toBe(before)
  })

  test('if beadloom.json says so', async () => {
    at = await BranchKit.start(filesWith(line('a-1')), false)
    const sync = at.sync()
    await at.round(sync)
    at.closeBead('a-1')
    await at.round(sync)
    expect(sync.info(projectId)).toMatchObject({ kind: 'branch', writable: false })
    expect(await at.git('branch', '--list', WORK)).toBe('')
    expect(at.status('a-1')).toEqual(['done'])
  })

  test('while the file has an error that only a person can fix', async () => {
    at = await BranchKit.start(filesWith(line('a-1')))
    await at.round()
    at.closeBead('a-1')
    await at.round()
    await at.push('main', { [FILE]: `<<<<<<< ours\n${line('a-1')}\n=======\n>>>>>>> theirs\n` })
    at.store.addBead(filed('a-2'))
    const before = await at.git('rev-parse', WORK)
    expect(await at.round()).toEqual([expect.stringContaining('fix it there')])
    expect(await at.git('rev-parse', WORK)).toBe(before)
    expect(at.status('a-1')).toEqual(['done'])
  })
})

test('it writes by itself half a minute after the first change, and not for the start of an execution', async () => {
  at = await BranchKit.start(filesWith(line('a-1'), line('a-2')))
  const sync = at.sync()
  await at.round(sync)
  const isDue = () => sync.isDue(at.store.project(projectId)!)
  running(at.store, 'a-1', projectId)
  expect(await isDue()).toBe(false)
  at.clock.advance(60_000)
  expect(await isDue()).toBe(false)
  at.closeBead('a-2')
  expect(await isDue()).toBe(false)
  at.clock.advance(30_000)
  expect(await isDue()).toBe(true)
  await at.round(sync)
  expect(await isDue()).toBe(false)
  expect(await at.beadIn(WORK, 'a-1')).toMatchObject({ status: 'in_progress' })
})
