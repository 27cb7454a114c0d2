import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingCluster, withoutNetwork } from './cluster.ts'
import { client, missingParts, Stage } from './cluster-stage.ts'
import { Working } from './working.ts'

/*
 * The real Kueue: an execution that its quota holds back waits like a queued one, with Kueue's words, and continues
 * when the quota grows.
 */

const QUEUE = 'beads'
const group = 'kueue.x-k8s.io'
const version = 'v1beta2'
const { namespace } = client

const hasQueue = async (): Promise<boolean> =>
  client
    .call('look for Kueue', ({ custom }) =>
      custom.getNamespacedCustomObject({ group, version, namespace, plural: 'localqueues', name: QUEUE }),
    )
    .then(
      () => true,
      () => false,
    )

const missing =
  missingCluster ?? missingParts ?? ((await hasQueue()) ? null : 'no Kueue: npm test -- kubernetes builds it')
if (missing !== null) {
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1: ${missing}`)
  console.warn(`SKIPPED: tests of Kueue. ${missing}`)
}

describe.skipIf(missing !== null)('a quota of Kueue', { timeout: 600_000 }, () => {
  let stage: Stage
  let working: Working
  beforeAll(async () => {
    stage = await Stage.open({ ...withoutNetwork, queue: QUEUE })
    working = new Working(stage)
  })
  afterEach(() => allow(1))
  afterAll(() => stage?.close())

  test('for one sandbox: one bead works, the other waits with Kueue’s reason, and both are done when there is more', async () => {
    await allow(1)
    const project = await working.project({ verification: { proveBase: false } }, ['s-1', 's-2'])
    const first = await working.begun(project)
    const second = await stage.victim.queue(project, 's-2')
    await stage.victim.until(second, ({ state, waitsForPlace, whyQueued }) => {
      expect(['QUEUED', 'RUNNING']).toContain(state)
      return (waitsForPlace ?? whyQueued?.text ?? '').includes(
        "Kueue: couldn't assign flavors to pod set main: insufficient unused quota for pods in flavor any, 1 more needed",
      )
    })
    await allow(4)
    await working.waits(second)
    for (const one of [first, second]) await working.goOn(one)
    for (const one of [first, second]) {
      const end = await working.ended(one)
      expect(end, end.detail).toMatchObject({ state: 'COMPLETED', attempt: 1, retries: [] })
    }
  })
})

/** Sets the quota to so many pods at once. */
const allow = (pods: number) =>
  client.call('set the quota', ({ custom, library }) =>
    custom.patchClusterCustomObject(
      {
        group,
        version,
        plural: 'clusterqueues',
        name: QUEUE,
        body: [
          { op: 'replace', path: '/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota', value: String(pods) },
        ],
      },
      library.setHeaderOptions('Content-Type', library.PatchStrategy.JsonPatch),
    ),
  )
