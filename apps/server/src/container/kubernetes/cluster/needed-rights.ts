/** A right of the server's account. `everywhere`: not only in the namespace. */
export type Right = { group: string; resource: string; verbs: readonly string[]; everywhere?: true }

/**
 * All rights that the adapter needs: `doctor` checks them, docs/kubernetes.md grants them, and the chart's role has
 * them. `get` beside `create` on pods/exec is required since 1.35.
 */
export const neededRights: readonly Right[] = [
  { group: '', resource: 'pods', verbs: ['create', 'get', 'list', 'patch', 'delete'] },
  { group: '', resource: 'pods/exec', verbs: ['create', 'get'] },
]

/** For a policy in place of a RuntimeClass. */
export const policyRights: readonly Right[] = [
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['create'] },
]

/**
 * Without these less is known: the nodes and their size, that the namespace is being deleted, why a pod was taken away.
 */
export const usefulRights: readonly Right[] = [
  { group: '', resource: 'events', verbs: ['list'] },
  { group: '', resource: 'nodes', verbs: ['list'], everywhere: true },
  { group: '', resource: 'namespaces', verbs: ['get'] },
]

/** With a `queue` of Kueue: tell why it holds a pod. */
export const queueRights: readonly Right[] = [{ group: 'kueue.x-k8s.io', resource: 'workloads', verbs: ['list'] }]
