import type { V1ContainerState, V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { quantityOf } from './quantity.ts'
import { annotation } from './kubernetes-options.ts'
import { keptPath } from './pod-folders.ts'
import { neverRuns, podState, whyUnplaced } from './pod-state.ts'
import { whyGone } from './pod-words.ts'

const started = new Date('2026-01-01T00:00:00Z')
const finished = new Date('2026-01-01T00:01:00Z')
const running: V1ContainerState = { running: { startedAt: started } }
const ended = (exitCode: number, reason = 'Error'): V1ContainerState => ({
  terminated: { exitCode, reason, startedAt: started, finishedAt: finished },
})

function pod(starts: number, status: Partial<V1ContainerStatus>, phase = 'Running'): V1Pod {
  const sandbox = { name: 'sandbox', image: '', imageID: '', ready: true, restartCount: 0, ...status }
  return {
    metadata: { name: 'one', annotations: { [annotation.starts]: String(starts) } },
    status: { phase, initContainerStatuses: [sandbox] },
  }
}

test('a pod that nobody has started counts as created, and so does one that waits for room', () => {
  expect(podState(pod(0, {}))).toEqual({ state: 'created', startedAt: 0 })
  expect(podState(pod(1, { state: { waiting: { reason: 'PodInitializing' } } }))).toMatchObject({ state: 'created' })
})

test('a pod runs until its start has ended, even if its node has started it again', () => {
  expect(podState(pod(1, { state: running }))).toEqual({ state: 'running', startedAt: started.getTime() })
  const exit = { code: 3, oomKilled: false, lost: false, startedAt: started.getTime(), finishedAt: finished.getTime() }
  expect(podState(pod(1, { state: ended(3) }))).toEqual({ state: 'exited', exit })
  const again = { restartCount: 1, state: running, lastState: ended(3) }
  expect(podState(pod(1, again))).toEqual({ state: 'exited', exit })
  expect(podState(pod(2, again))).toMatchObject({ state: 'running' })
  const later = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(3) }
  expect(podState(pod(1, later))).toEqual({ state: 'exited', exit })
})

test('a kill for lack of memory is recognised, whatever the exit code says', () => {
  const { exit } = podState(pod(1, { state: ended(0, 'OOMKilled') })) as { exit: unknown }
  expect(exit).toMatchObject({ code: 137, oomKilled: true, lost: false })
})

test('a container whose state its node does not know is lost', () => {
  expect(podState(pod(1, { state: ended(137, 'ContainerStatusUnknown') }))).toMatchObject({ exit: { lost: true } })
})

test('a pod that is being deleted is gone, whatever still runs in it', () => {
  const deleted = pod(1, { state: running })
  deleted.metadata!.deletionTimestamp = finished
  expect(podState(deleted)).toEqual({ state: 'gone' })
  expect(podState(null)).toEqual({ state: 'gone' })
})

test('an evicted pod is gone, and is never started again', () => {
  const evicted = pod(1, { state: ended(137) }, 'Failed')
  evicted.status = { ...evicted.status, reason: 'Evicted', message: 'Pod ephemeral local storage usage exceeds 1Gi. ' }
  expect(podState(evicted)).toEqual({ state: 'gone' })
  const why = 'its pod has ended (Evicted: Pod ephemeral local storage usage exceeds 1Gi)'
  expect(neverRuns(evicted)).toMatchObject({ kind: 'lost', message: why })
})

test.each([
  ['its status', { reason: 'Evicted', message: 'The node was low on resource: memory. ' }, 'Evicted'],
  [
    'a condition alone',
    {
      conditions: [
        {
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'TerminationByKubelet',
          message: 'The node was low on resource: memory. ',
        },
      ],
    },
    'TerminationByKubelet',
  ],
])('a pod that its node ends for lack of memory is gone, with the reason from %s', (_, status, reason) => {
  const taken = pod(1, { state: ended(137, 'OOMKilled') })
  taken.status = { ...taken.status, ...status }
  expect(podState(taken)).toEqual({ state: 'gone' })
  expect(whyGone(taken)).toBe(`its pod has ended (${reason}: The node was low on resource: memory)`)
  expect(podState(pod(1, { state: ended(137, 'OOMKilled') }))).toMatchObject({ exit: { oomKilled: true } })
  const runs = pod(1, { state: running })
  runs.status = { ...runs.status, ...status }
  expect(podState(runs)).toMatchObject({ state: 'running' }) // it has its grace
})

