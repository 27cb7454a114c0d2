import type { V1Node } from '@kubernetes/client-node'
import { gib } from '@beadloom/core/project/memory-share.ts'
import type { EngineNode } from '../../../ports/engine.ts'
import { EngineError } from '../../../ports/engine.ts'
import type { KubeClient } from '../kube-client.ts'
import { statusOf } from '../kube-error.ts'
import { largestOf, nodeOf, usersOf, type OwnUsers } from './node-state.ts'
import { KEEPER_SIZE } from '../pod-manifest.ts'
import { quantityOf } from '../quantity.ts'

/**
 * `cpus` and `memoryBytes`: of the largest node for sandboxes, since a pod fits on one. `nodes` null: no right to list.
 */
export type Cluster = {
  text: string
  cpus: number
  memoryBytes: number
  weaker: string[]
  nodes: EngineNode[] | null
  users: OwnUsers
}

/** A keeper is on the same node. */
export const KEEPER = { cpus: quantityOf(KEEPER_SIZE.cpu), memoryBytes: quantityOf(KEEPER_SIZE.memory) }
/** The first whose init containers may be started again, as sandboxes are. */
const OLDEST_MINOR = 29
/** The same as for Docker. */
const MOST_SKEW_MS = 5_000

const processes =
  'processes: how many a pod may have is set on each node (podPidsLimit), and cannot be seen from a sandbox'
const unlisted =
  'its nodes may not be listed, so requests are not limited to the size of a node, and no room is kept for checks: set "slots" to three quarters of the pods that fit'

const unsaid: OwnUsers = { all: false, without: [] }

/**
 * Rejects if the cluster cannot have sandboxes: it is too old, or the namespace is missing or being deleted.
 *
 * @param architecture the one that images are made for, in Go's words (`amd64`)
 */
export async function readCluster(client: KubeClient, architecture: string): Promise<Cluster> {
  const { gitVersion, major, minor } = await client.version()
  if (Number(major) === 1 && Number.parseInt(minor, 10) < OLDEST_MINOR)
    throw new EngineError(
      'refused',
      `Kubernetes ${gitVersion} is too old: a sandbox is a container that its node starts again beside a keeper, which takes 1.${OLDEST_MINOR} or later`,
    )
  const [found] = await Promise.all([nodesOf(client), checkNamespace(client)])
  const skew = skewOf(client)
  if (found === null || found.length === 0) {
    const weaker = [processes, unlisted, ...skew]
    return { text: `Kubernetes ${gitVersion}`, cpus: 1024, memoryBytes: 1024 ** 5, weaker, nodes: null, users: unsaid }
  }
  const nodes = found.map((node) => nodeOf(node, architecture))
  const largest = largestOf(found, architecture)
  const cpus = Math.floor((largest.cpus - KEEPER.cpus) * 10) / 10
  const memoryBytes = largest.memoryBytes - KEEPER.memoryBytes
  const away = nodes.filter(({ ok }) => !ok)
  const text = `Kubernetes ${gitVersion}, nodes: ${nodes.length}${away.length > 0 ? ` (${away.length} closed to sandboxes)` : ''}, the largest with ${cpus} CPUs and ${gib(memoryBytes)}`
  const closed = away.map(({ name, why }) => `the node ${name} takes no sandboxes: ${why}`)
  return {
    text,
    cpus,
    memoryBytes,
    weaker: [processes, ...closed, ...skew],
    nodes,
    users: usersOf(found, architecture),
  }
}

/** Null: no right to list them. */
async function nodesOf(client: KubeClient): Promise<V1Node[] | null> {
  try {
    return (await client.call('list its nodes', ({ core }) => core.listNode())).items
  } catch (error) {
    if (statusOf(error) === 403) return null
    throw error
  }
}

async function checkNamespace(client: KubeClient): Promise<void> {
  const { namespace } = client
  try {
    const found = await client.call(`look at the namespace ${namespace}`, ({ core }) =>
      core.readNamespace({ name: namespace }),
    )
    if (found.status?.phase === 'Terminating')
      throw new EngineError('refused', `the namespace ${namespace} is being deleted: create it again when it is gone`)
  } catch (error) {
    if (statusOf(error) === 403) return // then the first pod shows the problem
    if (statusOf(error) !== 404) throw error
    throw new EngineError('refused', `there is no namespace ${namespace}: kubectl create namespace ${namespace}`)
  }
}

function skewOf({ skewMs }: KubeClient): string[] {
  if (skewMs === null || Math.abs(skewMs) <= MOST_SKEW_MS) return []
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return [
    `the clock of the cluster is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} this server's: times of logs and ends are wrong by as much; set both by NTP`,
  ]
}
