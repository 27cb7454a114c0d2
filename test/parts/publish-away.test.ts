import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { delayAfter } from '@beadloom/server/src/runner/patience.ts'
import { integrateAndPublish } from '@beadloom/server/src/runner/publish.ts'
import type { RunContext } from '@beadloom/server/src/runner/run-context.ts'
import { Stopped } from '@beadloom/server/src/runner/stop.ts'
import { passing, type PublishKit, publishKit, workBranch } from './publish-kit.ts'

const MINUTE = 60_000
let kit: PublishKit
beforeEach(async () => {
  kit = await publishKit()
})
afterEach(() => kit.close())

const hub = () => kit.kit.hub
const tip = (ref: string) => hub().tip(projectId, ref)
const remoteTip = (ref: string) => kit.kit.git(kit.remote, 'rev-parse', ref)
const delaysOf = ({ execution }: RunContext) =>
  kit.store
    .events(execution.id, 0, 1000)
    .flatMap(({ type, data }) => (type === 'push_pending' ? [(data as { inMs: number }).inMs] : []))
const pendingOf = (run: RunContext) => kit.store.execution(run.execution.id)?.pendingPush ?? null
const completed = { end: { state: 'COMPLETED' } }

/** Lets time pass whenever more than `others` sleep: then the execution is one of them. */
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

  test('is asked after 1, 5 and 15 seconds, then twice as late each time, at most every ten minutes (P21)', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map((tries) => delayAfter(tries) / 1000)).toEqual([
      1, 5, 15, 30, 60, 120, 240, 480, 600, 600,
    ])
  })

  test('is waited for with the work in the hub, and when it is back everything arrives (T26)', async () => {
    const { run, commit, ref } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    const waits: unknown[] = []
    const result = await letTimePass(integrateAndPublish(run, commit, passing().verify), async (n) => {
      waits.push(pendingOf(run))
      expect(await tip(workBranch)).toBe(commit)
      if (n === 3) await back()
    })
    expect(result).toMatchObject(completed)
    expect(waits).toMatchObject([{ tries: 1 }, { tries: 2 }, { tries: 3 }])
    expect(delaysOf(run)).toEqual([1000, 5000, 15_000])
    expect(pendingOf(run)).toBeNull()
    expect([await remoteTip(ref), await remoteTip(workBranch)]).toEqual([commit, commit])
  })

  test('for a day ends it: the reason, and where the work is; the deadline of the agent did not', async () => {
    const { run, commit } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    const done = new AbortController()
    const watching = run.watchdog.watch(run.stopper, done.signal)
    await sleeping()
    const publishing = run.watchdog.whileOursToWait(() => integrateAndPublish(run, commit, passing().verify))
    const started = kit.clock.now()
    const result = await letTimePass(publishing, () => expect(run.stopper.reason).toBeNull(), 1)
    done.abort()
    await watching
    expect(result).toMatchObject({
      end: { state: 'FAILED', reason: 'infra_error', detail: expect.stringContaining('beads-bl-a') },
    })
    expect(kit.clock.now() - started).toBeGreaterThanOrEqual(24 * 60 * MINUTE)
    expect(pendingOf(run)).toBeNull()
  })

  test('is not waited for after a cancel', async () => {
    const { run, commit } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    const publishing = integrateAndPublish(run, commit, passing().verify)
    publishing.catch(() => {})
    await Promise.race([sleeping(), publishing])
    run.stopper.stop({ stop: 'cancelled' })
    await expect(publishing).rejects.toThrow(Stopped)
    expect(run.merged).toBe(true)
    expect(pendingOf(run)).toBeNull()
    expect(await tip(workBranch)).toBe(commit)
  })

  test('and wants a password is asked every ten minutes, and the sentence says what to do', async () => {
    const { run, commit } = await kit.work('bl-a', { 'one.txt': '1' })
    const server = createServer((_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
    run.project = { ...run.project, source }
    const publishing = integrateAndPublish(run, commit, passing().verify)
    publishing.catch(() => {})
    await Promise.race([sleeping(), publishing])
    const pending = pendingOf(run)
    expect(pending).toMatchObject({ tries: 1, why: expect.stringContaining('credential') })
    expect((pending?.nextAt ?? 0) - kit.clock.now()).toBe(10 * MINUTE)
    run.stopper.stop({ stop: 'cancelled' })
    await expect(publishing).rejects.toThrow()
    server.close()
  })

  test('while foreign commits arrive on it loses nothing: they are taken up when it is back', async () => {
    const { run, commit } = await kit.work('bl-a', { 'one.txt': '1' })
    await away()
    let theirs = ''
    const { asked, verify } = passing()
    const result = await letTimePass(integrateAndPublish(run, commit, verify), async (n) => {
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
    await integrateAndPublish(one.run, one.commit, passing().verify)
    return other
  }

  test('before the branch moved verifies the same merge, not another one', async () => {
    const work = await two()
    const asked: string[] = []
    const dying = integrateAndPublish(work.run, work.commit, (candidate) => (asked.push(candidate), die()))
    await expect(dying).rejects.toThrow('SIGKILL')
    kit.clock.advance(MINUTE)
    const again = passing()
    expect(await integrateAndPublish(kit.again(work), work.commit, again.verify)).toMatchObject(completed)
    expect(again.asked).toEqual(asked)
  })

  test('after the branch moved only publishes', async () => {
    const work = await two()
    const run = kit.again(work, { publish: die })
    await expect(integrateAndPublish(run, work.commit, passing().verify)).rejects.toThrow('SIGKILL')
    const again = passing()
    expect(await integrateAndPublish(kit.again(work), work.commit, again.verify)).toMatchObject(completed)
    expect(again.asked).toEqual([])
    expect(await kit.remoteFiles(workBranch)).toEqual(['a.txt', 'one.txt', 'two.txt'])
  })

  test('with one of two branches pushed pushes the other', async () => {
    const work = await two()
    const run = kit.again(work, {
      publish: async (project, refs, signal) => {
        await hub().publish(project, refs.slice(0, 1), signal)
        return die()
      },
    })
    await expect(integrateAndPublish(run, work.commit, passing().verify)).rejects.toThrow('SIGKILL')
    expect(await remoteTip(work.ref)).toBe(work.commit)
    expect(await integrateAndPublish(kit.again(work), work.commit, passing().verify)).toMatchObject(completed)
    expect(await kit.onRemote(work.commit, workBranch)).toBe(true)
  })

  test('while it waits for the remote goes on waiting, with the same count', async () => {
    const { run, commit, ...work } = await kit.work('bl-a', { 'one.txt': '1' })
    await rename(kit.remote, `${kit.remote}.away`)
    const before = integrateAndPublish(run, commit, passing().verify)
    before.catch(() => {})
    await Promise.race([sleeping(), before])
    run.stopper.stop({ stop: 'detach' })
    await expect(before).rejects.toThrow(Stopped)
    const kept = pendingOf(run)
    expect(kept).toMatchObject({ tries: 1 })
    const next = kit.again({ run, commit, ...work })
    const result = await letTimePass(integrateAndPublish(next, commit, passing().verify), async (n) => {
      expect(pendingOf(next)).toMatchObject({ since: kept?.since, tries: n + 1 })
      if (n === 2) await rename(`${kit.remote}.away`, kit.remote)
    })
    expect(result).toMatchObject(completed)
  })
})
