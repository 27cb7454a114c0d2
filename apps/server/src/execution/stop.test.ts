import { expect, test } from 'vitest'
import { Stopper, type StopReason } from './stop.ts'

test('the first reason counts and is noted before anybody acts on it', () => {
  const seen: string[] = []
  const stopper = new Stopper(({ stop }) => seen.push(`noted ${stop}`))
  stopper.signal.addEventListener('abort', () => seen.push('stopped'))
  stopper.stop({ stop: 'timeout', reason: 'silence' })
  stopper.stop({ stop: 'cancelled' })
  expect(seen).toEqual(['noted timeout', 'stopped'])
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'silence' } satisfies StopReason)
})

test('a server that goes down also lets go of executions that are being stopped, and notes nothing', () => {
  const noted: StopReason[] = []
  const stopper = new Stopper((reason) => noted.push(reason))
  stopper.stop({ stop: 'cancelled' })
  expect(stopper.detached).toBe(false)
  stopper.stop({ stop: 'detach' })
  expect(stopper.detached).toBe(true)
  expect(stopper.letGo.aborted).toBe(true)
  expect(stopper.reason).toEqual({ stop: 'cancelled' })
  expect(noted).toEqual([{ stop: 'cancelled' }])
})
