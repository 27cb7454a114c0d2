import type { V1Pod } from '@kubernetes/client-node'
import { EngineError } from '../../ports/engine.ts'
import { quotaOf } from './cluster/cluster-room.ts'
import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'
import { annotation, label } from './kubernetes-options.ts'
import { startsOf } from './pod-state.ts'
import { removePod } from './remove-pod.ts'

const LOOK_MS = 250
const GIVE_UP_MS = 12_000

/**
 * Creates the pod once. If we have a pod with this name that was never started, takes it if its settings are the same,
 * and makes it anew if not. A pod that has run may hold work. If our pod is being deleted, waits a while for its end,
 * and then forces it.
 */
export async function createPod(client: KubeClient, body: V1Pod): Promise<V1Pod> {
  const { namespace, clock } = client
  const name = body.metadata?.name ?? ''
  let giveUpAt = clock.monotonic() + GIVE_UP_MS
  let isForced = false
  for (;;) {
    try {
      return await client.call(`create the pod ${name}`, ({ core }) => core.createNamespacedPod({ namespace, body }))
    } catch (error) {
      const quota = quotaOf(error)
      if (quota !== null) throw new EngineError('no-room', quota, { cause: error })
      const isUnknown = error instanceof EngineError && (error.kind === 'timed-out' || error.kind === 'unreachable')
      if (statusOf(error) !== 409 && !isUnknown) throw error
      const there = await client.pod(name)
      if (there && there.metadata?.deletionTimestamp === undefined) {
        if (!isOurs(there, body)) throw taken(name, 'It does not belong to this server, so it is left alone')
        if (startsOf(there) > 0)
          throw taken(name, 'It has been started before and may hold work, so it is neither used again nor removed')
        if (there.metadata?.annotations?.[annotation.spec] === body.metadata?.annotations?.[annotation.spec])
          return there
        await forget(client, there)
      } else if (clock.monotonic() < giveUpAt) await clock.sleep(LOOK_MS)
      else if (there && isOurs(there, body) && !isForced) {
        isForced = true
        giveUpAt = clock.monotonic() + GIVE_UP_MS
        await forget(client, there)
      } else throw error
    }
  }
}

/**
 * Forces the removal: a pod that is being deleted on a node that is cut off would keep its name until the node is back.
 */
const forget = (client: KubeClient, { metadata: { name = '', uid } = {} }: V1Pod): Promise<void> =>
  removePod(client, { name, uid }, 'at once')

const isOurs = (there: V1Pod, wanted: V1Pod): boolean =>
  Object.values(label).every((one) => there.metadata?.labels?.[one] === wanted.metadata?.labels?.[one])

const taken = (name: string, why: string) =>
  new EngineError('name-taken', `the cluster has a pod ${name} already. ${why}`)
