// @suite unit-long
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { delayAfter } from '@beadloom/server/src/publish/remote-backoff.ts'
import { isMerged } from '@beadloom/server/src/publish/integrate.ts'
import { integrateAndPublish } from '@beadloom/server/src/publish/publish.ts'
import type { LiveExecution } from '@beadloom/server/src/execution/live-execution.ts'
import { Stopped } from '@beadloom/server/src/execution/stop.ts'
import { checkedBy, passing, type PublishKit, publishKit, workBranch } from './publish-kit.ts'

const MINUTE = 60_000
let kit: PublishKit
beforeEach(async () => {
  kit = await publishKit()
})
afterEach(() => kit.close())

const hub = () => kit.kit.hub
const tip = (ref: string) => hub().tip(projectId, ref)
const remoteTip = (ref: string) => kit.kit.git(kit.remote, 'rev-parse', ref)
const delaysOf = ({ id }: LiveExecution) =>
  kit.store
    .events(id, 0, 1000)
    .flatMap(({ type, data }) => (type === 'push_pending' ? [(data as { inMs: number }).inMs] : []))
const pendingOf = (live: LiveExecution) => waitOfKind(kit.store.execution(live.id)?.waits, 'push')
const completed = { end: { state: 'COMPLETED' } }

/** Lets time pass whenever more than `others` sleep, so that the execution is among them. */
async function letTimePass<T>(
  work: Promise<T>,
  step: (waits: number) => Promise<void> | void = () => {},
  others = 0,
): Promise<T> {
  let over = false
  const settled = work.finally(() => (over = true))
  settled.catch(() => {})
  for (let waits = 1; !over; waits++) {
    await Promise.race([settled.catch(() => {}), sleeping(others, () => over)])
    if (over) break
    await step(waits)
    kit.clock.advance(10 * MINUTE)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return settled
}

async function sleeping(others = 0, over = () => false): Promise<void> {
  while (kit.clock.sleepers <= others && !over()) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe('a remote that is away', () => {
  const away = () => rename(kit.remote, `${kit.remote}.away`)
  const back = () => rename(`${kit.remote}.away`, kit.remote)

  test('is asked after 1, 5 and 15 seconds, then twice as late each time, at least every ten minutes', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map((tries) => delayAfter(tries) / 1000)).toEqual([
      1, 5, 15, 30, 60, 120, 240, 480, 600, 600,
    ])
  })

  test('keeps the work waiting in the hub, and gets everything when it is back', async () => {
    const { live, commit, ref } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    const waits: unknown[] = []
    const result = await letTimePass(integrateAndPublish(live, commit, checkedBy(passing().verify)), async (n) => {
      waits.push(pendingOf(live))
      expect(await tip(workBranch)).toBe(commit)
      if (n === 3) await back()
    })
    expect(result).toMatchObject(completed)
    expect(waits).toMatchObject([1, 2, 3].map((tries) => ({ kind: 'push', tries })))
    expect(delaysOf(live)).toEqual([1000, 5000, 15_000])
    expect(pendingOf(live)).toBeNull()
    expect([await remoteTip(ref), await remoteTip(workBranch)]).toEqual([commit, commit])
  })

  test("for a day ends it with the reason, and says where the work is; the agent's deadline did not", async () => {
    const { live, commit } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    const done = new AbortController()
    const watching = live.watchdog.watch(live.stopper, done.signal)
    await sleeping()
    const publishing = live.watchdog.whileOursToWait(() =>
      integrateAndPublish(live, commit, checkedBy(passing().verify)),
    )
    const started = kit.clock.now()
    const result = await letTimePass(publishing, () => expect(live.stopper.reason).toBeNull(), 1)
    done.abort()
    await watching
    expect(result).toMatchObject({
      end: { state: 'FAILED', reason: 'infra_error', detail: expect.stringContaining('beads-bl-a') },
    })
    expect(kit.clock.now() - started).toBeGreaterThanOrEqual(24 * 60 * MINUTE)
    expect(pendingOf(live)).toBeNull()
  })

  test('is not waited for after a cancel', async () => {
    const { live, commit } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    const publishing = integrateAndPublish(live, commit, checkedBy(passing().verify))
    publishing.catch(() => {})
    await Promise.race([sleeping(), publishing])
    live.stopper.stop({ stop: 'cancelled' })
    await expect(publishing).rejects.toThrow(Stopped)
    expect(isMerged(live)).toBe(true)
    expect(pendingOf(live)).toBeNull()
    expect(await tip(workBranch)).toBe(commit)
  })

  test('and wants a password is asked every ten minutes, and the sentence says what to do', async () => {
    const work = await kit.work('bl-a', { 'one.txt': '1' })
    const server = createServer((_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
    const live = { ...work.live, project: { ...work.live.project, source } }
    const publishing = integrateAndPublish(live, work.commit, checkedBy(passing().verify))
    publishing.catch(() => {})
    await Promise.race([sleeping(), publishing])
    const pending = pendingOf(live)
    expect(pending).toMatchObject({ tries: 1, why: expect.stringContaining('credential') })
    expect((pending?.nextAt ?? 0) - kit.clock.now()).toBe(10 * MINUTE)
    live.stopper.stop({ stop: 'cancelled' })
    await expect(publishing).rejects.toThrow()
    server.close()
  })

  test('while foreign commits arrive on it loses nothing: they are taken up when it is back', async () => {
    const { live, commit } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    let theirs = ''
    const { asked, verify } = passing()
    const result = await letTimePass(integrateAndPublish(live, commit, checkedBy(verify)), async (n) => {
      if (n !== 2) return
      await back()
      theirs = await kit.foreign(workBranch, { 'person.txt': 'p' })
    })
    expect(result).toMatchObject(completed)
    expect(await kit.onRemote(theirs, workBranch)).toBe(true)
    expect(await remoteTip(workBranch)).toBe(asked[0])
  })
})

describe('a server that dies', () => {
  const die = () => Promise.reject(new Error('SIGKILL'))
  const two = async () => {
    const one = await kit.work('bl-a', { 'one.txt': '1' })
    const other = await kit.work('bl-b', { 'two.txt': '2' })
    await integrateAndPublish(one.live, one.commit, checkedBy(passing().verify))
    return other
  }

  test('before the branch moved verifies the same merge, not another one', async () => {
    const work = await two()
    const asked: string[] = []
    const dying = integrateAndPublish(
      work.live,
      work.commit,
      checkedBy((candidate) => (asked.push(candidate), die())),
    )
    await expect(dying).rejects.toThrow('SIGKILL')
    kit.clock.advance(MINUTE)
    const again = passing()
    expect(await integrateAndPublish(kit.again(work), work.commit, checkedBy(again.verify))).toMatchObject(completed)
    expect(again.asked).toEqual(asked)
  })

  test('after the branch moved only publishes', async () => {
    const work = await two()
    const live = kit.again(work, { publish: die })
    await expect(integrateAndPublish(live, work.commit, checkedBy(passing().verify))).rejects.toThrow('SIGKILL')
    const again = passing()
    expect(await integrateAndPublish(kit.again(work), work.commit, checkedBy(again.verify))).toMatchObject(completed)
    expect(again.asked).toEqual([])
    expect(await kit.remoteFiles(workBranch)).toEqual(['a.txt', 'one.txt', 'two.txt'])
  })

  test('with one of two branches pushed pushes the other', async () => {
    const work = await two()
    const live = kit.again(work, {
      publish: async (project, refs, signal) => {
        await hub().publish(project, refs.slice(0, 1), signal)
        return die()
      },
    })
    await expect(integrateAndPublish(live, work.commit, checkedBy(passing().verify))).rejects.toThrow('SIGKILL')
    expect(await remoteTip(work.ref)).toBe(work.commit)
    expect(await integrateAndPublish(kit.again(work), work.commit, checkedBy(passing().verify))).toMatchObject(
      completed,
    )
    expect(await kit.onRemote(work.commit, workBranch)).toBe(true)
  })

  test('while it waits for the remote keeps waiting, with the same count', async () => {
    const { live, commit, ...work } = await kit.work('bl-a', { 'one.txt': '1' })
    await rename(kit.remote, `${kit.remote}.away`)
    const before = integrateAndPublish(live, commit, checkedBy(passing().verify))
    before.catch(() => {})
    await Promise.race([sleeping(), before])
    live.stopper.stop({ stop: 'detach' })
    await expect(before).rejects.toThrow(Stopped)
    const kept = pendingOf(live)
    expect(kept).toMatchObject({ tries: 1 })
    const next = kit.again({ live, commit, ...work })
    const result = await letTimePass(integrateAndPublish(next, commit, checkedBy(passing().verify)), async (n) => {
      expect(pendingOf(next)).toMatchObject({ since: kept?.since, tries: n + 1 })
      if (n === 2) await rename(`${kit.remote}.away`, kit.remote)
    })
    expect(result).toMatchObject(completed)
  })
})
