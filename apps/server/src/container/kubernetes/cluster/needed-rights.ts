/** What the server's account may do. `everywhere`: not in the namespace alone. */
export type Right = { group: string; resource: string; verbs: readonly string[]; everywhere?: true }

/**
 * All that the adapter asks of a cluster: what `doctor` looks for, docs/kubernetes.md grants, and the chart's role has.
 * `get` beside `create` on pods/exec is asked for since 1.35.
 */
export const neededRights: readonly Right[] = [
  { group: '', resource: 'pods', verbs: ['create', 'get', 'list', 'patch', 'delete'] },
  { group: '', resource: 'pods/exec', verbs: ['create', 'get'] },
]

/** For a policy in place of a RuntimeClass. */
export const policyRights: readonly Right[] = [
  { group: 'networking.k8s.io', resource: 'networkpolicies', verbs: ['create'] },
]

/** Without these less is known: which nodes there are and how large, that the namespace goes, why a pod was taken away. */
export const usefulRights: readonly Right[] = [
  { group: '', resource: 'events', verbs: ['list'] },
  { group: '', resource: 'nodes', verbs: ['list'], everywhere: true },
  { group: '', resource: 'namespaces', verbs: ['get'] },
]

/** With a `queue` of Kueue: why it holds a pod. */
export const queueRights: readonly Right[] = [{ group: 'kueue.x-k8s.io', resource: 'workloads', verbs: ['list'] }]
