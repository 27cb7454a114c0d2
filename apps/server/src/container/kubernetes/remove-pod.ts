import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'

/**
 * Removes this pod, and none that has got its name since. If it is gone already, that is no error.
 *
 * @param how `confirmed`: its name is free once its node says that its containers have ended, after at most two seconds
 *   if the node answers. `at once`: without its node, which may be cut off and keep them running; the hub then refuses
 *   their pushes.
 */
export async function removePod(
  client: KubeClient,
  { name, uid }: { name: string; uid: string | undefined },
  how: 'confirmed' | 'at once',
): Promise<void> {
  const { namespace } = client
  // The grace is in the body: beside a body, the API server reads no parameters.
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
