// @suite unit-long
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { integrateAndPublish } from '@beadloom/server/src/publish/publish.ts'
import type { RemakeLocks } from '@beadloom/server/src/publish/integrate.ts'
import type { LiveExecution } from '@beadloom/server/src/execution/live-execution.ts'
import { checkedBy, passing, type PublishKit, publishKit, type Work, workBranch } from './publish-kit.ts'

let kit: PublishKit
beforeEach(async () => {
  kit = await publishKit()
})
afterEach(() => kit.close())

const hub = () => kit.kit.hub
const tip = (ref: string) => hub().tip(projectId, ref)
const remoteTip = (ref: string) => kit.kit.git(kit.remote, 'rev-parse', ref)
const completed = { end: { state: 'COMPLETED' } }

describe('the work branch', () => {
  test('moves to the verified commit itself if nothing else came, and nothing is verified twice', async () => {
    const { live, commit, ref } = await kit.work('bl-a', { 'one.txt': '1' })
    const { asked, verify } = passing()
    expect(await integrateAndPublish(live, commit, checkedBy(verify))).toMatchObject({
      end: { state: 'COMPLETED', commit },
    })
    expect(asked).toEqual([])
    expect([await remoteTip(ref), await remoteTip(workBranch)]).toEqual([commit, commit])
  })

  test('that moved is merged, and the merge is verified before any branch has it', async () => {
    const one = await kit.work('bl-a', { 'one.txt': '1' })
    const two = await kit.work('bl-b', { 'two.txt': '2' })
    await integrateAndPublish(one.live, one.commit, checkedBy(passing().verify))
    let seen: string[] = []
    const result = await integrateAndPublish(
      two.live,
      two.commit,
      checkedBy(async (candidate) => {
        expect([await tip(workBranch), await remoteTip(workBranch)]).toEqual([one.commit, one.commit])
        seen = await hub().rootFiles(projectId, candidate)
        return { passed: true, digest: '' }
      }),
    )
    expect(result).toMatchObject(completed)
    expect(seen).toEqual(['a.txt', 'one.txt', 'two.txt'])
    expect(await kit.remoteFiles(workBranch)).toEqual(['a.txt', 'one.txt', 'two.txt'])
  })

  test('refuses work that is good alone but not together: the digest goes to the next attempt, whose branch has both', async () => {
    const one = await kit.work('bl-a', { 'one.txt': '1' })
    const two = await kit.work('bl-b', { 'two.txt': '2' })
    await integrateAndPublish(one.live, one.commit, checkedBy(passing().verify))
    const result = await integrateAndPublish(
      two.live,
      two.commit,
      checkedBy(async () => ({
        passed: false,
        digest: 'one is gone',
      })),
    )
    expect(result).toEqual({ mergeFailed: 'one is gone' })
    expect([await tip(workBranch), await remoteTip(workBranch)]).toEqual([one.commit, one.commit])
    await expect(remoteTip(two.ref)).rejects.toThrow()
    expect(await hub().rootFiles(projectId, (await tip(two.branch)) ?? '')).toEqual(['a.txt', 'one.txt', 'two.txt'])
  })

  test('that moves while the merge is verified gets a new merge, which is verified as well', async () => {
    const one = await kit.work('bl-a', { 'one.txt': '1' })
    const two = await kit.work('bl-b', { 'two.txt': '2' })
    const three = await kit.work('bl-c', { 'three.txt': '3' })
    await integrateAndPublish(one.live, one.commit, checkedBy(passing().verify))
    const asked: string[][] = []
    const result = await integrateAndPublish(
      two.live,
      two.commit,
      checkedBy(async (candidate) => {
        asked.push(await hub().rootFiles(projectId, candidate))
        if (asked.length === 1) await integrateAndPublish(three.live, three.commit, checkedBy(passing().verify))
        return { passed: true, digest: '' }
      }),
    )
    expect(result).toMatchObject(completed)
    expect(asked).toEqual([
      ['a.txt', 'one.txt', 'two.txt'],
      ['a.txt', 'one.txt', 'three.txt', 'two.txt'],
    ])
    expect(await kit.remoteFiles(workBranch)).toEqual(['a.txt', 'one.txt', 'three.txt', 'two.txt'])
  })

  test('that faster beads move again and again is kept for the slow one after its third merge', async () => {
    const slow = await kit.work('bl-s', { 'slow.txt': 's' })
    const fast: Work[] = []
    for (const id of ['bl-a', 'bl-b', 'bl-c', 'bl-d', 'bl-e']) fast.push(await kit.work(id, { [`${id}.txt`]: id }))
    const publishNext = async () => {
      const next = fast.shift()
      if (next) await integrateAndPublish(next.live, next.commit, checkedBy(passing().verify))
    }
    await publishNext()
    let merges = 0
    let last: Promise<void> | null = null
    const result = await integrateAndPublish(
      slow.live,
      slow.commit,
      checkedBy(async () => {
        merges += 1
        last = publishNext()
        if (merges < 4) await last // then it waits for the slow one's turn
        return { passed: true, digest: '' }
      }),
    )
    expect(result).toMatchObject(completed)
    expect(merges).toBe(4)
    await last
    expect(await kit.remoteFiles(workBranch)).toEqual([
      'a.txt',
      'bl-a.txt',
      'bl-b.txt',
      'bl-c.txt',
      'bl-d.txt',
      'bl-e.txt',
      'slow.txt',
    ])
  })

  test('takes executions that finish at the same moment, all of them', async () => {
    const works = []
    for (const id of ['bl-a', 'bl-b', 'bl-c']) works.push(await kit.work(id, { [`${id}.txt`]: id }))
    const results = await Promise.all(
      works.map(({ live, commit }) => integrateAndPublish(live, commit, checkedBy(passing().verify))),
    )
    for (const result of results) expect(result).toMatchObject(completed)
    expect(await kit.remoteFiles(workBranch)).toEqual(['a.txt', 'bl-a.txt', 'bl-b.txt', 'bl-c.txt'])
    for (const { ref, commit } of works) expect(await remoteTip(ref)).toBe(commit)
  })
})

