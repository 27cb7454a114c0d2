import type { V1Pod } from '@kubernetes/client-node'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import type { KubeClient } from './kube-client.ts'
import { label } from './kubernetes-options.ts'
import { denyNetwork } from './pod-network.ts'
import { OPEN_NETWORK, REACH } from './pod-scripts.ts'
import { whyWaiting } from './pod-words.ts'

const LOOK_MS = 500
/** To start on a node that has its image, and eight seconds of trying. */
const GIVE_UP_MS = 45_000
const OURS = '/beadloom-sandbox:'

/** `open` null: it could not be tried, and `text` says why. */
export type NetworkProof = { open: boolean | null; text: string }

/** Starts a pod as sandboxes are, that does nothing but try to reach what they must not. */
export async function proveNetwork(client: KubeClient, settings: KubernetesSettings): Promise<NetworkProof> {
  const image = await imageOnNode(client)
  if (image === null)
    return { open: null, text: 'whether its pods have a network was not tried: no node has an image of Beadloom yet' }
  if (settings.runtimeClass === undefined) await denyNetwork(client)
  const { namespace, clock } = client
  const made = await client.call('create a pod that tries the network', ({ core }) =>
    core.createNamespacedPod({ namespace, body: proberOf(image, settings) }),
  )
  const name = made.metadata?.name ?? ''
  try {
    const until = clock.monotonic() + GIVE_UP_MS
    for (let pod: V1Pod | null = made; ; pod = await client.pod(name)) {
      const ended = pod?.status?.containerStatuses?.[0]?.state?.terminated
      if (ended) return proofOf(ended.exitCode, ended.message?.trim() ?? '')
      if (pod === null || clock.monotonic() >= until)
        return {
          open: null,
          text: `a pod that tries the network did not run: ${(pod && whyWaiting(pod)) || 'it is gone'}`,
        }
      await clock.sleep(LOOK_MS)
    }
  } finally {
    const removed = client.call(`remove the pod ${name}`, ({ core }) =>
      core.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 }),
    )
    await removed.catch(() => {}) // it ends by itself
  }
}

function proofOf(code: number, said: string): NetworkProof {
  if (code === 0) return { open: false, text: 'a pod was started, and reached nothing' }
  if (code === OPEN_NETWORK) return { open: true, text: `a pod ${said || 'reached the network'}` }
  return { open: null, text: `a pod that tries the network ended with ${code}: ${said}` }
}

/** Nodes name the fifty largest that they have. */
async function imageOnNode(client: KubeClient): Promise<{ image: string; node: string } | null> {
  const nodes = await client.call('list its nodes', ({ core }) => core.listNode()).catch(() => null)
  for (const { metadata, status } of nodes?.items ?? []) {
    const names = status?.images?.flatMap((one) => one.names ?? []) ?? []
    const image = names.find((name) => name.includes(OURS) && !name.includes('@'))
    if (image !== undefined) return { image, node: metadata?.name ?? '' }
  }
  return null
}

const proberOf = (
  { image, node }: { image: string; node: string },
  { runtimeClass, probe = '' }: KubernetesSettings,
): V1Pod => ({
  metadata: { generateName: 'beadloom-doctor-', labels: { [label.instance]: 'doctor' } },
  spec: {
    ...(runtimeClass !== undefined && { runtimeClassName: runtimeClass }),
    nodeSelector: { 'kubernetes.io/hostname': node },
    restartPolicy: 'Never',
    activeDeadlineSeconds: 60,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 0,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'probe',
        image,
        imagePullPolicy: 'IfNotPresent',
        command: ['/bin/sh', '-c', REACH, 'probe', probe],
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '10m', memory: '64Mi' } },
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ],
  },
})
