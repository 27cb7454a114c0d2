import type { V1ContainerStateWaiting, V1Pod, V1PodCondition } from '@kubernetes/client-node'
import { oneLine } from '@beadloom/core/text/one-line.ts'

/*
 * A cluster's words about pods, for people: bounded, and on one line. It repeats words of others, registries and
 * containers among them.
 */

const MOST_CHARACTERS = 500

/** Parts of the cluster's words, as a part of a sentence; empty: it says nothing. */
export function wordsOf(...parts: readonly (string | undefined)[]): string {
  const said = oneLine(parts.filter(Boolean).join(': '))
  const short = said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS).toWellFormed()}…` : said
  return short.replace(/[.\s]+$/, '')
}

export const waitingIn = ({ status }: V1Pod): V1ContainerStateWaiting[] =>
  [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].flatMap(({ state }) =>
    state?.waiting ? [state.waiting] : [],
  )

const targetOf = ({ status }: V1Pod): V1PodCondition | undefined =>
  status?.conditions?.find((one) => one.type === 'DisruptionTarget' && one.status === 'True')

/**
 * Whether its node ends a pod as a whole: it is short of something, or shuts down. It may write its reason into the
 * status (Evicted, Terminated), or leave only a condition.
 */
export const endedByNode = (pod: V1Pod): boolean =>
  pod.status?.reason === 'Evicted' || targetOf(pod)?.reason === 'TerminationByKubelet'

/**
 * Why the cluster takes a pod away, from its status; empty: that does not say. A node gives its own reason (Evicted,
 * Terminated as it shuts down), or a condition. A deletion for a better pod, a drain or a taint leaves a condition.
 */
export function saysWhy(pod: V1Pod): string {
  const { status } = pod
  const target = targetOf(pod)
  return wordsOf(status?.reason, status?.message) || wordsOf(target?.reason, target?.message)
}

/**
 * Tells, as a part of a sentence, how a pod ended that the cluster has given up.
 *
 * @param otherwise the reason, if its status does not give one
 */
export function whyGone(pod: V1Pod | null, otherwise = ''): string {
  const said = (pod !== null && saysWhy(pod)) || otherwise
  const words = said && ` (${said})`
  if (pod === null) return `its pod was deleted${words}`
  const where = pod.spec?.nodeName === undefined ? 'its pod' : `its pod on ${pod.spec.nodeName}`
  return `${where} ${pod.metadata?.deletionTimestamp === undefined ? 'has ended' : 'is being deleted'}${words}`
}

/** Why a pod whose lease is lost is given up, as a part of a sentence. */
export const whyUnreached = (pod: V1Pod | null): string =>
  `its pod on ${pod?.spec?.nodeName ?? 'a node'} was not reached for two minutes`

/** The cluster's words about a pod that does not run; empty: none. */
export function whyWaiting(pod: V1Pod): string {
  const { reason, message, conditions = [] } = pod.status ?? {}
  const scheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  const waiting = waitingIn(pod).map((one) => wordsOf(one.reason, one.message))
  return wordsOf(reason, message, scheduled?.message, ...waiting)
}
