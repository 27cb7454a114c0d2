import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Clock } from '../../process/clock.ts'
import { tempFolder } from '../../testing/temp-folder.ts'
import { endAll } from './end-all.ts'
import { endYounger } from './end-younger.ts'
import { memoryKills } from './memory-kills.ts'
import { ownNamespace, parseStart, parseStat, type ProcessTable } from './process-table.ts'
import { stopAll } from './stop-all.ts'

/** Time passes only in sleeps. */
const clock: Clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() }
const never = new AbortController().signal

/** Made-up processes: `states` by pid, and the effect of a signal on them. */
function madeUp(states: Map<number, string>, more: Partial<ProcessTable> = {}): ProcessTable {
  const set: Record<string, string | undefined> = { SIGSTOP: 'T', SIGCONT: 'S' }
  return {
    others: () => [...states].map(([pid, state]) => ({ pid, parent: 1, state })),
    isStopped: (pid) => states.get(pid) === 'T',
    signal: (pid, name) => {
      const next = set[name]
      if (next) states.set(pid, next)
      else states.delete(pid)
    },
    killAll: () => states.clear(),
    ageMs: () => 0,
    ...more,
  }
}

test('everything is killed, and counted', async () => {
  expect(
    await endAll(
      madeUp(
        new Map([
          [5, 'S'],
          [6, 'R'],
        ]),
      ),
      clock,
    ),
  ).toEqual({ killed: 2, left: 0 })
  expect(await endAll(madeUp(new Map()), clock)).toEqual({ killed: 0, left: 0 })
})

test('a process that changes its number before the signal comes is killed with all others in one go', async () => {
  const states = new Map([[10, 'R']])
  let next = 10
  const table = madeUp(states, {
    signal: (pid) => {
      states.delete(pid)
      states.set(++next, 'R')
    },
  })
  expect(await endAll(table, clock)).toMatchObject({ left: 0 })
})

test('only young processes are ended, those that do not want to by force, and never the first one', async () => {
  const states = new Map([2, 3, 4, 5].map((pid) => [pid, 'S'] as const)) as Map<number, string>
  const ages: Record<number, number> = { 2: 10, 3: 90_000, 4: 900, 5: 20 }
  const sent: string[] = []
  const table = madeUp(states, {
    ageMs: (pid) => ages[pid] ?? Infinity,
    signal: (pid, name) => {
      sent.push(`${pid} ${name}`)
      if (pid === 4 || name === 'SIGKILL') states.delete(pid)
    },
  })
  let now = 0
  const ticking: Clock = { now: () => now, monotonic: () => now, sleep: async (ms) => void (now += ms) }
  expect(await endYounger(table, ticking, { youngerMs: 1000, spared: 2 })).toBe(2)
  expect(sent).toEqual(['4 SIGTERM', '5 SIGTERM', '5 SIGKILL'])
  expect([...states.keys()]).toEqual([2, 3])
})

test('the time of a start is read whatever name a process has', () => {
  const fields = Array.from({ length: 50 }, (_, at) => at + 1)
  expect(parseStart(`7 (a) b) S ${fields.slice(3).join(' ')}`)).toBe(220)
})

test('a process that the kernel does not let go is given up, and reported', async () => {
  const table = madeUp(new Map([[7, 'D']]), { signal: () => {}, killAll: () => {} })
  expect(await endAll(table, clock)).toEqual({ killed: 1, left: 1 })
})

test('a stop applies to all processes, and is taken back for those that it has stopped', async () => {
  const states = new Map([
    [5, 'S'],
    [6, 'T'],
    [7, 'R'],
  ])
  const stopped = await stopAll(madeUp(states), clock, never)
  expect([...states.values()]).toEqual(['T', 'T', 'T'])
  stopped?.resume()
  expect([...states.values()]).toEqual(['S', 'T', 'S'])
})

test('a process that waits for a child stopped before its exec is let go for a moment, and stopped then', async () => {
  const states = new Map([
    [5, 'D'],
    [6, 'S'],
  ])
  const signal = (pid: number, name: NodeJS.Signals): void => {
    if (name === 'SIGSTOP' && states.get(pid) !== 'D') states.set(pid, 'T')
    if (name !== 'SIGCONT' || pid !== 6) return
    states.set(6, 'S') // it comes to its exec now, so its parent is free
    states.set(5, 'S')
  }
  expect(await stopAll(madeUp(states, { signal }), clock, never)).not.toBeNull()
  expect([...states.values()]).toEqual(['T', 'T'])
})

test('no process is stopped if not all can be', async () => {
  const states = new Map([
    [5, 'S'],
    [6, 'D'],
  ])
  const signal = (pid: number, name: NodeJS.Signals): void => {
    if (pid === 5) states.set(5, name === 'SIGSTOP' ? 'T' : 'S')
  }
  expect(await stopAll(madeUp(states, { signal }), clock, never)).toBeNull()
  expect(states.get(5)).toBe('S')
})

test('the name of a process says nothing about its state or its parent', () => {
  expect(parseStat('12 (sleep) S 1 12 12 0')).toEqual({ pid: 12, state: 'S', parent: 1 })
  expect(parseStat('13 (a) Z 0 (b\n) R 0) T 7 1')).toEqual({ pid: 13, state: 'T', parent: 7 })
})

test('outside of a sandbox there is no table: it could end the machine', () => {
  expect(() => ownNamespace(() => [], { pid: process.pid, ppid: process.ppid })).toThrow(/process 1/)
  expect(() => ownNamespace(() => [], { pid: process.pid, ppid: 1 })).toThrow(/process 1 is not the one of a sandbox/)
})

test('the count of out-of-memory kills is read in both versions of control groups', async () => {
  const folder = await tempFolder()
  const [second, first] = [join(folder, 'memory.events'), join(folder, 'memory.oom_control')]
  expect(memoryKills([second, first])).toBeNull()
  await writeFile(first, 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n')
  expect(memoryKills([second, first])).toBe(3)
  await writeFile(second, 'low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\noom_group_kill 0\n')
  expect(memoryKills([second, first])).toBe(1)
})
