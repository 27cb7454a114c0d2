import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'
import { label } from './kubernetes-options.ts'

/** Creates a policy for all sandboxes of the namespace, of all servers. */
export async function denyNetwork(client: KubeClient): Promise<void> {
  const selector = { matchExpressions: [{ key: label.instance, operator: 'Exists' }] }
  try {
    await client.call('deny its sandboxes the network', ({ networking }) =>
      networking.createNamespacedNetworkPolicy({
        namespace: client.namespace,
        body: {
          metadata: { name: 'beadloom-no-network' },
          spec: { podSelector: selector, policyTypes: ['Ingress', 'Egress'], ingress: [], egress: [] },
        },
      }),
    )
  } catch (error) {
    if (statusOf(error) !== 409) throw error // it is there
  }
}
