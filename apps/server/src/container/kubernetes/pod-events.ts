import type { CoreV1Event, V1Pod } from '@kubernetes/client-node'
import type { KubeClient } from './kube-client.ts'
import { idOf, uidOf } from './pod-id.ts'
import { isUnbegun } from './pod-state.ts'
import { saysWhy, whyGone, wordsOf } from './pod-words.ts'

/** Kubelet and scheduler say these when they take a pod away; no other event has to be its end. */
const taking: ReadonlySet<string> = new Set(['Evicted', 'Preempted'])
/** A kubelet says these when its runtime, network or a volume keeps it from beginning with a pod. It tries again. */
const hindering: ReadonlySet<string> = new Set([
  'FailedCreatePodSandBox',
  'FailedMount',
  'FailedAttachVolume',
  'NetworkNotReady',
])
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
  return whyGone(own, whyByEvents(await eventsOf(client, uidOf(container))))
}

/** `ms`: for how long its node has tried. */
type Hindrance = { why: string; ms: number }

/**
 * Why a node does not begin with a pod that was placed there; null: it has begun, or does not say. The status has no word of
 * it. Never rejects.
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

/** Lists none where the account may not list them. */
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

/** Empty: none of them says it. */
export function whyByEvents(events: readonly CoreV1Event[]): string {
  const said = events.filter(({ reason }) => reason !== undefined && taking.has(reason))
  const last = said.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1)
  return last === undefined ? '' : wordsOf(last.reason, last.message)
}

const timeOf = ({ lastTimestamp, eventTime }: Pick<CoreV1Event, 'lastTimestamp' | 'eventTime'>): number =>
  new Date(lastTimestamp ?? eventTime ?? 0).getTime()
