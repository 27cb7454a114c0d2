import { expect, test } from 'vitest'
import { ungated } from './pod-life.ts'
import { GATE } from './pod-manifest.ts'

const podWith = (...names: string[]) => ({ spec: { containers: [], schedulingGates: names.map((name) => ({ name })) } })
const gate = (at: number) => [
  { op: 'test', path: `/spec/schedulingGates/${at}/name`, value: GATE },
  { op: 'remove', path: `/spec/schedulingGates/${at}` },
]

test('a start removes our own gate if it is still there, and leaves the gates of a queue alone', () => {
  expect(ungated(podWith(GATE))).toEqual(gate(0))
  expect(ungated(podWith('kueue.x-k8s.io/admission', GATE))).toEqual(gate(1))
})
