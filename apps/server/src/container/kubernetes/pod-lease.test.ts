import { expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { PodLease } from './pod-lease.ts'

const POD = 'pod/a/1'

function tried(): { clock: HandClock; lease: PodLease } {
  const clock = new HandClock()
  const lease = new PodLease(clock)
  lease.tried(POD)
  return { clock, lease }
}

test('a sandbox that is silent for 95 seconds is lost, and stays so when it is heard again', async () => {
  const { clock, lease } = tried()
  await clock.advance(94_000)
  lease.tried(POD)
  expect(lease.isLost(POD)).toBe(false)
  await clock.advance(1_000)
  expect(lease.isLost(POD)).toBe(true)
  lease.heard(POD)
  expect(lease.isLost(POD)).toBe(true)
  expect(lease.isLost('pod/a/2')).toBe(false)
})

test.each([
  ['one that is heard in between', (lease: PodLease) => lease.heard(POD)],
  ['one whose cluster was away in between', (lease: PodLease) => lease.nobodyAnswers()],
])('%s begins anew', async (_, between) => {
  const { clock, lease } = tried()
  await clock.advance(60_000)
  between(lease)
  lease.tried(POD)
  await clock.advance(60_000)
  expect(lease.isLost(POD)).toBe(false)
})
