import type { V1ContainerState, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { EngineError } from '../../ports/engine.ts'
import type { Exit } from '../../ports/sandbox.ts'
import type { ContainerState } from '../containers.ts'
import { lostExit } from '../container-state.ts'
import { annotation } from './kubernetes-options.ts'
import { GATE, SANDBOX } from './pod-manifest.ts'
import { NODES_USERS, OPEN_NETWORK } from './pod-scripts.ts'
import { endedByNode, waitingIn, whyGone, wordsOf } from './pod-words.ts'

export const isGated = (pod: V1Pod): boolean => pod.spec?.schedulingGates?.some(({ name }) => name === GATE) ?? false

export const startsOf = (pod: V1Pod): number => Number(pod.metadata?.annotations?.[annotation.starts] ?? 0)

export const sandboxStatus = (pod: V1Pod): V1ContainerStatus | null =>
  pod.status?.initContainerStatuses?.find(({ name }) => name === SANDBOX) ?? null

/** The number of ended starts of its sandbox. The node starts it again by itself, and then it waits to be wanted. */
export function endedRuns(pod: V1Pod): number {
  const status = sandboxStatus(pod)
  if (status === null) return 0
  const { restartCount, state } = status
  const isOver = state?.terminated !== undefined || state?.waiting?.reason === 'CrashLoopBackOff'
  return restartCount + (isOver ? 1 : 0)
}

/** Whether it was evicted, its node went down, or it could not be prepared: no keeper gives its files any more. */
const endedAsAWhole = (pod: V1Pod): boolean => pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded'

/** Judges by the container's exit code, its reason and the pod's: none of them alone tells how a sandbox ended. */
export function podState(pod: V1Pod | null): ContainerState {
  // A pod that is being deleted is never started again, and stays for ever on a node that is cut off. An evicted one
  // stays, too, with nothing but its name.
  if (pod === null || pod.metadata?.deletionTimestamp !== undefined || endedAsAWhole(pod)) return { state: 'gone' }
  const starts = startsOf(pod)
  const status = sandboxStatus(pod)
  if (starts === 0) return { state: 'created', startedAt: 0 }
  // Then its sandbox, too, was ended by the node, whatever its exit code is.
  if (endedRuns(pod) >= starts && endedByNode(pod)) return { state: 'gone' }
  if (endedRuns(pod) >= starts) return { state: 'exited', exit: exitOf(status?.state, status?.lastState) }
  const running = status?.state?.running
  return running ? { state: 'running', startedAt: timeOf(running.startedAt) } : { state: 'created', startedAt: 0 }
}

function exitOf(state: V1ContainerState | undefined, last: V1ContainerState | undefined): Exit {
  const ended = state?.terminated ?? last?.terminated
  if (!ended || ended.reason === 'ContainerStatusUnknown') return lostExit
  const { exitCode, reason, startedAt, finishedAt } = ended
  const oomKilled = reason === 'OOMKilled'
  // With the first version of cgroups only a child is killed, and the code is that of a surviving process.
  const code = oomKilled && exitCode === 0 ? 137 : exitCode
  return { code, oomKilled, lost: false, startedAt: timeOf(startedAt), finishedAt: timeOf(finishedAt) }
}

const timeOf = (date: Date | undefined): number => (date === undefined ? 0 : new Date(date).getTime())

/** Why a pod will never run its sandbox; null: it may. */
export function neverRuns(pod: V1Pod): EngineError | null {
  const prepared = pod.status?.initContainerStatuses?.find(({ name }) => name === 'prepare')?.state?.terminated
  const name = pod.metadata?.name ?? ''
  if (prepared?.exitCode === OPEN_NETWORK)
    return new EngineError(
      'weaker-than-asked',
      `${name} was not started: the cluster does not keep it from the network (it ${wordsOf(prepared.message) || 'reached the API server'}). Its network plugin does not enforce policies: use one that does, or name a runtimeClass without a network`,
    )
  if (prepared?.exitCode === NODES_USERS)
    return new EngineError(
      'weaker-than-asked',
      `${name} was not started: its users are those of its node, and "userNamespaces" asks for others. The cluster, its nodes' kernel and their runtime have to have user namespaces`,
    )
  if (prepared && prepared.exitCode !== 0)
    return new EngineError(
      'failed',
      `${name} could not be prepared: ${wordsOf(prepared.message) || `exit code ${prepared.exitCode}`}`,
    )
  if (endedAsAWhole(pod)) return new EngineError('lost', whyGone(pod))
  const waiting = waitingIn(pod).find(({ reason }) => reason !== undefined && hopeless.has(reason))
  if (waiting === undefined) return null
  const said = wordsOf(waiting.reason, waiting.message)
  if (waiting.reason === NO_CONFIG) return new EngineError('failed', `${name} cannot start: ${said}`)
  const node = pod.spec?.nodeName ?? 'its node'
  return new EngineError(
    'image-missing',
    `${name} cannot start, because ${node} cannot get its image (${said}). See that nodes reach the registry, and that the Secret which "pullSecret" names may pull from it`,
  )
}

const NO_CONFIG = 'CreateContainerConfigError'
const hopeless = new Set(['ErrImageNeverPull', 'InvalidImageName', 'ImagePullBackOff', NO_CONFIG])

/**
 * Why a pod that may run does not yet: no room, a queue that holds it by a gate of its own, an image; empty: its node
 * is about to start it; null: it does not wait.
 */
export function whyUnplaced(pod: V1Pod | null): string | null {
  if (pod === null || pod.status?.phase !== 'Pending' || isGated(pod)) return null
  if (pod.spec?.nodeName !== undefined) {
    if (neverRuns(pod) !== null || sandboxStatus(pod)?.state?.running !== undefined) return null
    return isPulling(pod) && !isUnbegun(pod) ? `${pod.spec.nodeName} gets its image` : ''
  }
  const gates = pod.spec?.schedulingGates?.map(({ name }) => name) ?? []
  const said = pod.status.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (gates.length > 0) return `held by ${gates.join(', ')}`
  return said === undefined ? null : wordsOf(said.message ?? said.reason) || 'the cluster has not said why'
}

/** Whether its node has not even made the place in which its containers run: before that it asks for no image. */
export const isUnbegun = ({ spec, status }: V1Pod): boolean =>
  spec?.nodeName !== undefined &&
  status?.phase === 'Pending' &&
  status.conditions?.find(({ type }) => type === 'PodReadyToStartContainers')?.status === 'False'

/** Whether nothing has run in it yet, and still may. */
const isPulling = (pod: V1Pod): boolean =>
  pod.status?.initContainerStatuses?.every(({ state }) => state?.waiting !== undefined) ?? true