test('a pod whose image its node cannot pull never runs, and the responsible person is named', () => {
  const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image' }
  expect(neverRuns(pod(1, { state: { waiting } }, 'Pending'))).toMatchObject({
    kind: 'image-missing',
    message: expect.stringMatching(/its node cannot get its image \(ImagePullBackOff: Back-off.*"pullSecret"/),
  })
})

test('a pod that reaches the network never runs, with advice', () => {
  const open = pod(1, { name: 'prepare', state: { terminated: { exitCode: 78, message: 'reached 10.0.0.1:443' } } })
  expect(neverRuns(open)).toMatchObject({
    kind: 'weaker-than-asked',
    message: expect.stringMatching(/reached 10\.0\.0\.1:443.*policies.*runtimeClass/),
  })
  expect(neverRuns(pod(1, { state: running }))).toBeNull()
})

test('a pod that should have users of its own, but has those of its node, never runs', () => {
  const prepared = pod(1, { name: 'prepare', state: { terminated: { exitCode: 79, message: 'its users are …' } } })
  expect(neverRuns(prepared)).toMatchObject({
    kind: 'weaker-than-asked',
    message: expect.stringMatching(/its users are those of its node.*"userNamespaces"/),
  })
})

test('paths of a sandbox that outlive it are on the keeper’s volume, and no others', () => {
  expect(keptPath('/workspace/a/b')).toBe('/files/workspace/a/b')
  expect(keptPath('/home/agent')).toBe('/files/home/agent')
  expect(keptPath('/var/lib/beadloom/sessions/x')).toBe('/files/lib/beadloom/sessions/x')
  expect(keptPath('/workspaces')).toBeNull()
  expect(keptPath('/etc/passwd')).toBeNull()
})

test('quantities are read as Kubernetes writes them', () => {
  expect(['1500m', '2', '6Ki', '1.5Gi', 'much'].map(quantityOf)).toEqual([1.5, 2, 6144, 1.5 * 1024 ** 3, 0])
})

test('a pod without a node says why, in the words of the cluster or of its holder; one whose image is pulled waits, too', () => {
  const message = '0/2 nodes are available: 2 Insufficient memory.'
  const waits = pod(1, {}, 'Pending')
  waits.status = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message }] }
  expect(`${whyUnplaced(waits)}.`).toBe(message)
  const held = { ...waits, spec: { containers: [], schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] } }
  expect(whyUnplaced(held)).toBe('held by kueue.x-k8s.io/admission')
  const placed = pod(1, { state: { waiting: { reason: 'PodInitializing' } } }, 'Pending')
  placed.spec = { containers: [], nodeName: 'node1' }
  expect(whyUnplaced(placed)).toBe('node1 gets its image')
  const unbegun = { type: 'PodReadyToStartContainers', status: 'False' }
  expect(whyUnplaced({ ...placed, status: { ...placed.status, conditions: [unbegun] } })).toBe('')
  placed.status = {
    phase: 'Pending',
    initContainerStatuses: [{ ...sandboxOf(placed), state: pulls('ImagePullBackOff') }],
  }
  expect(whyUnplaced(placed)).toBeNull() // it never will
  expect(whyUnplaced(pod(1, { state: running }))).toBeNull()
})

const pulls = (reason: string): V1ContainerState => ({ waiting: { reason } })
const sandboxOf = (one: V1Pod): V1ContainerStatus => one.status?.initContainerStatuses?.[0] as V1ContainerStatus
