import type { V1Node } from '@kubernetes/client-node'
import type { EngineNode } from '../../ports/engine.ts'
import { wordsOf } from './pod-words.ts'
import { quantityOf } from './quantity.ts'

/** What a kubelet says it is short of: it takes no new pods then, and evicts some that it has. */
const pressures = { MemoryPressure: 'memory', DiskPressure: 'disk', PIDPressure: 'process ids' } as const

/** @param architecture that images are made for */
export function nodeOf(node: V1Node, architecture: string): EngineNode {
  const { metadata, status } = node
  const pods = status?.allocatable?.['pods']
  const why = whyClosed(node, architecture)
  return {
    name: metadata?.name ?? '',
    ok: why === '',
    why,
    cpus: quantityOf(status?.allocatable?.['cpu']),
    memoryBytes: quantityOf(status?.allocatable?.['memory']),
    ...(pods !== undefined && { places: quantityOf(pods) }),
  }
}

/** Empty: sandboxes start there. */
function whyClosed({ spec, status }: V1Node, architecture: string): string {
  const conditions = status?.conditions ?? []
  const ready = conditions.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True')
    return `it is not ready: ${wordsOf(ready?.message) || 'the cluster says nothing about it'}`
  const own = status?.nodeInfo?.architecture
  if (own !== undefined && own !== architecture)
    return `its processors are ${own}, and images are made for ${architecture}`
  const short = conditions.filter(({ type, status: is }) => type in pressures && is === 'True')
  if (short.length > 0) {
    const of = short.map(({ type }) => pressures[type as keyof typeof pressures]).join(' and ')
    return `it is short of ${of}, and may evict pods (${wordsOf(...short.map(({ message }) => message))})`
  }
  return spec?.unschedulable === true ? 'it takes no new pods (cordoned)' : ''
}
