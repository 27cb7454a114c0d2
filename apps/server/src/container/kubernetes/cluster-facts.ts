import { gib } from '@beadloom/core/execution/memory-share.ts'
import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'

/** `cpus` and `memoryBytes` are those of the largest node: a pod fits on one. */
export type Cluster = { text: string; cpus: number; memoryBytes: number; weaker: string[] }

/** A keeper is on the same node. */
const KEEPER = { cpus: 0.01, memoryBytes: 64 * 1024 ** 2 }

const processes =
  'processes: how many a pod may have is set on each node (podPidsLimit), and cannot be seen from a sandbox'

export async function readCluster(client: KubeClient): Promise<Cluster> {
  const version = await client.call('say its version', ({ config, library }) =>
    config.makeApiClient(library.VersionApi).getCode(),
  )
  const { quantityToScalar } = (await client.opened()).library
  const sizes = await client
    .call('list its nodes', ({ core }) => core.listNode())
    .then(({ items }) =>
      items.map(({ status }) => ({
        cpus: Number(quantityToScalar(status?.allocatable?.['cpu'] ?? '0')) - KEEPER.cpus,
        memoryBytes: Number(quantityToScalar(status?.allocatable?.['memory'] ?? '0')) - KEEPER.memoryBytes,
      })),
    )
    .catch((error: unknown) => {
      if (statusOf(error) === 403) return null
      throw error
    })
  if (sizes === null || sizes.length === 0) {
    const weaker = [processes, 'its nodes may not be listed, so what is asked for is not clamped to them']
    return { text: `Kubernetes ${version.gitVersion}`, cpus: 1024, memoryBytes: 1024 ** 5, weaker }
  }
  const largest = (of: (size: (typeof sizes)[number]) => number) => Math.max(...sizes.map(of))
  const [cpus, memoryBytes] = [Math.floor(largest((one) => one.cpus) * 10) / 10, largest((one) => one.memoryBytes)]
  const text = `Kubernetes ${version.gitVersion}, nodes: ${sizes.length}, the largest with ${cpus} CPUs and ${gib(memoryBytes)}`
  return { text, cpus, memoryBytes, weaker: [processes] }
}
