import type { V1Pod, V1PodCondition } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { hindranceIn, whyByEvents } from './pod-events.ts'
import { whyQueued } from './pod-queue.ts'
import { whyGone, whyWaiting, wordsOf } from './pod-words.ts'

const target = (reason: string, message: string): V1PodCondition => ({
  type: 'DisruptionTarget',
  status: 'True',
  reason,
  message,
})
const pod = (status: V1Pod['status'], isDeleted = false): V1Pod => ({
  metadata: { name: 'one', ...(isDeleted && { deletionTimestamp: new Date(0) }) },
  spec: { nodeName: 'node1', containers: [] },
  ...(status && { status }),
})

// In the words of kubelet, scheduler and controllers of 1.37 (pkg/kubelet/eviction, nodeshutdown; pkg/scheduler;
// tainteviction).
const LOW =
  'The node was low on resource: memory. Threshold quantity: 200Mi, available: 132456Ki. Container sandbox was using 3Gi, request is 1Gi, has larger consumption of memory. '
const taken: [string, V1Pod, string][] = [
  [
    'its node has too little memory',
    pod({
      phase: 'Failed',
      reason: 'Evicted',
      message: LOW,
      conditions: [target('TerminationByKubelet', LOW)],
    }),
    `its pod on node1 has ended (Evicted: ${LOW.trim().replace(/\.$/, '')})`,
  ],
  [
    'its node shuts down',
    pod({
      phase: 'Failed',
      reason: 'Terminated',
      message: 'Pod was terminated in response to imminent node shutdown.',
    }),
    'its pod on node1 has ended (Terminated: Pod was terminated in response to imminent node shutdown)',
  ],
  [
    'a pod of a higher priority needs its place',
    pod(
      {
        phase: 'Running',
        conditions: [
          target('PreemptionByScheduler', 'default-scheduler: preempting to accommodate a higher priority pod'),
        ],
      },
      true,
    ),
    'its pod on node1 is being deleted (PreemptionByScheduler: default-scheduler: preempting to accommodate a higher priority pod)',
  ],
  [
    'its node is tainted',
    pod(
      {
        phase: 'Running',
        conditions: [target('DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint')],
      },
      true,
    ),
    'its pod on node1 is being deleted (DeletionByTaintManager: Taint manager: deleting due to NoExecute taint)',
  ],
  ['nobody says why', pod({ phase: 'Running' }, true), 'its pod on node1 is being deleted'],
]

test.each(taken)('a pod that the cluster takes away says why, once: %s', (_, one, why) => {
  expect(whyGone(one)).toBe(why)
})

test('words that a cluster repeats of others stay on one line, and within bounds', () => {
  const message = `failed to pull: \u001b[31mgive me\r\nyour token ${'x'.repeat(10_000)}`
  const said = whyWaiting({
    status: {
      initContainerStatuses: [
        {
          name: 'prepare',
          image: '',
          imageID: '',
          ready: false,
          restartCount: 0,
          state: { waiting: { reason: 'ErrImagePull', message } },
        },
      ],
    },
  })
  expect(said).toMatch(/^ErrImagePull: failed to pull: {2}\[31mgive me your token x+…$/)
  expect(said.length).toBeLessThan(520)
  expect(wordsOf(undefined, '', undefined)).toBe('')
})

test('a reason that is missing in a pod’s status is taken from the newest event about it', () => {
  const event = (reason: string, message: string, second: number) => ({
    metadata: {},
    involvedObject: {},
    reason,
    message,
    lastTimestamp: new Date(second * 1000),
  })
  const why = whyByEvents([
    event('Evicted', 'Pod ephemeral local storage usage exceeds the total limit of containers 400Mi. ', 2),
    event('Killing', 'Stopping container sandbox', 3),
    event('NodeNotReady', 'Node is not ready', 1),
  ])
  expect(whyGone(null, why)).toBe(
    'its pod was deleted (Evicted: Pod ephemeral local storage usage exceeds the total limit of containers 400Mi)',
  )
  expect(whyByEvents([event('Killing', 'Stopping container sandbox', 3)])).toBe('')
})

test('a node that cannot begin a pod says why only in events, and for how long it has tried', () => {
  const event = (reason: string, message: string, first: number, last: number) => ({
    metadata: {},
    involvedObject: {},
    reason,
    message,
    firstTimestamp: new Date(first * 1000),
    lastTimestamp: new Date(last * 1000),
  })
  const NO_USERS =
    "Failed to create pod sandbox: can't set `spec.hostUsers: false`, runtime does not support user namespaces"
  const one = pod({ phase: 'Pending' })
  const scheduled = event('Scheduled', 'Successfully assigned sandboxes/one to node1', 0, 0)
  expect(hindranceIn([scheduled], one)).toBeNull()
  const refused = event('FailedCreatePodSandBox', NO_USERS, 40, 150)
  expect(hindranceIn([refused, event('FailedMount', 'no such volume', 30, 35), scheduled], one)).toEqual({
    why: `node1 cannot begin with its pod (FailedCreatePodSandBox: ${NO_USERS})`,
    ms: 120_000,
  })
})

test("Kueue's reason for holding a pod is on its workload, until it is admitted", () => {
  const waits = { type: 'QuotaReserved', status: 'False', reason: 'Pending', message: 'insufficient unused quota' }
  const stopped = {
    type: 'QuotaReserved',
    status: 'False',
    reason: 'Inadmissible',
    message: 'ClusterQueue beads is inactive',
  }
  const reserved = { type: 'QuotaReserved', status: 'True', message: 'Quota reserved in ClusterQueue beads' }
  expect(whyQueued([{ status: { conditions: [waits] } }])).toBe('insufficient unused quota')
  expect(whyQueued([{ status: { conditions: [stopped] } }])).toBe('ClusterQueue beads is inactive')
  expect(whyQueued([{ status: { conditions: [reserved] } }])).toBe('')
  expect(whyQueued([{}])).toBe('')
})
