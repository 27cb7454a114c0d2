import { label } from '@beadloom/server/src/container/kubernetes/kubernetes-options.ts'
import { afterAll, expect } from 'vitest'
import { missingCluster } from './cluster.ts'
import { client, removePods } from './cluster-stage.ts'
import { eventually } from './working.ts'

/*
 * Checks after each file that it has left no pod: a leftover would take room from the next file, and its cause would be
 * hard to find. A pod that is being deleted still takes room until it is gone.
 */

const ours = { namespace: client.namespace, labelSelector: label.instance }

const pods = async () => (await client.call('list what is left', ({ core }) => core.listNamespacedPod(ours))).items

afterAll(async () => {
  if (missingCluster !== null) return
  let left: string[] = []
  await eventually(async () => {
    const there = await pods()
    const staying = there.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    left = staying.map(({ metadata }) => metadata?.name ?? '')
    return staying.length > 0 || there.length === 0
  })
  if (left.length === 0) return
  await removePods(label.instance)
  expect(left).toEqual([])
})
