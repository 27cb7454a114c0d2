import { expect, test } from 'vitest'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { parseExecutionId, parseProjectId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { ExtraSlots } from './extra-slots.ts'
import { LentSlots } from './lent-slots.ts'
import { oneEngine } from './testing.ts'

const demo = parseProjectId('demo')
const reserved = (slots: ExtraSlots) => slots.uses().reduce((sum, one) => sum + one.reserved, 0)
const session = (number: number) => sessionIdOf(parseExecutionId('ex-0000000001'), number)

/** So many slots, and executions that have one each. */
function open(total: number, running: number) {
  const own = { running }
  const store = {
    liveExecutions: () => Array.from({ length: own.running }, () => ({ state: 'RUNNING', waits: null }) as Execution),
  }
  const slots = oneEngine(total, store)
  return { own, slots, lent: new LentSlots(slots), inUse: () => own.running + slots.used }
}

/** A round of the scheduler, until all that wait for it have looked. */
async function round(slots: ExtraSlots): Promise<void> {
  slots.roundOver()
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

test('a session that waits for a person lends its slot, and gets it back at once if it is free', async () => {
  const { lent, inUse } = open(2, 2)
  const slot = lent.of(session(1), demo)
  slot.lend()
  slot.lend()
  expect(inUse()).toBe(1)
  let waited = 0
  await slot.back(new AbortController().signal, () => waited++)
  expect([inUse(), waited, slot.isLent]).toEqual([2, 0, false])
  slot.over()
  expect(inUse()).toBe(2)
})

test('if another session has its slot, it waits for the next free one, which nobody else gets', async () => {
  const { own, slots, lent, inUse } = open(1, 1)
  const slot = lent.of(session(1), demo)
  slot.lend()
  own.running = 2
  let [waited, isBack] = [0, false]
  void slot.back(new AbortController().signal, () => waited++).then(() => (isBack = true))
  await round(slots)
  expect([waited, isBack, reserved(slots)]).toEqual([1, false, 1])
  own.running = 1
  // Free, but reserved.
  expect(slots.of(demo).take(1)).toBe(0)
  await round(slots)
  expect([waited, isBack, reserved(slots), inUse()]).toEqual([1, true, 0, 1])
})

test('sessions come back in the order in which they were let continue', async () => {
  const { own, slots, lent } = open(2, 2)
  const both = [lent.of(session(1), demo), lent.of(session(2), demo)]
  for (const slot of both) slot.lend()
  own.running = 4
  const back: number[] = []
  both.forEach((slot, at) => void slot.back(new AbortController().signal, () => {}).then(() => back.push(at + 1)))
  await round(slots)
  expect(back).toEqual([])
  own.running = 3
  await round(slots)
  expect(back).toEqual([1])
  own.running = 2
  await round(slots)
  expect(back).toEqual([1, 2])
})

test('only as many sessions as there are slots lend theirs, because waiting containers keep their memory', () => {
  const { own, lent, inUse } = open(2, 2)
  const first = [lent.of(session(1), demo), lent.of(session(2), demo)]
  for (const slot of first) slot.lend()
  own.running = 4
  const later = lent.of(session(3), demo)
  later.lend()
  expect([later.isLent, inUse()]).toEqual([false, 2])
  first[0]!.over()
  later.lend()
  expect([later.isLent, inUse()]).toEqual([true, 2])
})

test('several calls of a session are one wait, and the last one gives the session its slot back', async () => {
  const { own, slots, lent, inUse } = open(1, 1)
  const calls = [lent.of(session(1), demo), lent.of(session(1), demo)]
  for (const slot of calls) slot.lend()
  expect(inUse()).toBe(0)
  own.running = 2
  const stop = new AbortController()
  let over = 0
  for (const slot of calls) void slot.back(stop.signal, () => {}).then(() => over++)
  await round(slots)
  expect([over, reserved(slots)]).toEqual([0, 1])
  // It is stopped: saving its work waits for nothing.
  stop.abort()
  await round(slots)
  calls[0]!.over()
  expect([over, inUse()]).toEqual([2, 1])
  calls[1]!.over()
  expect(inUse()).toBe(2)
  await round(slots)
  expect(reserved(slots)).toBe(0)
})
