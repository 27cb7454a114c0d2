import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { World } from '../support/world.ts'
import { missingCluster, withoutNetwork } from './cluster.ts'
import { stopWorld } from './cluster-stage.ts'

/* A server with the cluster as its usual engine runs the demo, from a bead to COMPLETED, in pods on two nodes. */

describe.skipIf(missingCluster !== null)('the demo on a cluster', () => {
  let world: World
  beforeAll(async () => {
    const config = { engines: { cluster: { kubernetes: withoutNetwork } }, engine: 'cluster' }
    world = await World.start({ flags: { demo: true }, config })
  })
  afterAll(() => world && stopWorld(world))

  const executions = async () => (await world.get<Page<ExecutionView>>('/api/executions?project=demo&limit=50')).items
  const isOver = ({ state }: ExecutionView) => state !== 'QUEUED' && state !== 'RUNNING'

  test('ends with six beads COMPLETED and one BLOCKED, on both nodes', { timeout: 1_800_000 }, async () => {
    await world.until(async () => {
      const all = await executions()
      return all.filter(({ kind }) => kind === 'work').length >= 7 && all.every(isOver)
    })
    const work = (await executions()).filter(({ kind }) => kind === 'work')
    const others = work.filter(({ state }) => state !== 'COMPLETED').map(({ state, detail }) => `${state}: ${detail}`)
    expect(others).toEqual([expect.stringMatching(/^BLOCKED: /)])
    expect(work.every(({ place }) => place?.engine === 'cluster')).toBe(true)
    expect(new Set(work.map(({ place }) => place?.node))).toEqual(new Set(['node1', 'node2']))
  })

  test('names its nodes, and leaves no pod that is not waiting for the next execution', async () => {
    const { engines } = await world.get<ServerStatus>('/api/status')
    expect(engines).toMatchObject([{ name: 'cluster', ok: true }])
    await world.until(async () => {
      const { containers, engines: all } = await world.get<SystemView>('/api/system')
      expect(all.find(({ name }) => name === 'cluster')?.nodes?.map(({ name }) => name)).toEqual(['node1', 'node2'])
      return containers?.items.every(({ waitsFor }) => waitsFor !== null) === true
    })
  })
})
