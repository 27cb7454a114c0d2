import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { checkCluster } from '@beadloom/server/src/container/kubernetes/cluster/check-engine.ts'
import { clusterHealth } from '@beadloom/server/src/container/kubernetes/cluster/cluster-health.ts'
import { missingRights, rightsFor } from '@beadloom/server/src/container/kubernetes/cluster/cluster-rights.ts'
import { KubeClient } from '@beadloom/server/src/container/kubernetes/kube-client.ts'
import { runInPod } from '@beadloom/server/src/container/kubernetes/pod-exec.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { call } from '../contract/engine-under-test.ts'
import { openKubernetes } from '../contract/kubernetes-under-test.ts'
import { byPolicy, killOnNode, missingCluster, withoutNetwork } from './cluster.ts'
import { client, missingParts } from './cluster-stage.ts'
import { ARCHITECTURE, eventually, untilNodesAreOpen } from './working.ts'

/* A faulty cluster: Beadloom names each fault, and nothing runs. */

const { KUBERNETES_ROOT: root = '', DOCKER_CONFIG: signedIn } = process.env
const nobody = { ...withoutNetwork, kubeconfig: join(root, 'pki', 'nobody.conf') }
const byPolicyInQueue = { runtimeClass: undefined, queue: 'beads' }
const { namespace } = client
const HOUR_MS = 3_600_000

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('a misconfigured cluster', { timeout: 300_000 }, () => {
  const left: (() => Promise<unknown>)[] = []
  const undo = async () => {
    for (const one of left.splice(0)) await one().catch(() => {})
  }
  afterAll(undo)

  test('names to an account without rights each verb that it needs, and to one that lacks a single right that one', async () => {
    const needed = rightsFor(nobody).flatMap(({ resource, verbs }) => verbs.map((verb) => `${verb} ${resource}`))
    const none = await checkCluster('cluster', nobody, {})
    expect(none.ok).toBe(false)
    for (const words of needed) expect(none.text).toContain(words)
    const all = await missingRights(new KubeClient(nobody, systemClock), { ...nobody, ...byPolicyInQueue })
    expect(all.needed).toEqual([...needed, 'create networkpolicies.networking.k8s.io'])
    expect(all.useful).toEqual(['list events', 'list nodes', 'get namespaces', 'list workloads.kueue.x-k8s.io'])
    await grant(['create', 'get', 'list', 'patch'])
    const health = await clusterHealth(new KubeClient(nobody, systemClock), nobody, ARCHITECTURE)
    expect(health.ok).toBe(false)
    expect(health.text).toContain('may not delete pods (docs/kubernetes.md')
    expect(health.weaker.join('\n')).toContain('may not list events, list nodes, get namespaces')
    await undo()
  })

  test('gives an account that may only get pods/exec no sandbox; with create beside it, it does', async () => {
    const engine = await openKubernetes(withoutNetwork, killOnNode)
    const sandbox = await engine.open()
    await sandbox.warm()
    const pod = sandbox.id.split('/')[1] ?? ''
    const reach = () => runInPod(new KubeClient(nobody, systemClock), { pod, container: 'sandbox' }, 'true')
    await grant(['get'], ['get'])
    await expect(reach()).rejects.toMatchObject({ message: expect.stringMatching(/403|forbidden/) })
    await grant(['get'], ['create', 'get'])
    expect(await reach()).toMatchObject({ code: 0 })
    await sandbox.close()
    await engine.close()
  })

  test('with clocks an hour apart is called weaker than recommended, and by how much', async () => {
    for (const [by, words] of [
      [-HOUR_MS, '3600 s ahead of'],
      [HOUR_MS, '3600 s behind'],
    ] as const) {
      const clock = { ...systemClock, now: () => systemClock.now() + by, monotonic: () => systemClock.monotonic() }
      const health = await clusterHealth(new KubeClient(withoutNetwork, clock), withoutNetwork, ARCHITECTURE)
      expect(health.ok).toBe(true)
      expect(health.weaker.join('\n')).toContain(`the clock of the cluster is ${words} this server's`)
    }
  })

  test('with a namespace that is missing or being deleted is reported with what to do', async () => {
    const going = `going-${randomBytes(4).toString('hex')}`
    await client.call('make a namespace', ({ core }) => core.createNamespace({ body: { metadata: { name: going } } }))
    const kept = { metadata: { name: 'kept', finalizers: ['example.org/kept'] } }
    await client.call('keep it', ({ core }) => core.createNamespacedConfigMap({ namespace: going, body: kept }))
    left.push(() =>
      client.call('let it go', ({ core, library }) =>
        core.patchNamespacedConfigMap(
          { name: 'kept', namespace: going, body: { metadata: { finalizers: null } } },
          library.setHeaderOptions('Content-Type', library.PatchStrategy.MergePatch),
        ),
      ),
    )
    await client.call('delete it', ({ core }) => core.deleteNamespace({ name: going }))
    const found = await checkCluster('cluster', { ...withoutNetwork, namespace: going }, {})
    expect(found).toMatchObject({ ok: false, text: expect.stringContaining(`the namespace ${going} is being deleted`) })
    const absent = await checkCluster('cluster', { ...withoutNetwork, namespace: 'never-made' }, {})
    expect(absent.text).toContain('kubectl create namespace never-made')
  })

  test('with a registry that refuses the push says as whom to sign in', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bl-nobody-'))
    process.env['DOCKER_CONFIG'] = folder
    try {
      const engine = await openKubernetes(withoutNetwork, killOnNode)
      await expect(engine.open()).rejects.toMatchObject({
        kind: 'image-build-failed',
        message: expect.stringMatching(/could not be pushed: .*: run "docker login 127\.0\.0\.1:\d+"/s),
      })
      await engine.close()
    } finally {
      process.env['DOCKER_CONFIG'] = signedIn
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('with a registry that refuses the nodes is reported in its words, and nothing waits for the sandbox', async () => {
    const registry = `${withoutNetwork.images.registry}-${randomBytes(4).toString('hex')}`
    const engine = await openKubernetes({ ...withoutNetwork, images: { registry } }, killOnNode)
    const sandbox = await engine.open()
    const refused = await eventuallyRefused(() => sandbox.warm())
    expect(refused).toMatchObject({
      kind: 'image-missing',
      message: expect.stringMatching(/ImagePullBackOff|ErrImagePull/),
    })
    await sandbox.close()
    await engine.close()
  })

  test('with a network plugin that does not enforce policies runs nothing, and doctor says so', async () => {
    const engine = await openKubernetes(byPolicy, killOnNode)
    const sandbox = await engine.open()
    const refused = await eventuallyRefused(() => sandbox.warm())
    expect(refused).toMatchObject({
      kind: 'weaker-than-asked',
      message: expect.stringContaining('does not enforce policies'),
    })
    await sandbox.close()
    await engine.close()
    const found = await checkCluster('cluster', byPolicy, {})
    expect(found).toMatchObject({
      ok: false,
      text: expect.stringMatching(/reached .*: its network plugin does not enforce/),
    })
    const closed = await checkCluster('cluster', withoutNetwork, {})
    expect(closed).toMatchObject({ ok: true, text: expect.stringContaining('a pod was started, and reached nothing') })
  })

  test('with nodes that cannot give pods users of their own begins with none: it waits with their words, and fails by them', async () => {
    const settings = { ...withoutNetwork, userNamespaces: true }
    const refused = /node\d cannot begin with its pod \(FailedCreatePodSandBox: .*does not support user namespaces/
    const engine = await openKubernetes(settings, killOnNode)
    const sandbox = await engine.open()
    const waits: (string | null)[] = []
    const running = sandbox.run({ ...call('console.log(1)'), onWait: (why) => void waits.push(why) })
    await expect(running).rejects.toMatchObject({ kind: 'failed', message: expect.stringMatching(refused) })
    expect(waits.slice(-2)).toEqual([expect.stringMatching(refused), null])
    await sandbox.close()
    await engine.close()
    expect(await checkCluster('cluster', settings, {})).toMatchObject({
      ok: false,
      text: expect.stringMatching(refused),
    })
  })

  test('whose network probe cannot run proves nothing: doctor says so, and why', async () => {
    const quota = { metadata: { name: 'no-pods' }, spec: { hard: { pods: '0' } } }
    await client.call('make a quota', ({ core }) => core.createNamespacedResourceQuota({ namespace, body: quota }))
    left.push(() =>
      client.call('remove it', ({ core }) => core.deleteNamespacedResourceQuota({ namespace, name: 'no-pods' })),
    )
    await refusedByDoctor(/exceeded quota: no-pods/)
    await undo()
    const { items } = await client.call('list nodes', ({ core }) => core.listNode())
    const cordon = (unschedulable: boolean) => async () => {
      for (const { metadata } of items)
        await client.call('cordon a node', ({ core, library }) =>
          core.patchNode(
            { name: metadata?.name ?? '', body: { spec: { unschedulable } } },
            library.setHeaderOptions('Content-Type', library.PatchStrategy.MergePatch),
          ),
        )
    }
    left.push(cordon(false))
    await cordon(true)()
    await refusedByDoctor(/node\d takes no sandboxes: it takes no new pods \(cordoned\)/)
    await undo()
    await untilNodesAreOpen()
  })

  async function refusedByDoctor(why: RegExp): Promise<void> {
    let found: Check | null = null
    // A new quota counts once its controller has seen it.
    await eventually(async () => !(found = await checkCluster('cluster', withoutNetwork, {})).ok)
    expect(found).toMatchObject({
      ok: false,
      text: expect.stringMatching(new RegExp(`that its pods have no network is not proved: .*${why.source}`)),
    })
  }

  /** Grants these verbs on pods and on exec to the account without rights. */
  async function grant(verbs: string[], onExec = ['create', 'get']): Promise<void> {
    const { RbacAuthorizationV1Api } = (await client.opened()).library
    const rbac = (await client.opened()).config.makeApiClient(RbacAuthorizationV1Api)
    const metadata = { name: `some-${randomBytes(4).toString('hex')}` }
    const { name } = metadata
    await rbac.createNamespacedRole({
      namespace,
      body: {
        metadata,
        rules: [
          { apiGroups: [''], resources: ['pods'], verbs },
          { apiGroups: [''], resources: ['pods/exec'], verbs: onExec },
        ],
      },
    })
    left.push(() => rbac.deleteNamespacedRole({ namespace, name }))
    await rbac.createNamespacedRoleBinding({
      namespace,
      body: {
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'nobody' }],
      },
    })
    left.push(() => rbac.deleteNamespacedRoleBinding({ namespace, name }))
  }
})

/** Tries a start until the cluster refuses it for good; resolves to that refusal. */
async function eventuallyRefused(start: () => Promise<void>): Promise<unknown> {
  let refused: unknown = null
  await eventually(async () => {
    await start().catch((error: unknown) => (refused = error))
    return refused !== null
  })
  return refused
}
