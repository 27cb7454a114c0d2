import { expect, test } from 'vitest'
import type { Clock } from '../../process/clock.ts'
import { endYounger } from './end-younger.ts'
import type { ProcessTable } from './process-table.ts'

type Entry = { pid: number; parent: number; ageMs: number; stubborn?: true }

/** Processes that end by SIGTERM, unless they are stubborn. `again` starts others at each look. */
function world(entries: Entry[], again: () => Entry[] = () => []) {
  let now = 0
  const alive = new Map(entries.map((one) => [one.pid, { ...one, began: -one.ageMs }]))
  const signals: [number, string][] = []
  const table: Pick<ProcessTable, 'others' | 'ageMs' | 'signal'> = {
    others: () => {
      for (const one of again()) alive.set(one.pid, { ...one, began: now - one.ageMs })
      return [...alive.values()].map(({ pid, parent }) => ({ pid, parent, state: 'S' }))
    },
    ageMs: (pid) => now - (alive.get(pid)?.began ?? -Infinity),
    signal: (pid, signal) => {
      signals.push([pid, signal])
      if (signal === 'SIGKILL' || !alive.get(pid)?.stubborn) alive.delete(pid)
    },
  }
  const clock: Pick<Clock, 'monotonic' | 'sleep'> = {
    monotonic: () => now,
    sleep: async (ms) => void (now += ms),
  }
  return { table: table as ProcessTable, clock: clock as Clock, signals, alive }
}

const AGENT = 10
const agent: Entry = { pid: AGENT, parent: 2, ageMs: 60_000 }
const step = { youngerMs: 1000, spared: AGENT }

test('what the agent has started in this step ends, in any depth, and what was there before stays', async () => {
  const { table, clock, alive } = world([
    agent,
    { pid: 11, parent: AGENT, ageMs: 30_000 },
    { pid: 12, parent: 11, ageMs: 500 },
    { pid: 13, parent: 12, ageMs: 400 },
    { pid: 14, parent: 1, ageMs: 300 }, // it has left its command
  ])
  expect(await endYounger(table, clock, step)).toBe(3)
  expect([...alive.keys()]).toEqual([AGENT, 11])
})

test('what a server in the background starts stays, and keeps nobody waiting', async () => {
  let pid = 100
  const server: Entry = { pid: 20, parent: 1, ageMs: 30_000 }
  const { table, clock, signals, alive } = world([agent, server, { pid: 12, parent: AGENT, ageMs: 500 }], () => [
    { pid: ++pid, parent: 20, ageMs: 0 },
  ])
  expect(await endYounger(table, clock, step)).toBe(1)
  expect(signals).toEqual([[12, 'SIGTERM']])
  expect(clock.monotonic()).toBeLessThan(100)
  expect(alive.has(101)).toBe(true)
})

test('a command that does not end by itself is killed after a moment', async () => {
  const { table, clock, signals } = world([agent, { pid: 12, parent: AGENT, ageMs: 500, stubborn: true }])
  expect(await endYounger(table, clock, step)).toBe(1)
  expect(signals).toEqual([
    [12, 'SIGTERM'],
    [12, 'SIGKILL'],
  ])
})
