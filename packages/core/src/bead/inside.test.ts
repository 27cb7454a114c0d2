import { expect, test } from 'vitest'
import { isInside, originOf } from './inside.ts'
import { sampleBead } from '../testing/sample-bead.ts'

const origin = sampleBead('bl-1')
const followUp = sampleBead('bl-2', {
  filedFor: origin.id,
  dependencies: [{ dependsOn: origin.id, type: 'discovered-from' }],
})
const among =
  (...beads: (typeof origin)[]) =>
  ({ dependsOn }: { dependsOn: string }) =>
    beads.find(({ id }) => id === dependsOn)

test('a follow-up has a bead as long as that exists and the two are linked in the tracker', () => {
  expect(originOf(followUp, among(origin))?.id).toBe('bl-1')
  expect(originOf(followUp, among())).toBeNull()
  expect(originOf(followUp, among({ ...origin, trackerStatus: 'tombstone' }))).toBeNull()
  expect(originOf(followUp, among({ ...origin, ephemeral: true }))).toBeNull()
  expect(originOf(followUp, among({ ...origin, filedFor: followUp.id }))).toBeNull()
  expect(originOf({ ...followUp, dependencies: [] }, among(origin))).toBeNull()
})

test('a bead that claims it only in its tracker, by edge and label, is no follow-up', () => {
  const { filedFor: _, ...written } = { ...followUp, labels: ['beadloom'] }
  expect(originOf(written, among(origin))).toBeNull()
})

test('it is inside its bead, except for work that is left once that is done', () => {
  for (const status of ['open', 'in_progress', 'blocked', 'timeout'] as const)
    for (const own of ['open', 'in_progress', 'blocked', 'timeout', 'done'] as const)
      expect(isInside({ status: own }, { status })).toBe(true)
  expect(isInside({ status: 'done' }, { status: 'done' })).toBe(true)
  expect(isInside({ status: 'open' }, { status: 'done' })).toBe(false)
  expect(isInside({ status: 'open' }, null)).toBe(false)
})
