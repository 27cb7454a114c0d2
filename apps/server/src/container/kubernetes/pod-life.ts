import type { V1Pod } from '@kubernetes/client-node'
import { EngineError } from '../../ports/engine.ts'
import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'
import { annotation } from './kubernetes-options.ts'
import { runInPod } from './pod-exec.ts'
import { GATE, SANDBOX } from './pod-manifest.ts'
import { END_ALL } from './pod-scripts.ts'
import { whyLost } from './pod-events.ts'
import { nameOf, uidOf } from './pod-id.ts'
import { endedRuns, isGated, neverRuns, podState, startsOf } from './pod-state.ts'

const LOOK_MS = 250
/** A pod without room keeps waiting: after a minute its session reports that it did not begin, and why. */
const START_MS = 13_000
/** Beyond the grace, to end everything by force. */
const KILL_MS = 8_000

/** From the first signal to a node's word about a pod: its grace, and one turn of a busy kubelet. */
const TAKEN_MS = 25_000

const nameOfPod = (pod: V1Pod): string => pod.metadata?.name ?? ''

const STARTS = `/metadata/annotations/${annotation.starts.replace('/', '~1')}`

/** @param wanted called when a container that has ended is to run once more */
export async function startPod(
  client: KubeClient,
  pod: V1Pod,
  wanted: (starts: number) => Promise<void>,
): Promise<void> {
  const name = nameOfPod(pod)
  const never = neverRuns(pod)
  if (never) throw never
  if (isGated(pod)) await openGate(client, pod)
  else if (endedRuns(pod) >= startsOf(pod)) {
    const starts = endedRuns(pod) + 1
    await wanted(starts)
    await patch(client, name, [started(starts)])
  } else return
  await until(client, name, START_MS, (now) => {
    const why = now && neverRuns(now)
    if (why) throw why
    return podState(now).state !== 'created'
  })
}

/** The most times that a pod may get other gates between a look at it and the change. */
const GATE_TRIES = 5
/** A `test` of the patch did not hold. */
const INVALID = 422

async function openGate(client: KubeClient, found: V1Pod): Promise<void> {
  const name = nameOfPod(found)
  let pod: V1Pod | null = found
  for (let tries = 1; pod !== null && isGated(pod); tries++) {
    try {
      await patch(client, name, [...ungated(pod), started(1)])
      return
    } catch (error) {
      if (tries === GATE_TRIES || statusOf(error) !== INVALID) throw error
      pod = await client.pod(name)
    }
  }
}

/**
 * Takes our gate away, and no other: a queue's own gate lets the pod in when there is quota, and may go in the same
 * moment. Writing the whole list of a moment ago would bring that gate back, which a cluster refuses.
 */
export function ungated(pod: V1Pod): object[] {
  const at = pod.spec?.schedulingGates?.findIndex(({ name }) => name === GATE) ?? -1
  const path = `/spec/schedulingGates/${at}`
  return [
    { op: 'test', path: `${path}/name`, value: GATE },
    { op: 'remove', path },
  ]
}

const started = (starts: number) => ({ op: 'replace', path: STARTS, value: String(starts) })

const patch = (client: KubeClient, name: string, body: object[]) =>
  client.call(`start the pod ${name}`, ({ core, library }) =>
    core.patchNamespacedPod(
      { name, namespace: client.namespace, body },
      library.setHeaderOptions('Content-Type', library.PatchStrategy.JsonPatch),
    ),
  )

/** SIGTERM for the supervisor, then everything else in there. The pod stays, with its files. */
export async function stopPod(client: KubeClient, pod: V1Pod, graceMs: number): Promise<void> {
  const name = pod.metadata?.name ?? ''
  if (podState(pod).state !== 'running') return
  const where = { pod: name, container: SANDBOX } as const
  const hasEnded = (now: V1Pod | null) => podState(now).state !== 'running'
  await runInPod(client, where, 'kill -TERM 1').catch(() => {}) // it may have ended meanwhile
  if (await until(client, name, graceMs, hasEnded)) return
  await runInPod(client, where, END_ALL).catch(() => {})
  if (await until(client, name, KILL_MS, hasEnded)) return
  throw new EngineError('timed-out', `the sandbox of the pod ${name} has not stopped yet`)
}

/** Waits for the keeper, which starts after the sandbox: a quick session may end before it is there. */
export async function untilKept(client: KubeClient, name: string): Promise<void> {
  const isKept = (pod: V1Pod | null) =>
    pod === null || (pod.status?.containerStatuses?.some(({ state }) => state?.running !== undefined) ?? false)
  if (await until(client, name, START_MS, isKept)) return
  throw new EngineError('timed-out', `the files of the pod ${name} cannot be read yet: its keeper does not run`)
}

/**
 * Why the cluster takes a pod away in which something was asked to end. A node tells that when all of the pod has
 * ended, which is after its sandbox. Null: it was us, or the pod stays.
 *
 * @param container the rest of the server's name for it
 */
export async function whyTaken(client: KubeClient, container: string, isOurs: () => boolean): Promise<string | null> {
  let last: V1Pod | null = null
  let isGone = false
  await until(client, nameOf(container), TAKEN_MS, (found) => {
    if (isOurs()) return true
    last = found?.metadata?.uid === uidOf(container) ? found : null
    return (isGone = podState(last).state === 'gone')
  })
  return isGone ? whyLost(client, container, last) : null
}

/** False: it did not hold in time. */
async function until(
  client: KubeClient,
  name: string,
  ms: number,
  holds: (pod: V1Pod | null) => boolean,
): Promise<boolean> {
  const { clock } = client
  const before = clock.monotonic() + ms
  for (;;) {
    if (holds(await client.pod(name))) return true
    if (clock.monotonic() >= before) return false
    await clock.sleep(LOOK_MS)
  }
}
