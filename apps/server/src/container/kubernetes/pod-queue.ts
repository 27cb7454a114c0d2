import type { V1Pod } from '@kubernetes/client-node'
import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'
import { whyUnplaced } from './pod-state.ts'
import { wordsOf } from './pod-words.ts'

const GROUP = 'kueue.x-k8s.io'
/** Newest first: a release of Kueue also serves the version before its own. */
const VERSIONS = ['v1beta2', 'v1beta1'] as const
type Version = (typeof VERSIONS)[number]
/** The version that each cluster has answered; the other one is asked for only if that is gone. */
const served = new WeakMap<KubeClient, Version>()

type Condition = { type?: string; status?: string; message?: string; reason?: string }
type Workload = { status?: { conditions?: Condition[] } }

/** Like `whyUnplaced`, in Kueue's own words if its gate holds the pod. Never rejects. */
export async function whyPodWaits(client: KubeClient, pod: V1Pod | null): Promise<string | null> {
  const why = whyUnplaced(pod)
  const isHeld = pod?.spec?.schedulingGates?.some(({ name }) => name.startsWith(`${GROUP}/`)) ?? false
  if (why === null || pod === null || !isHeld) return why
  const said = await workloadsOf(client, pod).then(whyQueued, () => '')
  return said === '' ? why : `Kueue: ${said}`
}

/** The workloads that Kueue makes for pods with its label, and in which it writes why they wait. */
async function workloadsOf(client: KubeClient, pod: V1Pod): Promise<Workload[]> {
  const known = served.get(client)
  const versions = known === undefined ? VERSIONS : [known, ...VERSIONS.filter((version) => version !== known)]
  for (const version of versions) {
    try {
      const found = await listed(client, pod, version)
      served.set(client, version)
      return found
    } catch (error) {
      if (statusOf(error) !== 404) throw error
    }
  }
  return []
}

const listed = async (client: KubeClient, pod: V1Pod, version: Version): Promise<Workload[]> => {
  const labelSelector = `${GROUP}/job-uid=${pod.metadata?.uid ?? ''}`
  const found: { items?: Workload[] } = await client.call('list the workloads of its queue', ({ custom }) =>
    custom.listNamespacedCustomObject({
      group: GROUP,
      version,
      namespace: client.namespace,
      plural: 'workloads',
      labelSelector,
    }),
  )
  return found.items ?? []
}

/** Empty: it says nothing. A queue that is stopped or missing is a reason of its own. */
export function whyQueued(workloads: readonly Workload[]): string {
  const conditions = workloads.flatMap(({ status }) => status?.conditions ?? [])
  const held = conditions.find(({ type, status }) => type === 'QuotaReserved' && status === 'False')
  const checks = conditions.find(({ type, status }) => type === 'Admitted' && status === 'False')
  const said = held ?? checks
  return wordsOf(said?.message ?? said?.reason)
}
