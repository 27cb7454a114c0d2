import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'

/**
 * Removes this pod, and none that has got its name since. That it is gone already is no error.
 *
 * @param how `confirmed`: its name is free once its node says that its containers have ended, two seconds at most where the
 *   node answers. `at once`: without its node, which may be cut off and keep them running; the hub refuses what they push.
 */
export async function removePod(
  client: KubeClient,
  { name, uid }: { name: string; uid: string | undefined },
  how: 'confirmed' | 'at once',
): Promise<void> {
  const { namespace } = client
  // The grace is in the body: beside one the API server reads no parameters.
  const body = {
    ...(how === 'at once' && { gracePeriodSeconds: 0 }),
    preconditions: { ...(uid !== undefined && { uid }) },
  }
  try {
    await client.call(`remove the pod ${name}`, ({ core }) => core.deleteNamespacedPod({ name, namespace, body }))
  } catch (error) {
    if (statusOf(error) !== 404) throw error
  }
}
