import { expect, test } from 'vitest'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import { ExtraSlots } from './extra-slots.ts'

const live = (...states: string[]) => ({
  liveExecutions: () => states.map((state) => ({ state, pendingPush: null }) as Execution),
})

test('further slots are given only while there are free ones, and are free again once they are given back', () => {
  let freed = 0
  const slots = new ExtraSlots(4, live('RUNNING', 'RUNNING', 'QUEUED'), () => (freed += 1))
  expect(slots.take(1)).toBe(1)
  expect(slots.take(5)).toBe(1)
  expect(slots.take(1)).toBe(0)
  expect(slots.used).toBe(2)
  slots.giveBack(2)
  slots.giveBack(0)
  expect([slots.used, freed]).toEqual([0, 1])
})

test('none is given where there are more executions than slots', () => {
  expect(new ExtraSlots(1, live('RUNNING', 'RUNNING')).take(3)).toBe(0)
})