describe("somebody's commit on the remote", () => {
  /** Arrives after everything was fetched, right before the first push. */
  const late = (work: { live: LiveExecution }, arrive: () => Promise<unknown>) => {
    let first = true
    return kit.again(
      { ...work, branch: '', commit: '', ref: '' },
      {
        publish: async (...args) => {
          if (first) await arrive()
          first = false
          return hub().publish(...args)
        },
      },
    )
  }

  test('on the work branch, between our fetch and our push, is kept and verified together with ours', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    let theirs = ''
    const live = late(work, async () => (theirs = await kit.foreign(workBranch, { 'person.txt': 'p' })))
    const { asked, verify } = passing()
    expect(await integrateAndPublish(live, work.commit, checkedBy(verify))).toMatchObject(completed)
    expect(asked).toHaveLength(1)
    expect(await remoteTip(workBranch)).toBe(asked[0])
    expect(await kit.onRemote(theirs, workBranch)).toBe(true)
    expect(await kit.onRemote(work.commit, workBranch)).toBe(true)
  })

  test('that breaks ours is neither lost nor published with ours', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    let theirs = ''
    const live = late(work, async () => (theirs = await kit.foreign(workBranch, { 'person.txt': 'p' })))
    const result = await integrateAndPublish(
      live,
      work.commit,
      checkedBy(async () => ({ passed: false, digest: 'red' })),
    )
    expect(result).toEqual({ mergeFailed: 'red' })
    expect(await remoteTip(workBranch)).toBe(theirs)
    expect(await tip(workBranch)).toBe(work.commit)
    expect(await hub().rootFiles(projectId, (await tip(work.branch)) ?? '')).toContain('person.txt')
  })

  test("on the bead's branch is kept, merged and verified", async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    const theirs = await kit.foreign(work.branch, { 'person.txt': 'p' })
    const { asked, verify } = passing()
    const result = await integrateAndPublish(work.live, work.commit, checkedBy(verify))
    expect(result).toMatchObject({ end: { state: 'COMPLETED', commit: asked[0] } })
    for (const branch of [work.branch, workBranch]) {
      expect(await kit.onRemote(theirs, branch)).toBe(true)
      expect(await kit.onRemote(work.commit, branch)).toBe(true)
    }
  })

  test('that conflicts with ours is reported, with the files and both commits', async () => {
    const work = await kit.work('bl-a', { 'a.txt': 'ours\n' })
    let theirs = ''
    const live = late(work, async () => (theirs = await kit.foreign(workBranch, { 'a.txt': 'theirs\n' })))
    const result = await integrateAndPublish(live, work.commit, checkedBy(passing().verify))
    const [ours, own, other] = [work.commit, work.commit, theirs]
    expect(result).toEqual({ conflict: { branch: workBranch, files: ['a.txt'], ours, theirs, own, other } })
    expect(await remoteTip(workBranch)).toBe(theirs)
  })

  test('that comes again after the one merge ends as push_conflict, and is kept', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    const theirs: string[] = []
    const live = kit.again(work, {
      publish: async (...args) => {
        theirs.push(await kit.foreign(workBranch, { [`person${theirs.length}.txt`]: 'p' }))
        return hub().publish(...args)
      },
    })
    const result = await integrateAndPublish(live, work.commit, checkedBy(passing().verify))
    expect(result).toMatchObject({ end: { state: 'FAILED', reason: 'push_conflict' } })
    expect(theirs).toHaveLength(2)
    expect(await remoteTip(workBranch)).toBe(theirs[1])
  })

  test("that is another bead's names the files in conflict before anything is published", async () => {
    const one = await kit.work('bl-a', { 'a.txt': 'one\n' })
    const two = await kit.work('bl-b', { 'a.txt': 'two\n' })
    await integrateAndPublish(one.live, one.commit, checkedBy(passing().verify))
    const result = await integrateAndPublish(two.live, two.commit, checkedBy(passing().verify))
    const [ours, theirs] = [one.commit, two.commit]
    expect(result).toEqual({
      conflict: { branch: workBranch, files: ['a.txt'], ours, theirs, own: theirs, other: ours },
    })
    expect(await remoteTip(workBranch)).toBe(one.commit)
    await expect(remoteTip(two.ref)).rejects.toThrow()
  })
})

