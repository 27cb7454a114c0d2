import type { V1Node, V1Taint } from '@kubernetes/client-node'
import type { Size } from '@beadloom/core/dispatch/capacity.ts'
import type { EngineNode } from '../../../ports/engine.ts'
import { DISK_REQUEST } from '../pod-manifest.ts'
import { wordsOf } from '../pod-words.ts'
import { quantityOf } from '../quantity.ts'

/** Shortages that a kubelet reports: it then takes no new pods, and evicts some of its own. */
const pressures = { MemoryPressure: 'memory', DiskPressure: 'disk', PIDPressure: 'process ids' } as const

/** Taints that the cluster itself sets and takes away again, as a node's state changes. */
const PASSING = 'node.kubernetes.io/'

/** @param architecture the one that images are made for */
export function nodeOf(node: V1Node, architecture: string): EngineNode {
  const { metadata, status } = node
  const { pods, 'ephemeral-storage': disk } = status?.allocatable ?? {}
  const why = whyClosed(node, architecture)
  return {
    name: metadata?.name ?? '',
    ok: why === '',
    why,
    cpus: quantityOf(status?.allocatable?.['cpu']),
    memoryBytes: quantityOf(status?.allocatable?.['memory']),
    ...(pods !== undefined && { places: placesOf(quantityOf(pods), disk) }),
  }
}

/** However small pods are, each requests a part of the disk, too. */
const placesOf = (pods: number, disk: string | undefined): number =>
  disk === undefined ? pods : Math.min(pods, Math.floor(quantityOf(disk) / quantityOf(DISK_REQUEST)))

/** Empty: sandboxes can start there. */
function whyClosed({ spec, status }: V1Node, architecture: string): string {
  const conditions = status?.conditions ?? []
  const ready = conditions.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True')
    return `it is not ready: ${wordsOf(ready?.message) || 'the cluster says nothing about it'}`
  const own = otherProcessors(status, architecture)
  if (own !== null) return `its processors are ${own}, and images are made for ${architecture}`
  const short = conditions.filter(({ type, status: is }) => type in pressures && is === 'True')
  if (short.length > 0) {
    const of = short.map(({ type }) => pressures[type as keyof typeof pressures]).join(' and ')
    return `it is short of ${of}, and may evict pods (${wordsOf(...short.map(({ message }) => message))})`
  }
  if (spec?.unschedulable === true) return 'it takes no new pods (cordoned)'
  const kept = closing(spec)
  if (kept.length === 0) return ''
  const why = kept.every(passes) ? 'it takes no new pods for now' : 'it is kept for other pods'
  return `${why} (taint ${kept.map(tainted).join(', ')})`
}

/**
 * The size of the largest node on which sandboxes may start. A node that is not ready counts, so sandboxes opened while
 * it restarts are not made smaller for good. If all nodes are foreign, the largest of these.
 *
 * @param nodes at least one
 */
export function largestOf(nodes: readonly V1Node[], architecture: string): Size {
  const ours = nodes.filter((node) => !isForeign(node, architecture))
  const sizes = (ours.length > 0 ? ours : nodes).map((node) => nodeOf(node, architecture))
  return {
    cpus: Math.max(...sizes.map(({ cpus }) => cpus)),
    memoryBytes: Math.max(...sizes.map(({ memoryBytes }) => memoryBytes)),
  }
}

/**
 * Whether no sandbox ever starts there, whatever its state: it has other processors, or is kept for other pods, like
 * nodes of the control plane.
 */
const isForeign = ({ spec, status }: V1Node, architecture: string): boolean =>
  otherProcessors(status, architecture) !== null || !closing(spec).every(passes)

const otherProcessors = (status: V1Node['status'], architecture: string): string | null => {
  const own = status?.nodeInfo?.architecture
  return own === undefined || own === architecture ? null : own
}

/** Finds out whether pods can have users of their own on the nodes that take sandboxes. */
export function usersOf(nodes: readonly V1Node[], architecture: string): OwnUsers {
  const open = nodes.filter((node) => nodeOf(node, architecture).ok)
  const named = (can: boolean) =>
    open.filter((node) => givesUsers(node) === can).map(({ metadata }) => metadata?.name ?? '')
  return { all: open.length > 0 && named(true).length === open.length, without: named(false) }
}

/** `all`: every one of them can. `without`: the names of those that cannot. */
export type OwnUsers = { all: boolean; without: string[] }

/** Null: it does not say, or its runtimes differ. */
function givesUsers({ status }: V1Node): boolean | null {
  const said = new Set(status?.runtimeHandlers?.map(({ features }) => features?.userNamespaces ?? false))
  const [only = null] = said
  return said.size === 1 ? only : null
}

/** Taints that keep new pods away; sandboxes tolerate none of them. */
const closing = (spec: V1Node['spec']): V1Taint[] =>
  (spec?.taints ?? []).filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')

const passes = ({ key }: V1Taint): boolean => key.startsWith(PASSING)

const tainted = ({ key, value, effect }: V1Taint): string => wordsOf(`${key}${value ? `=${value}` : ''}:${effect}`)
