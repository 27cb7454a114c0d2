import type { CoreV1Event, V1Pod } from '@kubernetes/client-node'
import type { KubeClient } from './kube-client.ts'
import { idOf, uidOf } from './pod-id.ts'
import { saysWhy, whyGone, wordsOf } from './pod-words.ts'

/** Of kubelet and scheduler, where they take a pod away; what else happens to one need not be its end. */
const taking: ReadonlySet<string> = new Set(['Evicted', 'Preempted'])
const MOST_EVENTS = 100

/**
 * Why the cluster has given a pod up, as a part of a sentence. A node may end a pod's containers before it has written its
 * reason into the status, which then never has it; its event does. Never rejects: who may not list events is told less.
 *
 * @param container as the rest of the server calls it; its pod may not be there any more
 */
export async function whyLost(client: KubeClient, container: string, pod: V1Pod | null): Promise<string> {
  const own = pod !== null && idOf(pod) === container ? pod : null
  if (own !== null && saysWhy(own) !== '') return whyGone(own)
  const { namespace } = client
  const fieldSelector = `involvedObject.uid=${uidOf(container)}`
  const found = await client
    .call('list the events of a pod', ({ core }) =>
      core.listNamespacedEvent({ namespace, fieldSelector, limit: MOST_EVENTS }),
    )
    .catch(() => null)
  return whyGone(own, whyByEvents(found?.items ?? []))
}

/** Empty: none of them says it. */
export function whyByEvents(events: readonly CoreV1Event[]): string {
  const said = events.filter(({ reason }) => reason !== undefined && taking.has(reason))
  const last = said.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1)
  return last === undefined ? '' : wordsOf(last.reason, last.message)
}

const timeOf = ({ lastTimestamp, eventTime }: CoreV1Event): number =>
  new Date(lastTimestamp ?? eventTime ?? 0).getTime()
