import type { CoreV1Event, V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import type { KubeClient } from './kube-client.ts'
import { annotation } from './kubernetes-options.ts'
import { idOf } from './pod-id.ts'
import { PodLease } from './pod-lease.ts'
import { PodWatch } from './pod-watch.ts'

/** A cluster that lists these, whatever it is asked for. */
function clusterWith(pod: V1Pod, events: CoreV1Event[]): KubeClient {
  const core = {
    listNamespacedPod: () => Promise.resolve({ items: [pod] }),
    listNamespacedEvent: () => Promise.resolve({ items: events }),
  }
  const call = (_: string, work: (open: { core: typeof core }) => Promise<unknown>) => work({ core })
  return { namespace: 'n', clock: systemClock, call } as unknown as KubeClient
}

test('a container whose end its node has lost ended for the reason in its pod’s events', async () => {
  const state = { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } }
  const pod: V1Pod = {
    metadata: { name: 'one', uid: 'u-1', annotations: { [annotation.starts]: '1' } },
    spec: { containers: [], nodeName: 'node1' },
    status: {
      phase: 'Running',
      initContainerStatuses: [{ name: 'sandbox', image: '', imageID: '', ready: false, restartCount: 0, state }],
    },
  }
  const evicted = { metadata: {}, involvedObject: {}, reason: 'Evicted', message: 'Usage exceeds the limit "1Gi". ' }
  const watch = new PodWatch(clusterWith(pod, [evicted]), 'instance', new PodLease(systemClock))
  const exit = await watch.exit(idOf(pod), new AbortController().signal)
  expect(exit).toMatchObject({
    lost: true,
    why: 'its pod on node1 has ended (Evicted: Usage exceeds the limit "1Gi")',
  })
})
