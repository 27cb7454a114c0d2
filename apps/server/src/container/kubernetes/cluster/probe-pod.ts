import type { V1Container, V1Pod } from '@kubernetes/client-node'
import { WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import { probeRows, type ProbeReport } from '@beadloom/core/isolation/probe-rows.ts'
import { EngineError } from '../../../ports/engine.ts'
import { systemClock } from '../../../process/clock.ts'
import type { KubernetesSettings } from '../../../process/settings/kubernetes-settings.ts'
import { clampTo } from '../../container-config.ts'
import type { ContainerSpec } from '../../containers.ts'
import { DockerClient } from '../../docker-client.ts'
import { KubeClient } from '../kube-client.ts'
import { annotation } from '../kubernetes-options.ts'
import { runInPod } from '../pod-exec.ts'
import { keptPath } from '../pod-folders.ts'
import { untilKept } from '../pod-life.ts'
import { KEEPER, podOf, SANDBOX } from '../pod-manifest.ts'
import { denyNetwork } from '../pod-network.ts'
import { GATED } from '../pod-scripts.ts'
import { neverRuns, podState } from '../pod-state.ts'
import { removePod } from '../remove-pod.ts'
import { readCluster } from './cluster-facts.ts'
import { imageOn, whyNotRun } from './cluster-network.ts'
import { imageArchitecture } from './image-architecture.ts'
import { checkProvable } from './provable.ts'

type Asked = Pick<ContainerSpec, 'cpus' | 'memoryBytes' | 'processes'>

/** Its keeper reads the report here when the script has ended. */
const REPORT = `${WORKSPACE}/.probe`
const LOOK_MS = 500
/** To start on a node that has its image, and to prove that it has no network. */
const START_MS = 60_000
/** The script waits some seconds for each address at which nothing answers. */
const LONGEST_MS = 120_000

/**
 * Finds out what a sandbox of a cluster can reach, hold and do: the script runs in a pod like all others, in place of
 * the supervisor, so nothing answers at the link. Throws `EngineError`.
 *
 * @param script POSIX, that of `docker/sandbox-probe.sh`
 * @param env leads to the Docker that makes the images of the cluster
 */
export async function probePod(
  settings: KubernetesSettings,
  asked: Asked,
  { script, id, env }: { script: string; id: string; env: Readonly<Record<string, string | undefined>> },
): Promise<ProbeReport> {
  checkProvable(settings, 'a pod that looks at itself')
  const client = new KubeClient(settings, systemClock)
  const { name: architecture } = await imageArchitecture(new DockerClient({ env, clock: systemClock }))
  const cluster = await readCluster(client, architecture)
  const nodes = await client.call('list its nodes', ({ core }) => core.listNode())
  const found = imageOn(nodes.items, settings, architecture)
  if (typeof found === 'string') throw new EngineError('image-missing', found)
  if (settings.runtimeClass === undefined) await denyNetwork(client)
  const spec: ContainerSpec = {
    ...asked,
    name: `beadloom-probe-${id}`,
    image: found.image,
    network: 'none',
    labels: { execution: '', kind: '' },
    linkFolder: null,
    magic: '',
  }
  const granted = clampTo({ ...cluster, called: 'its largest node' }, spec)
  const options = { ...settings, instance: 'doctor', caBundle: null, reference: found.image, architecture }
  return probeIn(client, lookingAtItself(podOf(spec, granted, options), { script, node: found.node }))
}

async function probeIn(client: KubeClient, body: V1Pod): Promise<ProbeReport> {
  const { namespace } = client
  const made = await client.call('create a pod that looks at itself', ({ core }) =>
    core.createNamespacedPod({ namespace, body }),
  )
  const { name = '', uid } = made.metadata ?? {}
  try {
    await untilEnded(client, name)
    await untilKept(client, name)
    const { said } = await runInPod(client, { pod: name, container: KEEPER }, 'cat "$1"', [keptPath(REPORT) ?? ''])
    const report = probeRows(said)
    if (report.rows.length === 0) throw new EngineError('failed', 'the pod has not said what it can do')
    return report
  } finally {
    await removePod(client, { name, uid }, 'at once').catch(() => {}) // it ends by itself
  }
}

async function untilEnded(client: KubeClient, name: string): Promise<void> {
  const { clock } = client
  const begun = clock.monotonic()
  for (;;) {
    const pod = await client.pod(name)
    const never = pod && neverRuns(pod)
    if (never) throw never
    const { state } = podState(pod)
    if (state === 'exited') return
    if (state === 'gone') throw new EngineError('lost', 'a pod that looks at itself was taken away')
    const waited = clock.monotonic() - begun
    if (state === 'created' && waited >= START_MS)
      throw new EngineError('failed', `a pod that looks at itself did not start: ${await whyNotRun(client, pod)}`)
    if (waited >= START_MS + LONGEST_MS) throw new EngineError('failed', 'a pod that looks at itself does not end')
    await clock.sleep(LOOK_MS)
  }
}

/** Makes it begin at once, on this node, and end by itself if its maker is killed. */
export function lookingAtItself(pod: V1Pod, { script, node }: { script: string; node: string }): V1Pod {
  const { schedulingGates: _, ...spec } = pod.spec ?? { containers: [] }
  // In the command of a pod "$$" is one dollar.
  const program = `exec > ${REPORT} 2>/dev/null\n${script}`.replaceAll('$', '$$$$')
  const command = ['/bin/sh', '-c', GATED, SANDBOX, 'sh', '-c', program]
  const asked = (one: V1Container) => (one.name === SANDBOX ? { ...one, command } : one)
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata?.annotations, [annotation.starts]: '1' } },
    spec: {
      ...spec,
      nodeSelector: { ...spec.nodeSelector, 'kubernetes.io/hostname': node },
      activeDeadlineSeconds: (START_MS + LONGEST_MS) / 1000,
      initContainers: spec.initContainers?.map(asked) ?? [],
    },
  }
}
