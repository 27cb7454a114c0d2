import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { missingCluster } from './cluster.ts'
import { client, missingParts, nodeOf, podOf, script, Stage } from './cluster-stage.ts'
import { eventually, succeeds, untilNodesAreOpen, Working } from './working.ts'

/* Each part of the cluster dies once while an agent works. */

const CONTROL_PLANE = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler']

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('while an agent works', { timeout: 900_000 }, () => {
  let stage: Stage
  let working: Working
  let mended: (() => Promise<unknown>) | null = null
  beforeAll(async () => {
    stage = await Stage.open()
    working = new Working(stage)
  })
  afterEach(async () => {
    await mended?.()
    mended = null
    await untilNodesAreOpen()
  })
  afterAll(() => stage?.close())

  test('the server is killed: the next one takes up the pod where it is', async () => {
    const execution = await working.begun(await working.project())
    const before = (await podOf(execution))?.metadata?.uid
    await stage.victim.kill()
    await stage.victim.again()
    await working.goOn(execution)
    expect(await working.ended(execution)).toMatchObject({
      state: 'COMPLETED',
      attempt: 1,
      retryAttempt: 0,
      retries: [],
    })
    expect(before).toBeDefined()
  })

  test('the API server is killed and comes back: the agent notices nothing', async () => {
    const execution = await working.begun(await working.project())
    await script('control-plane.sh', 'kill', 'kube-apiserver')
    await eventually(async () => !(await succeeds(() => podOf(execution))))
    await script('control-plane.sh', 'start', 'kube-apiserver')
    await eventually(() => succeeds(() => podOf(execution)))
    await working.goOn(execution)
    expect(await working.ended(execution)).toMatchObject({
      state: 'COMPLETED',
      attempt: 1,
      retryAttempt: 0,
      retries: [],
    })
  })

  test('the whole control plane is killed and comes back: the agent notices nothing', async () => {
    const execution = await working.begun(await working.project())
    for (const part of CONTROL_PLANE.toReversed()) await script('control-plane.sh', 'kill', part)
    await eventually(async () => !(await succeeds(() => podOf(execution))))
    for (const part of CONTROL_PLANE) await script('control-plane.sh', 'start', part)
    await eventually(() => succeeds(() => working.goOn(execution)))
    expect(await working.ended(execution)).toMatchObject({
      state: 'COMPLETED',
      attempt: 1,
      retryAttempt: 0,
      retries: [],
    })
  })

  test('the kubelet is killed and comes back: the agent notices nothing', async () => {
    const execution = await working.begun(await working.project())
    const node = (await nodeOf(execution)).replace('node', '')
    await script('node.sh', 'kill-kubelet', node)
    await script('node.sh', 'kubelet', node)
    await eventually(() => succeeds(() => working.goOn(execution)))
    expect(await working.ended(execution)).toMatchObject({
      state: 'COMPLETED',
      attempt: 1,
      retryAttempt: 0,
      retries: [],
    })
  })

  test('its pod is evicted: the retry continues from the pushed work, and says why', async () => {
    const execution = await working.begun(await working.project({ retry: { retryCount: 1 } }))
    const name = `beadloom-${execution}-work`
    const body = { metadata: { name, namespace: client.namespace } }
    await client.call('evict', ({ core }) =>
      core.createNamespacedPodEviction({ name, namespace: client.namespace, body }),
    )
    const end = await working.ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(end.retries).toEqual([
      expect.stringMatching(/its pod on node\d is being deleted \(EvictionByEvictionAPI: Eviction API: evicting\)/),
    ])
    expect(working.subjects(end.project).filter((subject) => subject.startsWith('A part'))).toHaveLength(1)
  })

  test('its node is short of memory: the pod is evicted, the retry continues elsewhere, and the shortage is reported', async () => {
    const execution = await working.begun(await working.project({ retry: { retryCount: 1 } }))
    const first = await nodeOf(execution)
    const settings = join(process.env['KUBERNETES_ROOT'] ?? '', first, 'kubelet.yaml')
    const before = readFileSync(settings, 'utf8')
    const again = async (text: string) => {
      writeFileSync(settings, text)
      await script('node.sh', 'kill-kubelet', first.replace('node', ''))
      await script('node.sh', 'kubelet', first.replace('node', ''))
    }
    mended = () => again(before)
    await again(`${before}${SHORT_OF_MEMORY}`)
    await eventually(async () => {
      const { engines } = await stage.victim.api<SystemView>('GET', '/api/system')
      const node = engines.find(({ name }) => name === 'cluster')?.nodes?.find(({ name }) => name === first)
      return node?.ok === false && node.why.startsWith('it is short of memory, and may evict pods')
    })
    const end = await working.ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(end.place?.node).not.toBe(first)
    expect(end.retries).toEqual([
      expect.stringMatching(
        /its pod on node\d has ended \((Evicted|TerminationByKubelet): The node was low on resource: memory/,
      ),
    ])
  })

  /** Ends an execution whose node is unreachable while its agent works on there. */
  async function cutOff(execution: string): Promise<void> {
    const first = await nodeOf(execution)
    const number = first.replace('node', '')
    const goThere = 'for f in /proc/[0-9]*/root/tmp; do touch $f/go 2>/dev/null; done; true'
    await script('node.sh', 'exec', number, 'sh', '-c', goThere)
    const end = await working.ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(end.place?.node).not.toBe(first)
    expect(end.retries).toEqual([expect.stringMatching(/The container is gone: its pod on node\d/)])
    await mended?.()
    mended = null
    await untilNodesAreOpen()
    await eventually(async () => (await podOf(execution)) === null)
    expect(working.subjects(end.project).filter((subject) => subject.startsWith('The rest'))).toHaveLength(1)
  }

  test('the cable of its node is pulled: the retry continues elsewhere, and nothing that it pushes later counts', async () => {
    const execution = await working.begun(await working.project({ retry: { retryCount: 1 } }))
    const number = (await nodeOf(execution)).replace('node', '')
    await script('net.sh', 'cut', number)
    mended = () => script('net.sh', 'mend', number)
    await cutOff(execution)
  })

  test('the kubelet of its node is dead while its containers live on: the retry continues elsewhere', async () => {
    const execution = await working.begun(await working.project({ retry: { retryCount: 1 } }))
    const number = (await nodeOf(execution)).replace('node', '')
    await script('node.sh', 'kill-kubelet', number)
    mended = () => script('node.sh', 'kubelet', number)
    await cutOff(execution)
  })
})

/** Settings with which the kubelet evicts pods: every machine is beyond this threshold. */
const SHORT_OF_MEMORY = `evictionSoft: {memory.available: "99%"}
evictionSoftGracePeriod: {memory.available: 1s}
evictionPressureTransitionPeriod: 1s
evictionMaxPodGracePeriod: 2
`
