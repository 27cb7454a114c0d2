import type { V1Pod } from '@kubernetes/client-node'
import { EngineError } from '../../../ports/engine.ts'
import type { KubeClient } from '../kube-client.ts'
import { messageIn, statusOf } from '../kube-error.ts'
import { whyPodWaits } from '../pod-queue.ts'

/**
 * The words of a full quota. The cluster refuses such a pod as if the account lacked the right; only the words differ.
 */
export function quotaOf(error: unknown): string | null {
  if (statusOf(error) !== 403) return null
  const said = messageIn(error instanceof EngineError ? error.cause : error)
  return /exceeded quota/i.test(said) ? said.replace(/^pods "[^"]*" is forbidden: /, '') : null
}

/**
 * Why the cluster would not take another pod like this one now, in its own words; null: it would, or does not say.
 * Nothing is created.
 *
 * @param pods this server's pods
 */
export async function whyFull(client: KubeClient, pods: readonly V1Pod[], next: V1Pod | null): Promise<string | null> {
  for (const pod of pods) {
    const why = pod.spec?.nodeName === undefined ? await whyPodWaits(client, pod) : null
    if (why !== null && why !== '') return why
  }
  if (next === null) return null
  const { namespace } = client
  const body = { ...next, metadata: { ...next.metadata, name: 'beadloom-room' } }
  const asked = client.call('ask for room', ({ core }) => core.createNamespacedPod({ namespace, body, dryRun: 'All' }))
  return asked.then(() => null, quotaOf)
}
