import type { CoreV1Event, V1Pod } from '@kubernetes/client-node'
import type { KubeClient } from './kube-client.ts'
import { idOf, uidOf } from './pod-id.ts'
import { isUnbegun } from './pod-state.ts'
import { saysWhy, whyGone, wordsOf } from './pod-words.ts'

/** Events of kubelet and scheduler that take a pod away; any other event need not be its end. */
const taking: ReadonlySet<string> = new Set(['Evicted', 'Preempted'])
/** Events of a kubelet whose runtime, network or volume keeps it from beginning with a pod. It tries again. */
const hindering: ReadonlySet<string> = new Set([
  'FailedCreatePodSandBox',
  'FailedMount',
  'FailedAttachVolume',
  'NetworkNotReady',
])
const MOST_EVENTS = 100

/**
 * Why the cluster has given a pod up, as a part of a sentence. A node may end a pod's containers before it has written
 * its reason into the status, which then never has it; its event does. Never rejects: without the right to list events,
 * it tells less.
 *
 * @param container the rest of the server's name for it; its pod may not exist any more
 */
export async function whyLost(client: KubeClient, container: string, pod: V1Pod | null): Promise<string> {
  const own = pod !== null && idOf(pod) === container ? pod : null
  if (own !== null && saysWhy(own) !== '') return whyGone(own)
  return whyGone(own, whyByEvents(await eventsOf(client, uidOf(container))))
}

/** `ms`: for how long its node has tried. */
type Hindrance = { why: string; ms: number }

/**
 * Why a node does not begin with a pod that was placed there; null: it has begun, or does not say. The status does not
 * contain it. Never rejects.
 */
export async function whyUnbegun(client: KubeClient, pod: V1Pod): Promise<Hindrance | null> {
  return isUnbegun(pod) ? hindranceIn(await eventsOf(client, pod.metadata?.uid ?? ''), pod) : null
}

export function hindranceIn(events: readonly CoreV1Event[], { spec }: V1Pod): Hindrance | null {
  const said = events.filter(({ reason }) => reason !== undefined && hindering.has(reason))
  const last = said.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1)
  if (last === undefined) return null
  const begun = Math.min(
    ...said.map(({ firstTimestamp, eventTime }) => timeOf({ lastTimestamp: firstTimestamp, eventTime })),
  )
  const why = `${spec?.nodeName ?? 'its node'} cannot begin with its pod (${wordsOf(last.reason, last.message)})`
  return { why, ms: timeOf(last) - begun }
}

/** Returns none if the account may not list them. */
async function eventsOf(client: KubeClient, uid: string): Promise<readonly CoreV1Event[]> {
  const { namespace } = client
  const fieldSelector = `involvedObject.uid=${uid}`
  const listed = client.call('list the events of a pod', ({ core }) =>
    core.listNamespacedEvent({ namespace, fieldSelector, limit: MOST_EVENTS }),
  )
  return listed.then(
    ({ items }) => items,
    () => [],
  )
}

/** Empty: none of them tells why. */
export function whyByEvents(events: readonly CoreV1Event[]): string {
  const said = events.filter(({ reason }) => reason !== undefined && taking.has(reason))
  const last = said.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1)
  return last === undefined ? '' : wordsOf(last.reason, last.message)
}

const timeOf = ({ lastTimestamp, eventTime }: Pick<CoreV1Event, 'lastTimestamp' | 'eventTime'>): number =>
  new Date(lastTimestamp ?? eventTime ?? 0).getTime()
