import { expect, test } from 'vitest'
import { ungated } from './pod-life.ts'
import { GATE } from './pod-manifest.ts'

const path = '/spec/schedulingGates'
const podWith = (...names: string[]) => ({ spec: { containers: [], schedulingGates: names.map((name) => ({ name })) } })

test('a start takes our own gate away, and leaves that of a queue', () => {
  expect(ungated(podWith(GATE))).toEqual({ op: 'remove', path })
  const queue = 'kueue.x-k8s.io/admission'
  expect(ungated(podWith(queue, GATE))).toEqual({ op: 'replace', path, value: [{ name: queue }] })
})
