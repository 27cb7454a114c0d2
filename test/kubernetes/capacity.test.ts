import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { Sandbox } from '@beadloom/server/src/ports/sandbox.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EngineUnderTest } from '../contract/engine-under-test.ts'
import { openKubernetes } from '../contract/kubernetes-under-test.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { killOnNode, missingCluster, withoutNetwork } from './cluster.ts'
import { client, stopWorld } from './cluster-stage.ts'
import { eventually, untilNodesAreOpen } from './working.ts'

/* `"slots": "capacity"`, the default of a cluster: three of four of the sandboxes for which its nodes have room. */

const GIB = 1024 ** 3
/** For pods that are limited to a whole node: these two nodes are smaller than a project's default limits. */
const settings = { ...withoutNetwork, cpuRequest: 0.3, memoryRequest: 0.2 }
const LOCAL_SLOTS = 1

describe.skipIf(missingCluster !== null)('slots by capacity', { timeout: 600_000 }, () => {
  let world: World
  let engine: EngineUnderTest
  beforeAll(async () => {
    await untilNodesAreOpen()
    const engines = { cluster: { slots: 'capacity', kubernetes: settings } }
    world = await World.start({ config: { engines, engine: 'cluster', slots: LOCAL_SLOTS } })
    engine = await openKubernetes(settings, killOnNode)
  })
  afterAll(async () => {
    await engine?.close()
    if (world !== undefined) await stopWorld(world)
  })

  test('are three of the four that the nodes say they can allocate: as many pods find a place, and the next one does not', async () => {
    await world.addProject('p', shellProject({ agent: 'true\n' }), [])
    const slots = async () => (await world.get<ServerStatus>('/api/status')).slots.total - LOCAL_SLOTS
    await eventually(async () => (await slots()) > 0)
    const { items } = await client.call('list nodes', ({ core }) => core.listNode())
    expect(items).toHaveLength(2)
    // 0.3 of 1.8 CPUs and a keeper's 0.01 go three times into 1.9 CPUs, and memory has room for more.
    expect(items.map(({ status }) => status?.allocatable?.['cpu'])).toEqual(['1900m', '1900m'])
    expect(await slots()).toBe(6 - 2)

    const opened: Sandbox[] = []
    const placed = async () =>
      (await Promise.all(opened.map((one) => one.node()))).filter((node) => node !== null).length
    for (let at = 0; at < 6; at++) {
      const sandbox = await engine.open({ cpus: 4, memoryBytes: 8 * GIB })
      void sandbox.warm().catch(() => {})
      opened.push(sandbox)
    }
    await eventually(async () => (await placed()) === 6)
    const more = await engine.open({ cpus: 4, memoryBytes: 8 * GIB })
    void more.warm().catch(() => {})
    await eventually(async () => /Insufficient cpu/.test(await saidOf(more)))
    await Promise.all([...opened, more].map((sandbox) => sandbox.close()))
  })
})

/** Why the scheduler has no place for its pod. */
async function saidOf({ id }: Sandbox): Promise<string> {
  const pod = await client.pod(id.split('/')[1] ?? '')
  return (
    pod?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message ?? ''
  )
}
