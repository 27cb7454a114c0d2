import { slotsOn, type Asking, type Machine } from '@beadloom/core/dispatch/capacity.ts'
import { defaultLimits } from '@beadloom/core/project/project-config.ts'
import type { EngineHealth, EngineNode } from '../../../ports/engine.ts'
import type { KubernetesSettings } from '../../../process/settings/kubernetes-settings.ts'
import { KEEPER, readCluster, type Cluster } from './cluster-facts.ts'
import { missingRights, type MissingRights } from './cluster-rights.ts'
import type { KubeClient } from '../kube-client.ts'

const GRANT = 'docs/kubernetes.md has a Role with all of it'

export type ClusterHealth = EngineHealth & { cluster: Cluster | null; rights: MissingRights | null }

/**
 * Never rejects.
 *
 * @param architecture the one that images are made for
 * @param known rights that were looked up lately
 */
export async function clusterHealth(
  client: KubeClient,
  settings: KubernetesSettings,
  architecture: string,
  known: MissingRights | null = null,
): Promise<ClusterHealth> {
  const { context = 'the current context', namespace } = settings
  const where = `namespace ${namespace} of ${context}`
  try {
    const cluster = await readCluster(client, architecture)
    const rights = known ?? (await missingRights(client, settings))
    const { text, weaker, cpus, memoryBytes, nodes } = cluster
    const lacks = rights.useful.length > 0 ? [`its account may not ${rights.useful.join(', ')}: less is known`] : []
    const needed = rights.needed.length > 0 ? `. Its account may not ${rights.needed.join(', ')} (${GRANT})` : ''
    return {
      ok: needed === '',
      text: `${text}${needed}`,
      where,
      weaker: [
        ...weaker,
        ...lacks,
        ...networkOf(settings),
        ...userWords(cluster, settings),
        ...roomOf(cluster, settings),
      ],
      cpus,
      memoryBytes,
      ...(nodes !== null && { nodes, machines: machinesOf(nodes) }),
      asking: askingOf(settings),
      cluster,
      rights,
    }
  } catch (error) {
    const { message } = error as Error
    return { ok: false, text: message, where, weaker: [], cpus: 0, memoryBytes: 0, cluster: null, rights: null }
  }
}

/** Nothing starts on a node that is not ready. */
const machinesOf = (nodes: readonly EngineNode[]): Machine[] => nodes.filter(({ ok }) => ok)

/** A pod requests a part of its limits, and all of its keeper's limits. */
const askingOf = ({ cpuRequest = 1, memoryRequest = 1 }: KubernetesSettings): Asking => ({
  part: { cpus: cpuRequest, memoryBytes: memoryRequest },
  beside: KEEPER,
})

/** Warns if one sandbox of the usual size fits, but no second one to check its work. */
function roomOf({ nodes, cpus, memoryBytes }: Cluster, settings: KubernetesSettings): string[] {
  if (nodes === null) return []
  const granted = {
    cpus: Math.min(cpus, defaultLimits.cpus),
    memoryBytes: Math.min(memoryBytes, defaultLimits.memoryBytes),
  }
  if (slotsOn(machinesOf(nodes), granted, askingOf(settings)) !== 1) return []
  return [
    'its nodes have room for one sandbox of the usual size, and checks need a second one: set "cpuRequest" and "memoryRequest", or smaller "limits" in each project',
  ]
}

/** Only the settings ask for user namespaces: a node that reports them may lack the kernel for it. */
export function userWords(
  { users }: Pick<Cluster, 'users'>,
  { userNamespaces }: Pick<KubernetesSettings, 'userNamespaces'>,
): string[] {
  if (userNamespaces !== true)
    return users.all
      ? ['its nodes say that pods can have users of their own, who are nobody there: set "userNamespaces"']
      : []
  return users.without.map((name) => `the node ${name} cannot give pods users of their own, so nothing starts there`)
}

const networkOf = ({ runtimeClass, probe }: KubernetesSettings): string[] =>
  runtimeClass === undefined && probe === undefined
    ? ['nothing proves that its pods have no network: name a runtimeClass or a probe, before which nothing starts']
    : []
