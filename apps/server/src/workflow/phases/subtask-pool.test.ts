import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Execution, ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { anySubtasks } from '@beadloom/core/plan/plan-kit.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import type { Subtask } from '@beadloom/core/records/plan.ts'
import { startsOf, type SubtaskStatus } from '@beadloom/core/plan/start-order.ts'
import { overlap } from '@beadloom/core/plan/touched-files.ts'
import type { ExtraSlots } from '../../execution/extra-slots.ts'
import { oneEngine } from '../../execution/testing.ts'
import { inParallel } from './subtask-pool.ts'

const demo = parseProjectId('demo')
type End = ExecutionEnd | null
const failed: ExecutionEnd = { state: 'FAILED', reason: 'subtask_failed', detail: 'no' }
/** Waits until everything that can happen by itself has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A phase at work: its subtasks end when the test says so, and other executions come and go. */
class Phase {
  readonly statuses = new Map<string, SubtaskStatus>()
  readonly starts: string[] = []
  readonly slots: ExtraSlots
  readonly end: Promise<End>
  readonly #ends = new Map<string, { resolve: (end: End) => void; reject: (error: Error) => void }>()

  readonly subtasks: readonly Subtask[]
  readonly limit: number
  /** Executions that run beside its own. */
  others: number

  constructor(subtasks: readonly Subtask[], limit: number, total: number, atWork: readonly string[] = [], others = 0) {
    this.subtasks = subtasks
    this.limit = limit
    this.others = others
    const live = { liveExecutions: () => Array.from({ length: 1 + this.others }, () => running) }
    this.slots = oneEngine(total, live)
    const start = (id: string) => this.#begin(id)
    this.end = inParallel(
      { slots: this.slots.of(demo), startable: () => this.startable(), start },
      new Map(atWork.map((id) => [id, () => this.#begin(id)])),
    )
    this.end.catch(() => {})
  }

  startable = (): string[] => startsOf(this.subtasks, this.statuses, this.limit).map(({ id }) => id)

  get running(): string[] {
    return [...this.#ends.keys()]
  }

  async finish(id: string, how: End | Error = null): Promise<void> {
    const its = this.#ends.get(id)
    this.#ends.delete(id)
    this.statuses.set(id, how === null ? 'completed' : 'failed')
    if (how instanceof Error) its?.reject(how)
    else its?.resolve(how)
    await settled()
  }

  #begin(id: string): Promise<End> {
    this.starts.push(id)
    this.statuses.set(id, 'running')
    return new Promise((resolve, reject) => this.#ends.set(id, { resolve, reject }))
  }
}

const running = { state: 'RUNNING', waits: null } as Execution

test('every subtask of any plan starts once, as soon as it may, within limit and slots, and overlapping ones never run together', async () => {
  await fc.assert(
    fc.asyncProperty(
      anySubtasks,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.infiniteStream(fc.nat(20)),
      async (subtasks, limit, total, chance) => {
        const byId = new Map(subtasks.map((one) => [one.id, one]))
        for (const ids of phasesOf(subtasks)) {
          const phase = new Phase(
            ids.map((id) => byId.get(id)!),
            limit,
            total,
          )
          await settled()
          while (phase.running.length > 0) {
            const { running: now, slots } = phase
            expect(now.length).toBeLessThanOrEqual(limit)
            expect(slots.used).toBe(now.length - 1)
            if (slots.used > 0) expect(1 + slots.used).toBeLessThanOrEqual(total)
            // No startable subtask waits while there is a slot.
            if (phase.startable().length > 0) expect(1 + phase.others + slots.used).toBeGreaterThanOrEqual(total)
            const files = now.map((id) => byId.get(id)!)
            for (const [at, one] of files.entries())
              for (const other of files.slice(at + 1)) expect(overlap(one, other)).toBe(false)
            await phase.finish(now[chance.next().value! % now.length]!)
            const free = total - 1 - phase.slots.used
            phase.others = free > 0 ? chance.next().value! % (free + 1) : 0
            phase.slots.roundOver()
            await settled()
          }
          expect(phase.starts.toSorted()).toEqual(ids.toSorted())
          expect(await phase.end).toBeNull()
          expect(phase.slots.used).toBe(0)
        }
      },
    ),
    { numRuns: 60 },
  )
})

const of = (count: number): Subtask[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `s${at}`,
    title: '',
    description: '',
    type: 'impl',
    dependsOn: [],
    filesTouched: [`f${at}`],
  }))

describe('subtasks of a phase', () => {
  test('take the slot of an ended one at once, and a slot that frees up elsewhere after the scheduler', async () => {
    const phase = new Phase(of(5), 3, 3, [], 1)
    await settled()
    expect(phase.starts).toEqual(['s0', 's1'])
    await phase.finish('s1')
    expect(phase.starts).toEqual(['s0', 's1', 's2'])
    phase.others = 0
    await settled()
    expect(phase.starts).toHaveLength(3)
    phase.slots.roundOver()
    await settled()
    expect(phase.starts).toEqual(['s0', 's1', 's2', 's3'])
    for (const id of ['s0', 's2', 's3', 's4']) await phase.finish(id)
    expect(await phase.end).toBeNull()
  })

  test('wait for a slot, and come one after the other if there is only one', async () => {
    const phase = new Phase(of(3), 3, 1)
    await settled()
    expect(phase.running).toEqual(['s0'])
    phase.slots.roundOver()
    await settled()
    expect(phase.running).toEqual(['s0'])
    await phase.finish('s0')
    expect(phase.running).toEqual(['s1'])
    await phase.finish('s1')
    await phase.finish('s2')
    expect(await phase.end).toBeNull()
  })

  test('finish before a failed one ends the execution, and nothing starts any more', async () => {
    const phase = new Phase(of(4), 2, 3)
    await settled()
    await phase.finish('s0', failed)
    expect(phase.running).toEqual(['s1'])
    await phase.finish('s1')
    expect(await phase.end).toBe(failed)
    expect(phase.slots.used).toBe(0)
  })

  test('finish before an error is thrown', async () => {
    const phase = new Phase(of(2), 2, 3)
    await settled()
    await phase.finish('s1', new Error('no sandbox'))
    await phase.finish('s0')
    await expect(phase.end).rejects.toThrow('no sandbox')
    expect(phase.slots.used).toBe(0)
  })

  test('that an earlier server began hold their slots, even if nothing is free, and others come after them', async () => {
    const phase = new Phase(of(3), 3, 1, ['s0', 's2'])
    await settled()
    expect([phase.running, phase.slots.used]).toEqual([['s0', 's2'], 1])
    await phase.finish('s0')
    expect([phase.running, phase.slots.used]).toEqual([['s2'], 0])
    await phase.finish('s2')
    expect(phase.running).toEqual(['s1'])
    await phase.finish('s1')
    expect(await phase.end).toBeNull()
  })
})
