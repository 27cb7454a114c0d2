import { describe, expect, test } from 'vitest'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { SyncQueue } from './sync-queue.ts'

const lib = parseProjectId('lib')
const row = { problem: null as string | null, warnings: ['one'] }
const store = {
  project: (id: string) => (id === 'gone' ? null : row) as never,
  trackerState: () => ({ waiting: 2, dueAt: null, problem: 'the tracker is locked' }),
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}

describe('the syncs of a project', () => {
  test('are remembered with their cause, their time and their problem', async () => {
    const clock = new HandClock()
    const syncs = new SyncQueue({ store, clock })
    await syncs.inTurn(lib, 'asked', async () => clock.advance(250))
    const { running, runs } = syncs.of(lib)
    expect(running).toBe(false)
    expect(runs).toEqual([
      expect.objectContaining({
        cause: 'asked',
        tookMs: 250,
        problem: 'the tracker is locked',
        warnings: 1,
        waiting: 2,
      }),
    ])
  })

  test('that fail are remembered and still fail for their caller', async () => {
    const syncs = new SyncQueue({ store, clock: new HandClock() })
    const failing = syncs.inTurn(lib, 'tracker', async () => {
      throw new Error('no such folder')
    })
    await expect(failing).rejects.toThrow('no such folder')
    expect(syncs.of(lib).runs[0]?.problem).toBe('no such folder')
  })

  test('are remembered with the first words of a long problem, fifty times', async () => {
    const syncs = new SyncQueue({ store, clock: new HandClock() })
    const failing = syncs.inTurn(lib, 'tracker', async () => {
      throw new Error('no such folder '.repeat(10_000))
    })
    await expect(failing).rejects.toThrow('no such folder')
    expect(syncs.of(lib).runs[0]?.problem).toMatch(/^no such folder .*…$/)
    expect(syncs.of(lib).runs[0]?.problem?.length).toBeLessThanOrEqual(1_000)
  })

  test('come one after the other, and a caller during one shares the next one', async () => {
    const syncs = new SyncQueue({ store, clock: new HandClock() })
    const first = gate()
    const done: string[] = []
    const one = syncs.inTurn(lib, 'asked', async () => {
      await first.opened
      done.push('one')
    })
    const others = ['two', 'three', 'four'].map((name) => syncs.inTurn(lib, 'asked', async () => void done.push(name)))
    expect(syncs.of(lib).running).toBe(true)
    first.open()
    await Promise.all([one, ...others])
    expect(done).toEqual(['one', 'two'])
  })

  test('of the tracker alone are not enough for a caller who wants everything', async () => {
    const syncs = new SyncQueue({ store, clock: new HandClock() })
    const first = gate()
    const done: string[] = []
    const tracker = syncs.inTurn(lib, 'tracker', () => first.opened)
    const again = syncs.inTurn(lib, 'tracker', async () => void done.push('tracker'))
    const whole = syncs.inTurn(lib, 'asked', async () => void done.push('whole'))
    first.open()
    await Promise.all([tracker, again, whole])
    expect(done).toContain('whole')
  })

  test('are fifty at most, and none for a removed project', async () => {
    const syncs = new SyncQueue({ store, clock: new HandClock() })
    for (let n = 0; n < 60; n++) await syncs.inTurn(lib, 'execution', async () => {})
    expect(syncs.of(lib).runs).toHaveLength(50)
    await syncs.inTurn(parseProjectId('gone'), 'asked', async () => {})
    expect(syncs.of(parseProjectId('gone')).runs).toEqual([])
  })
})
