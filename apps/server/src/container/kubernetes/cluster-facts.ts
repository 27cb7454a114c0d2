import { gib } from '@beadloom/core/execution/memory-share.ts'
import type { KubeClient } from './kube-client.ts'
import { statusOf } from './kube-error.ts'

/** `cpus` and `memoryBytes` are those of the largest node: a pod fits on one. */
export type Cluster = { text: string; cpus: number; memoryBytes: number; machines?: Size[]; weaker: string[] }

type Size = { cpus: number; memoryBytes: number }

/** A keeper is on the same node. */
const KEEPER = { cpus: 0.01, memoryBytes: 64 * 1024 ** 2 }

const processes =
  'processes: how many a pod may have is set on each node (podPidsLimit), and cannot be seen from a sandbox'

export async function readCluster(client: KubeClient): Promise<Cluster> {
  const version = await client.call('say its version', ({ config, library }) =>
    config.makeApiClient(library.VersionApi).getCode(),
  )
  const sizes = await client
    .call('list its nodes', ({ core }) => core.listNode())
    .then(({ items }) =>
      items.map(({ status }) => ({
        cpus: quantityOf(status?.allocatable?.['cpu']) - KEEPER.cpus,
        memoryBytes: quantityOf(status?.allocatable?.['memory']) - KEEPER.memoryBytes,
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
  const largest = (of: (size: Size) => number) => Math.max(...sizes.map(of))
  const [cpus, memoryBytes] = [Math.floor(largest((one) => one.cpus) * 10) / 10, largest((one) => one.memoryBytes)]
  const text = `Kubernetes ${version.gitVersion}, nodes: ${sizes.length}, the largest with ${cpus} CPUs and ${gib(memoryBytes)}`
  return { text, cpus, memoryBytes, machines: sizes, weaker: [processes] }
}

const factors: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
}

/** As Kubernetes writes them: `1900m`, `6123456Ki`; 0 for anything else. */
export function quantityOf(text = '0'): number {
  const [, number = '0', unit = ''] = /^([\d.]+)([a-zA-Z]*)$/.exec(text) ?? []
  return Number(number) * (factors[unit] ?? 0)
}
