import type { V1Node, V1NodeCondition } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { nodeOf } from './node-state.ts'

const ready: V1NodeCondition = { type: 'Ready', status: 'True', message: 'kubelet is posting ready status' }
// As kubelet 1.37 writes them.
const short: V1NodeCondition = {
  type: 'MemoryPressure',
  status: 'True',
  reason: 'KubeletHasInsufficientMemory',
  message: 'kubelet has insufficient memory available',
}
const many: V1NodeCondition = {
  type: 'PIDPressure',
  status: 'True',
  reason: 'KubeletHasInsufficientPID',
  message: 'kubelet has insufficient PID available',
}
const enough: V1NodeCondition = { type: 'DiskPressure', status: 'False', message: 'kubelet has no disk pressure' }

const node = (
  conditions: V1NodeCondition[],
  more: { unschedulable?: boolean; architecture?: string } = {},
): V1Node => ({
  metadata: { name: 'node1' },
  spec: more.unschedulable === true ? { unschedulable: true } : {},
  status: {
    conditions,
    allocatable: { cpu: '3900m', memory: '8Gi', pods: '40' },
    nodeInfo: { architecture: more.architecture ?? 'amd64' } as NonNullable<V1Node['status']>['nodeInfo'] & object,
  },
})
const why = (one: V1Node) => nodeOf(one, 'amd64').why

test('a node has what sandboxes may have of it, and takes them', () => {
  expect(nodeOf(node([ready, enough]), 'amd64')).toEqual({
    name: 'node1',
    ok: true,
    why: '',
    cpus: 3.9,
    memoryBytes: 8 * 1024 ** 3,
    places: 40,
  })
})

test('one that is short of something takes none, and says of what, in the words of its kubelet', () => {
  expect(nodeOf(node([short, enough, ready]), 'amd64').ok).toBe(false)
  expect(why(node([short, enough, ready]))).toBe(
    'it is short of memory, and may evict pods (kubelet has insufficient memory available)',
  )
  expect(why(node([short, many, ready]))).toMatch(
    /^it is short of memory and process ids, and may evict pods \(kubelet/,
  )
})

test('one with other processors than images are made for takes none, and neither does one that is cordoned or silent', () => {
  expect(why(node([ready], { architecture: 'arm64' }))).toBe('its processors are arm64, and images are made for amd64')
  expect(why(node([ready], { unschedulable: true }))).toBe('it takes no new pods (cordoned)')
  expect(why(node([{ type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' }]))).toBe(
    'it is not ready: Kubelet stopped posting node status',
  )
  expect(why(node([]))).toBe('it is not ready: the cluster says nothing about it')
})
