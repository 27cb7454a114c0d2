import type { V1Node, V1NodeCondition, V1Taint } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { userWords } from './cluster-health.ts'
import { largestOf, nodeOf, usersOf } from './node-state.ts'

const ready: V1NodeCondition = { type: 'Ready', status: 'True', message: 'kubelet is posting ready status' }
// In the words of kubelet 1.37.
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
  more: { unschedulable?: boolean; architecture?: string; taints?: V1Taint[] } = {},
): V1Node => ({
  metadata: { name: 'node1' },
  spec: {
    ...(more.unschedulable === true && { unschedulable: true }),
    ...(more.taints !== undefined && { taints: more.taints }),
  },
  status: {
    conditions,
    allocatable: { cpu: '3900m', memory: '8Gi', pods: '40' },
    nodeInfo: { architecture: more.architecture ?? 'amd64' } as NonNullable<V1Node['status']>['nodeInfo'] & object,
  },
})
const why = (one: V1Node) => nodeOf(one, 'amd64').why

test('a node says how much sandboxes may have of it, and takes them', () => {
  expect(nodeOf(node([ready, enough]), 'amd64')).toEqual({
    name: 'node1',
    ok: true,
    why: '',
    cpus: 3.9,
    memoryBytes: 8 * 1024 ** 3,
    places: 40,
  })
})

// Containerd 2 reports it; an older one says nothing.
test('nodes say whether pods can have users of their own, and the ones that cannot are named on request', () => {
  const says = (name: string, ...has: boolean[]): V1Node => {
    const one = node([ready])
    const runtimeHandlers = has.map((userNamespaces, at) => ({ name: `${at}`, features: { userNamespaces } }))
    return { ...one, metadata: { name }, status: { ...one.status, ...(has.length > 0 && { runtimeHandlers }) } }
  }
  const words = (userNamespaces: boolean, ...nodes: V1Node[]) =>
    userWords({ users: usersOf(nodes, 'amd64') }, { userNamespaces })
  const [can, cannot, silent, mixed] = [says('a', true, true), says('b', false), says('c'), says('d', true, false)]
  expect(words(false, can, can)).toEqual([expect.stringContaining('set "userNamespaces"')])
  for (const other of [cannot, silent, mixed]) expect(words(false, can, other)).toEqual([])
  expect(words(false)).toEqual([])
  expect(words(true, can, cannot, silent, mixed)).toEqual([
    'the node b cannot give pods users of their own, so nothing starts there',
  ])
})

test('a node has no more places than a small part of its disk for each', () => {
  const small = node([ready])
  small.status = { ...small.status, allocatable: { ...small.status?.allocatable, 'ephemeral-storage': '10737418240' } }
  expect(nodeOf(small, 'amd64').places).toBe(10)
})

test("a node that is short of something takes none, and names the shortage in its kubelet's words", () => {
  expect(nodeOf(node([short, enough, ready]), 'amd64').ok).toBe(false)
  expect(why(node([short, enough, ready]))).toBe(
    'it is short of memory, and may evict pods (kubelet has insufficient memory available)',
  )
  expect(why(node([short, many, ready]))).toMatch(
    /^it is short of memory and process ids, and may evict pods \(kubelet/,
  )
})

test('a node with other processors than images are made for takes none, nor does one that is cordoned or silent', () => {
  expect(why(node([ready], { architecture: 'arm64' }))).toBe('its processors are arm64, and images are made for amd64')
  expect(why(node([ready], { unschedulable: true }))).toBe('it takes no new pods (cordoned)')
  expect(why(node([{ type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.' }]))).toBe(
    'it is not ready: Kubelet stopped posting node status',
  )
  expect(why(node([]))).toBe('it is not ready: the cluster says nothing about it')
})

// As set by kubeadm, an administrator and the node controller.
const controlPlane: V1Taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }
const graphics: V1Taint = { key: 'dedicated', value: 'graphics', effect: 'NoExecute' }
const noNetwork: V1Taint = { key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' }
const rather: V1Taint = { key: 'dedicated', value: 'batch', effect: 'PreferNoSchedule' }

test('a node that is kept for other pods takes none, and its taints are named', () => {
  expect(why(node([ready], { taints: [controlPlane] }))).toBe(
    'it is kept for other pods (taint node-role.kubernetes.io/control-plane:NoSchedule)',
  )
  expect(why(node([ready], { taints: [rather, graphics, noNetwork] }))).toBe(
    'it is kept for other pods (taint dedicated=graphics:NoExecute, node.kubernetes.io/network-unavailable:NoSchedule)',
  )
  expect(why(node([ready], { taints: [noNetwork] }))).toBe(
    'it takes no new pods for now (taint node.kubernetes.io/network-unavailable:NoSchedule)',
  )
  expect(nodeOf(node([ready], { taints: [rather] }), 'amd64').ok).toBe(true)
})

test.each([
  ['one of the control plane', { taints: [controlPlane] }, 8],
  ['one with other processors', { architecture: 'arm64' }, 8],
  ['one that others are rather on', { taints: [rather] }, 64],
  ['one whose network is not there yet', { taints: [noNetwork] }, 64],
  ['one that is cordoned', { unschedulable: true }, 64],
])('the largest node is not %s, unless that passes', (_, more, gibibytes) => {
  const large = node([ready], more)
  large.status = { ...large.status, allocatable: { cpu: '32', memory: '64Gi' } }
  const { cpus, memoryBytes } = largestOf([node([ready]), large], 'amd64')
  expect([cpus, memoryBytes]).toEqual([gibibytes === 64 ? 32 : 3.9, gibibytes * 1024 ** 3])
  expect(largestOf([large], 'amd64').cpus).toBe(32)
})
