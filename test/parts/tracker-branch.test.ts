// @suite unit-long
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { line, file } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { bead } from '@beadloom/server/src/store/testing.ts'
import { BranchKit, FILE, filed, filesWith, WORK } from './tracker-branch-kit.ts'

/* Writing and reading the tracker of a project without a working tree here. */

let at: BranchKit
afterEach(() => at.close())

describe("changes of beads are a commit on the remote's work branch", () => {
  test('for all that is pending, which changes nothing but the file; the base branch stays', async () => {
    at = await BranchKit.start(filesWith(line('a-1'), line('a-2')))
    expect(await at.round()).toEqual([])
    const main = await at.git('rev-parse', 'main')
    at.closeBead('a-1')
    at.store.addBead(filed('a-3', 'From the dashboard'))
    expect(await at.round()).toEqual([])
    expect(await at.commits()).toEqual(['Beadloom: Beads: 2 changes'])
    expect(await at.git('diff', '--name-only', 'main', WORK)).toBe(FILE)
    expect(await at.beadIn(WORK, 'a-1')).toMatchObject({ status: 'closed', close_reason: 'closed in Beadloom' })
    expect(await at.beadIn(WORK, 'a-3')).toMatchObject({ title: 'From the dashboard' })
    expect((await at.show(WORK)).split('\n')[1]).toBe(line('a-2'))
    expect(await at.git('rev-parse', 'main')).toBe(main)
    expect(at.store.trackerState(projectId)).toMatchObject({ waiting: 0 })
  })

  test('for a hundred beads at once, and none for a round without changes', async () => {
    at = await BranchKit.start(filesWith(...Array.from({ length: 100 }, (_, at) => line(`a-${at}`))))
    await at.round()
    for (let n = 0; n < 100; n += 1) at.closeBead(`a-${n}`)
    await at.round()
    expect(await at.commits()).toEqual(['Beadloom: Beads: 100 changes'])
    await at.round()
    await at.round()
    expect(await at.commits()).toHaveLength(1)
  })

  test('in a real tracker of 2404 beads that keeps every other line, to the byte', async () => {
    const real = readFileSync(join(import.meta.dirname, '../data/beads-2404.jsonl'), 'utf8')
    at = await BranchKit.start({ [FILE]: real })
    await at.round()
    const [first] = at.store.beads(projectId).filter(({ trackerStatus }) => trackerStatus === 'open')
    at.store.moveBead(projectId, first!.id, { type: 'closed' })
    await at.round()
    const after = (await at.show(WORK)).split('\n')
    const before = real.split('\n')
    expect(after.length).toBe(before.length)
    expect(before.flatMap((one, at) => (one === after[at] ? [] : [after[at]]))).toEqual([
      expect.stringContaining(`"id":"${first!.id}"`),
    ])
  })

  test('beside verified work: unpublished work of the hub goes out with nobody’s beads', async () => {
    at = await BranchKit.start(filesWith(line('a-1')))
    await at.round()
    const tip = await at.kit.hub.workTip(at.project, WORK, 'main')
    await at.inClone('checkout', '-q', '-b', 'unverified')
    const commit = await at.kit.commit(at.person, { 'b.txt': 'unverified\n' })
    await at.inClone('push', '-q', join(at.kit.root, 'data/hub/sample.git'), `HEAD:refs/heads/${WORK}`)
    expect(tip.commit).not.toBe(commit)
    at.closeBead('a-1')
    await at.round()
    expect(await at.git('ls-tree', '--name-only', WORK)).toBe('.beads\na.txt')
    expect(await at.kit.hub.contains(projectId, (await at.kit.hub.tip(projectId, WORK))!, commit)).toBe(true)
    expect(await at.kit.hub.readFile(projectId, (await at.kit.hub.tip(projectId, WORK))!, FILE)).toContain('"closed"')
  })
})

