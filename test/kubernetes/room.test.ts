import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { label } from '@beadloom/server/src/container/kubernetes/kubernetes-options.ts'
import { quantityOf } from '@beadloom/server/src/container/kubernetes/quantity.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingCluster } from './cluster.ts'
import { client, missingParts, Stage } from './cluster-stage.ts'
import { eventually, Working } from './working.ts'

/* A cluster without room: an execution waits with the cluster's reason, and continues when there is room. */

const QUOTA = 'for-a-test'
const FILLER = 'filler'
const { namespace } = client

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('without room', { timeout: 900_000 }, () => {
  let stage: Stage
  let working: Working
  beforeAll(async () => {
    stage = await Stage.open()
    working = new Working(stage)
  })
  afterEach(async () => {
    await noQuota().catch(() => {})
    await noFillers().catch(() => {})
  })
  afterAll(() => stage?.close())

  test('because of a quota, the next execution stays QUEUED with its words, and continues when there is more', async () => {
    const project = await working.project({}, ['s-1', 's-2'])
    const first = await working.begun(project)
    await client.call('make a quota', ({ core }) =>
      core.createNamespacedResourceQuota({
        namespace,
        body: { metadata: { name: QUOTA }, spec: { hard: { pods: '1' } } },
      }),
    )
    await stage.victim.until(first, async () => (await reasonOf(project, 's-2'))?.code === 'engine_full')
    const second = await stage.victim.queue(project, 's-2')
    await stage.victim.until(second, ({ state, whyQueued }) => {
      expect(state).toBe('QUEUED')
      return whyQueued?.code === 'engine_full'
    })
    expect((await stage.victim.execution(second)).whyQueued?.text).toMatch(/exceeded quota: for-a-test/)
    // Its checks need another pod: they wait, too, with the same words.
    await working.goOn(first)
    await stage.victim.until(first, ({ waitsForPlace }) => waitsForPlace?.includes('exceeded quota') === true)
    await noQuota()
    await working.waits(second)
    await working.goOn(second)
    expect(await working.ended(first)).toMatchObject({ state: 'COMPLETED', retries: [] })
    expect(await working.ended(second)).toMatchObject({ state: 'COMPLETED', retries: [] })
  })

  test('because the nodes are full, the execution waits like a queued one, and begins when there is room', async () => {
    const project = await working.project({}, ['s-1', 's-2'])
    const proved = await working.begun(project)
    await working.goOn(proved)
    await working.ended(proved)
    await eventually(async () => (await podsOf(proved)).length === 0) // ended pods make room a moment later
    await fill()
    const execution = await stage.victim.queue(project, 's-2')
    await stage.victim.until(execution, ({ state, waitsForPlace, whyQueued }) => {
      expect(['QUEUED', 'RUNNING']).toContain(state)
      return /Insufficient cpu/.test(waitsForPlace ?? whyQueued?.text ?? '')
    })
    await noFillers()
    await working.waits(execution)
    await working.goOn(execution)
    expect(await working.ended(execution)).toMatchObject({ state: 'COMPLETED', retries: [] })
  })

  /** The reason why a bead that is not queued does not start, if the server has looked at the cluster. */
  async function reasonOf(project: string, bead: string): Promise<Reason | null> {
    const { items } = await stage.victim.api<{ items: BeadCard[] }>('GET', `/api/projects/${project}/beads`)
    return items.find(({ id }) => id === bead)?.reason ?? null
  }
})

const fillerOf = (name: string, cpu: string, node?: string) => ({
  metadata: { name, labels: { test: FILLER } },
  spec: {
    ...(node !== undefined && { nodeName: node }),
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'pause',
        image: 'registry.k8s.io/pause:3.10',
        imagePullPolicy: 'IfNotPresent',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        resources: { requests: { cpu } },
      },
    ],
  },
})

const podsOf = async (execution: string) => {
  const labelSelector = `${label.execution}=${execution}`
  return (await client.call('list pods', ({ core }) => core.listNamespacedPod({ namespace, labelSelector }))).items
}

/** Takes nearly all CPUs of both nodes. */
async function fill(): Promise<void> {
  const { items } = await client.call('list nodes', ({ core }) => core.listNode())
  for (const { metadata, status } of items) {
    const node = metadata?.name ?? ''
    const pods = await client.call('list pods', ({ core }) =>
      core.listPodForAllNamespaces({ fieldSelector: `spec.nodeName=${node}` }),
    )
    const used = pods.items
      .filter(({ status: its }) => its?.phase !== 'Succeeded' && its?.phase !== 'Failed')
      .flatMap(({ spec }) => [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])])
      .reduce((sum, { resources }) => sum + quantityOf(resources?.requests?.['cpu']), 0)
    const free = quantityOf(status?.allocatable?.['cpu']) - used
    const body = fillerOf(`${FILLER}-${node}`, `${Math.floor(free * 1000) - 50}m`, node)
    await client.call('fill a node', ({ core }) => core.createNamespacedPod({ namespace, body }))
  }
}

const noFillers = () =>
  client.call('remove fillers', ({ core }) =>
    core.deleteCollectionNamespacedPod({ namespace, labelSelector: `test=${FILLER}` }),
  )

const noQuota = () =>
  client.call('remove the quota', ({ core }) => core.deleteNamespacedResourceQuota({ namespace, name: QUOTA }))