describe('lock files in conflict', () => {
  const LOCK = 'web/package-lock.json'
  const both = async (more: Record<string, string> = {}) => {
    const one = await kit.work('bl-a', { [LOCK]: 'one\n', 'web/one.txt': '1' })
    const two = await kit.work('bl-b', { [LOCK]: 'two\n', 'web/two.txt': '2', ...more })
    await integrateAndPublish(one.live, one.commit, checkedBy(passing().verify))
    return { one, two }
  }
  /** Leaves the files of a tool, on the commit where it runs. */
  const remade =
    (files: Record<string, string>): RemakeLocks =>
    (commit) =>
      kit.left(commit, files)

  test('are made by their tools on the rest of the merge, which stays as it is', async () => {
    const { two } = await both()
    const { asked, verify } = passing()
    const tools = remade({ [LOCK]: 'both\n', 'web/one.txt': 'stray' })
    expect(await integrateAndPublish(two.live, two.commit, checkedBy(verify, tools))).toMatchObject(completed)
    const show = (path: string) => kit.kit.git(kit.remote, 'show', `${workBranch}:web/${path}`)
    expect(await Promise.all(['package-lock.json', 'one.txt', 'two.txt'].map(show))).toEqual(['both', '1', '2'])
    expect(asked).toEqual([await remoteTip(workBranch)])
  })

  test('are reported as a conflict if a tool fails', async () => {
    const { two } = await both()
    const result = await integrateAndPublish(two.live, two.commit, checkedBy(passing().verify))
    expect(result).toMatchObject({ conflict: { files: [LOCK] } })
  })

  test('are not tried if another file conflicts as well', async () => {
    const { two } = await both({ 'web/one.txt': 'other' })
    const never: RemakeLocks = () => Promise.reject(new Error('asked'))
    const result = await integrateAndPublish(two.live, two.commit, checkedBy(passing().verify, never))
    expect(result).toMatchObject({ conflict: { files: ['web/one.txt', LOCK] } })
  })
})

test('a remote that refuses a branch is asked once: a person decides', async () => {
  const { live, commit, ref } = await kit.work('bl-a', { 'one.txt': '1' })
  let pushes = 0
  const refusing = kit.again(
    { live, commit, ref, branch: '' },
    {
      publish: async () => {
        pushes++
        return {
          ok: false,
          failed: [{ ref: `refs/heads/${workBranch}`, kind: 'refused', why: 'x refused it: protected.' }],
        }
      },
    },
  )
  const result = await integrateAndPublish(refusing, commit, checkedBy(passing().verify))
  expect(result).toMatchObject({
    end: { state: 'FAILED', reason: 'push_conflict', detail: expect.stringContaining('protected') },
  })
  expect(pushes).toBe(1)
})