describe('the beads are those of the base branch, with changes that were written and are not merged yet', () => {
  beforeEach(async () => {
    at = await BranchKit.start(filesWith(line('a-1'), line('a-2')))
    await at.round()
    at.closeBead('a-1')
    at.store.addBead(filed('a-3'))
    await at.round()
  })

  test('so a closed bead stays closed and a filed one stays at the next fetch, even with a new database', async () => {
    await at.round()
    expect(at.status('a-1', 'a-2', 'a-3')).toEqual(['done', 'open', 'open'])
    at.store.removeProject(projectId)
    at.addProject()
    await at.round()
    expect(at.status('a-1', 'a-2', 'a-3')).toEqual(['done', 'open', 'open'])
  })

  test.each([
    ['merged', []],
    ['squashed', ['--squash']],
  ])('and when the work branch is %s into base, both agree, and a person’s later word counts', async (_, how) => {
    await at.mergeWorkIntoMain(...how)
    expect(await at.round()).toEqual([])
    expect(await at.show('main')).toBe(await at.show(WORK))
    expect(at.status('a-1', 'a-3')).toEqual(['done', 'open'])
    await at.push('main', { [FILE]: await at.edited('main', 'a-1', { status: 'open', closed_at: undefined }) })
    await at.round()
    expect(at.status('a-1')).toEqual(['open'])
    at.closeBead('a-2')
    await at.round()
    expect(await at.beadIn(WORK, 'a-1')).toMatchObject({ status: 'open' })
    expect(await at.beadIn(WORK, 'a-2')).toMatchObject({ status: 'closed' })
  })

  test('and a work branch that is removed after the merge is not made again needlessly', async () => {
    await at.mergeWorkIntoMain()
    await at.git('update-ref', '-d', `refs/heads/${WORK}`)
    await at.round()
    expect(await at.git('branch', '--list', WORK)).toBe('')
    expect(at.status('a-1')).toEqual(['done'])
  })

  test('and one that is removed unmerged loses no word that was written there', async () => {
    await at.git('update-ref', '-d', `refs/heads/${WORK}`)
    await at.round()
    expect(at.status('a-1', 'a-3')).toEqual(['done', 'open'])
    at.closeBead('a-2')
    await at.round()
    expect(await at.beadIn(WORK, 'a-1')).toMatchObject({ status: 'closed' })
    expect(await at.beadIn(WORK, 'a-2')).toMatchObject({ status: 'closed' })
  })

  test("and people's changes on the base branch win meanwhile, and no line is left to git", async () => {
    const renamed = await at.edited('main', 'a-1', { title: 'Renamed', status: 'deferred', priority: 0 })
    await at.push('main', { [FILE]: `${renamed}${line('a-9')}\n` })
    expect(await at.round()).toEqual([])
    expect(at.store.bead(projectId, bead('a-1'))).toMatchObject({ title: 'Renamed', trackerStatus: 'deferred' })
    expect(at.status('a-3', 'a-9')).toEqual(['open', 'open'])
    const tip = await at.kit.hub.workTip(at.project, WORK, 'main')
    expect(tip.behind).toBeNull()
    expect(await at.kit.hub.readFile(projectId, tip.commit, FILE)).toContain('Renamed')
  })

  test('and a bead that a person deletes on the base branch after the merge does not come back', async () => {
    await at.mergeWorkIntoMain()
    await at.round()
    await at.push('main', {
      [FILE]: file(...(await at.show('main')).split('\n').filter((one) => one && !one.includes('"a-3"'))),
    })
    await at.round()
    expect(at.status('a-3')).toEqual([undefined])
    at.closeBead('a-2')
    await at.round()
    expect(await at.beadIn(WORK, 'a-3')).toBeUndefined()
  })

  test('and reading them moves no branch that somebody verifies or reviews', async () => {
    const before = await at.kit.hub.tip(projectId, WORK)
    await at.push('main', { 'new.txt': 'n\n', [FILE]: `${await at.show('main')}${line('a-9')}\n` })
    await at.round()
    expect(at.status('a-9')).toEqual(['open'])
    expect(await at.kit.hub.tip(projectId, WORK)).toBe(before)
  })

  test('and new beads of the base branch are seen although its code conflicts with the work branch’s', async () => {
    await at.push(WORK, { 'a.txt': 'work\n' })
    await at.push('main', { 'a.txt': 'main\n', [FILE]: `${await at.show('main')}${line('a-9')}\n` })
    expect(await at.round()).toEqual([])
    expect(at.status('a-1', 'a-9')).toEqual(['done', 'open'])
    at.closeBead('a-9')
    await at.round()
    expect(await at.beadIn(WORK, 'a-9')).toMatchObject({ status: 'closed' })
    expect(at.status('a-9')).toEqual(['done'])
    // The common past is history, although the branches cannot be merged: deleted is deleted, reopened is open.
    const kept = (await at.edited('main', 'a-9', { priority: 0 })).split('\n').filter((one) => !one.includes('"a-2"'))
    await at.push('main', { [FILE]: kept.join('\n') })
    await at.round()
    expect(at.status('a-2', 'a-9')).toEqual([undefined, 'done'])
    await at.push('main', { [FILE]: await at.edited('main', 'a-9', { status: 'blocked' }) })
    await at.round()
    expect(at.status('a-2', 'a-9')).toEqual([undefined, 'blocked'])
  })
})
