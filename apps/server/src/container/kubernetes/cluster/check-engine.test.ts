import type { V1ContainerState, V1Node, V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { judged } from './check-engine.ts'
import { imageOn, whatItSays } from './cluster-network.ts'

const settings = { namespace: 'beadloom', images: { registry: 'registry.example/beadloom' }, runtimeClass: 'none' }
const line = (proof: ReturnType<typeof whatItSays>) =>
  judged('cluster', settings, { text: 'Kubernetes v1.37.2', weaker: ['processes'], proof })

/** A pod that tries the network, in a state that the cluster reports. */
const pod = (state: V1ContainerState | null, status: V1Pod['status'] = {}): V1Pod => ({
  metadata: { name: 'beadloom-doctor-1' },
  spec: { containers: [], nodeName: 'node1' },
  status: {
    phase: 'Pending',
    ...(state && {
      containerStatuses: [{ name: 'probe', image: '', imageID: '', ready: false, restartCount: 0, state }],
    }),
    ...status,
  },
})
const ended = (exitCode: number, message: string): V1ContainerState => ({ terminated: { exitCode, message } })

// In the words of kubelet 1.37.
test.each<[string, V1Pod | null, RegExp]>([
  [
    'its image cannot be had',
    pod({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "registry.example/a"' } }),
    /node1 cannot get its image \(ImagePullBackOff: Back-off pulling/,
  ],
  [
    'its container cannot be made',
    pod({ waiting: { reason: 'CreateContainerConfigError', message: 'container has runAsNonRoot' } }),
    /cannot start: CreateContainerConfigError: container has runAsNonRoot/,
  ],
  ['it crashes', pod(ended(127, '/opt/beadloom/bin/node: not found')), /ended with 127: .*node: not found/],
  [
    'its node ends it',
    pod(null, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' }),
    /has ended \(Evicted: The node was low on resource: memory\)/,
  ],
  [
    'its time runs out',
    pod(null, { phase: 'Failed', reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than' }),
    /has ended \(DeadlineExceeded: Pod was active/,
  ],
  ['somebody deletes it', null, /it is gone/],
])('doctor takes nothing for proved if a pod that tries the network cannot: %s', (_, tried, why) => {
  expect(line(whatItSays(tried))).toMatchObject({
    ok: false,
    text: expect.stringMatching(
      new RegExp(`that its pods have no network is not proved: .*${why.source}.*; processes$`),
    ),
    fix: expect.stringContaining('Nothing of yours starts'),
  })
})

test('doctor approves a cluster if such a pod has reached nothing, and no other', () => {
  expect(line(whatItSays(pod(ended(0, ''))))).toEqual({
    name: 'cluster',
    ok: true,
    text: 'Kubernetes v1.37.2; a pod was started, and reached nothing; processes',
  })
  expect(line(whatItSays(pod(ended(78, 'reached 10.0.0.1:443'))))).toMatchObject({
    ok: false,
    text: expect.stringContaining('a pod reached 10.0.0.1:443: pods of the runtimeClass none have a network'),
  })
  expect(line(null)).toMatchObject({ ok: false, fix: 'name a runtimeClass or a probe' })
})

test('a pod that has yet to start is waited for', () => {
  expect(whatItSays(pod({ waiting: { reason: 'ContainerCreating' } }))).toBeNull()
  const message = '0/2 nodes are available: 2 Insufficient memory.'
  expect(whatItSays(pod(null, { conditions: [{ type: 'PodScheduled', status: 'False', message }] }))).toBeNull()
})

const node = (name: string, isReady: boolean, ...images: string[]): V1Node => ({
  metadata: { name },
  status: {
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', message: 'kubelet stopped' }],
    images: [{ names: images }],
  },
})
const mine = 'registry.example/beadloom/beadloom-sandbox:1'

test('the trial runs on a node that takes pods, with an image of the registry that they pull from', () => {
  const place = (...nodes: V1Node[]) => imageOn(nodes, settings, 'amd64')
  const other = 'other.example/beadloom/beadloom-sandbox:1'
  const both = node('node2', true, other, `${mine.slice(0, -2)}@sha256:1`, mine)
  expect(place(node('node1', false, mine), node('node3', true, other), both)).toEqual({ node: 'node2', image: mine })
  expect(place(node('node1', false, mine), node('node3', true, other))).toMatch(
    /^the node node1 takes no sandboxes: it is not ready/,
  )
  expect(place(node('node3', true, other))).toMatch(/^no node has an image of Beadloom yet/)
})
