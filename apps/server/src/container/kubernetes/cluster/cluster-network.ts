import type { V1Node, V1Pod } from '@kubernetes/client-node'
import type { KubernetesSettings } from '../../../process/settings/kubernetes-settings.ts'
import type { KubeClient } from '../kube-client.ts'
import { label } from '../kubernetes-options.ts'
import { nodeOf } from './node-state.ts'
import { confined, confinement } from '../pod-manifest.ts'
import { denyNetwork } from '../pod-network.ts'
import { OPEN_NETWORK, REACH } from '../pod-scripts.ts'
import { whyUnbegun } from '../pod-events.ts'
import { neverRuns } from '../pod-state.ts'
import { whyWaiting } from '../pod-words.ts'

const LOOK_MS = 500
/** To start on a node that has its image, and eight seconds of trying. */
const GIVE_UP_MS = 45_000
const OURS = '/beadloom-sandbox:'

/** `open` null: it could not be tried, and `text` says why. */
export type NetworkProof = { open: boolean | null; text: string }

const untried = (text: string): NetworkProof => ({ open: null, text })

/**
 * Starts a pod with a sandbox's settings that only tries to reach what sandboxes must not. Never rejects.
 *
 * @param architecture the one that images are made for
 */
export async function proveNetwork(
  client: KubeClient,
  settings: KubernetesSettings,
  architecture: string,
): Promise<NetworkProof> {
  try {
    const nodes = await client.call('list its nodes', ({ core }) => core.listNode())
    const found = imageOn(nodes.items, settings, architecture)
    if (typeof found === 'string') return untried(found)
    if (settings.runtimeClass === undefined) await denyNetwork(client)
    return await tryNetwork(client, proberOf(found, settings))
  } catch (error) {
    return untried((error as Error).message)
  }
}

async function tryNetwork(client: KubeClient, body: V1Pod): Promise<NetworkProof> {
  const { namespace, clock } = client
  const made = await client.call('create a pod that tries the network', ({ core }) =>
    core.createNamespacedPod({ namespace, body }),
  )
  const name = made.metadata?.name ?? ''
  try {
    const until = clock.monotonic() + GIVE_UP_MS
    for (let pod: V1Pod | null = made; ; pod = await client.pod(name)) {
      const proof = whatItSays(pod)
      if (proof !== null) return proof
      if (clock.monotonic() >= until) return untried(`${DID_NOT_RUN}: ${await whyNotRun(client, pod)}`)
      await clock.sleep(LOOK_MS)
    }
  } finally {
    const removed = client.call(`remove the pod ${name}`, ({ core }) =>
      core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 }),
    )
    await removed.catch(() => {}) // it ends by itself
  }
}

/** In the cluster's own words, if it has any. */
export async function whyNotRun(client: KubeClient, pod: V1Pod | null): Promise<string> {
  const hindered = pod && (await whyUnbegun(client, pod))
  return hindered?.why ?? ((pod && whyWaiting(pod)) || 'its node did not start it')
}

const DID_NOT_RUN = 'a pod that tries the network did not run'

/** Null: nothing yet. */
export function whatItSays(pod: V1Pod | null): NetworkProof | null {
  if (pod === null) return untried(`${DID_NOT_RUN}: it is gone`)
  const ended = pod.status?.containerStatuses?.[0]?.state?.terminated
  if (ended) return proofOf(ended.exitCode, ended.message?.trim() ?? '')
  const never = neverRuns(pod)
  return never === null ? null : untried(`${DID_NOT_RUN}: ${never.message}`)
}

function proofOf(code: number, said: string): NetworkProof {
  if (code === 0) return { open: false, text: 'a pod was started, and reached nothing' }
  if (code === OPEN_NETWORK) return { open: true, text: `a pod ${said || 'reached the network'}` }
  return { open: null, text: `a pod that tries the network ended with ${code}: ${said}` }
}

type Place = { image: string; node: string }

/** An image of ours on a node that takes sandboxes, or why there is none. Nodes name their fifty largest images. */
export function imageOn(
  nodes: readonly V1Node[],
  { images }: Pick<KubernetesSettings, 'images'>,
  architecture: string,
): Place | string {
  // Pods with the Secret of this registry may be refused an image of another one.
  const ours = `${images.registry ?? ''}${OURS}`
  const places = nodes.flatMap((one) => {
    const names = one.status?.images?.flatMap(({ names: its }) => its ?? []) ?? []
    const image = names.find((name) => name.includes(ours) && !name.includes('@'))
    return image === undefined ? [] : [{ image, ...nodeOf(one, architecture) }]
  })
  const open = places.find(({ ok }) => ok)
  if (open !== undefined) return { image: open.image, node: open.name }
  const [closed] = places
  return closed === undefined
    ? 'no node has an image of Beadloom yet (its first bead there brings one)'
    : `the node ${closed.name} takes no sandboxes: ${closed.why}`
}

const proberOf = ({ image, node }: Place, settings: KubernetesSettings): V1Pod => ({
  metadata: { generateName: 'beadloom-doctor-', labels: { [label.instance]: 'doctor' } },
  spec: {
    ...confinement(settings),
    nodeSelector: { 'kubernetes.io/hostname': node },
    activeDeadlineSeconds: 60,
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        ...confined,
        name: 'probe',
        image,
        imagePullPolicy: 'IfNotPresent',
        command: ['/bin/sh', '-c', REACH, 'probe', settings.probe ?? ''],
        resources: {
          limits: { cpu: '500m', memory: '128Mi', 'ephemeral-storage': '64Mi' },
          requests: { cpu: '10m', memory: '64Mi', 'ephemeral-storage': '0' },
        },
      },
    ],
  },
})
