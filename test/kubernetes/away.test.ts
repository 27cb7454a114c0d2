import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingCluster, withoutNetwork } from './cluster.ts'
import { client, missingParts, nodeOf, podOf, script, Stage } from './cluster-stage.ts'
import { eventually, untilNodesAreOpen, WAITS, Working } from './working.ts'

/* Pods end while no server looks: the next server reports what the cluster says. */

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('while the server is away', { timeout: 900_000 }, () => {
  let stage: Stage
  let working: Working
  let mended: (() => Promise<unknown>) | null = null
  beforeAll(async () => {
    stage = await Stage.open({ ...withoutNetwork, diskGib: 1 })
    working = new Working(stage)
  })
  afterEach(async () => {
    await mended?.()
    mended = null
    await untilNodesAreOpen()
  })
  afterAll(() => stage?.close())

  test('a pod is evicted by its node, and nothing of it is left behind', async () => {
    const fills = `{ ${WAITS}; dd if=/dev/zero of=big bs=1M count=1500; sleep 600; }`
    const execution = await working.begun(await working.project({}, ['s-1'], fills))
    await stage.victim.kill()
    await working.goOn(execution)
    // If its containers end in order, its node forgets the eviction, and only an event tells of it.
    await eventually(async () => ['Failed', 'Succeeded'].includes((await podOf(execution))?.status?.phase ?? ''))
    await stage.victim.again()
    const end = await working.ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'FAILED', reason: 'infra_error', retryAttempt: 0 })
    expect(end.detail).toMatch(
      /^The container is gone: its pod on node\d has ended \(Evicted: .*exceeds the limit "1Gi"/,
    )
    await eventually(async () => (await podOf(execution)) === null)
  })

  test('a pod is deleted: the retry of the next server continues from the pushed work', async () => {
    const execution = await working.begun(await working.project({ retry: { retryCount: 1 } }))
    await stage.victim.kill()
    const [name, { namespace }] = [`beadloom-${execution}-work`, client]
    await client.call('delete it', ({ core }) => core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 }))
    await stage.victim.again()
    const end = await working.ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(end.retries).toEqual([expect.stringContaining('The container is gone: its pod was deleted.')])
  })

  test('a node dies, and the cluster gives its pods up: the retry continues elsewhere', async () => {
    const execution = await working.begun(await working.project({ retry: { retryCount: 1 } }))
    const first = await nodeOf(execution)
    await stage.victim.kill()
    await script('net.sh', 'cut', first.replace('node', ''))
    mended = () => script('net.sh', 'mend', first.replace('node', ''))
    await eventually(async () => (await podOf(execution))?.metadata?.deletionTimestamp !== undefined)
    await stage.victim.again()
    const end = await working.ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(end.place?.node).not.toBe(first)
    expect(end.retries).toEqual([expect.stringMatching(/its pod on node\d is being deleted \(\w+/)])
  })
})
