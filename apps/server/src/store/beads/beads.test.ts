import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { bead, demo, openTestStore, queued, running, seededRandom, stepClock, tracked, world } from '../testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-beads-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const status = (id: string) => store.bead(demo, bead(id))?.status
const sync = (...beads: ReturnType<typeof tracked>[]) => store.replaceBeads(demo, beads)

describe('a project’s beads follow its tracker', () => {
  test('new, changed and vanished beads are counted, and the same beads again write nothing', () => {
    world(store, ['a-1', 'a-2', 'a-3'])
    const { seq } = store
    const before = seq()
    expect(sync(tracked('a-1'), tracked('a-2'), tracked('a-3'))).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(seq()).toBe(before)
    expect(sync(tracked('a-1'), tracked('a-2', { title: 'other' }), tracked('a-4'))).toEqual({
      added: 1,
      changed: 1,
      removed: 1,
    })
    expect(store.beads(demo).map(({ id, title }) => [id, title])).toEqual([
      ['a-1', 'bead a-1'],
      ['a-2', 'other'],
      ['a-4', 'bead a-4'],
    ])
  })

  test('every field comes back as it was given', () => {
    const full = tracked('a-1', {
      title: 'emoji 🧵 and <b>markup</b>\nand a line',
      description: 'x'.repeat(70_000),
      priority: 0,
      type: 'bug',
      labels: ['one', 'two'],
      dependencies: [{ dependsOn: 'a-9', type: 'blocks', metadata: '{"k":1}' }],
      deferUntil: 123,
      pinned: true,
      ephemeral: true,
      template: true,
      assignee: 'ada',
      raw: '{"id":"a-1"}',
    })
    world(store, [])
    sync(full)
    const { raw: _, ...expected } = full
    expect(store.bead(demo, bead('a-1'))).toEqual(expected)
  })

  test('the first of two beads with one id counts', () => {
    world(store, [])
    expect(sync(tracked('a-1', { title: 'first' }), tracked('a-1', { title: 'second' })).added).toBe(1)
    expect(store.bead(demo, bead('a-1'))?.title).toBe('first')
  })

  test('a bead made here is kept until the tracker has it, and follows the tracker from then on', () => {
    world(store, ['a-1'])
    store.addBead(tracked('a-2'))
    sync(tracked('a-1'))
    expect(status('a-2')).toBe('open')
    sync(tracked('a-1'), tracked('a-2'))
    sync(tracked('a-1'))
    expect(status('a-2')).toBeUndefined()
  })

  test('a bead with a used id is refused', () => {
    world(store, ['a-1'])
    expect(() => store.addBead(tracked('a-1'))).toThrow(/already has a bead a-1/)
  })

  test('very many changes at once make readers begin with a snapshot', () => {
    world(store, ['a-1'])
    const before = store.seq()
    sync(...Array.from({ length: 5001 }, (_, index) => tracked(`b-${index}`)))
    expect(store.changesAfter(before, 10)).toBeNull()
    expect(store.changesAfter(store.seq(), 10)).toEqual([])
  })
})

longTest('the list of beads always agrees with the single beads', () => {
  world(store, ['a-1', 'a-2', 'a-4'])
  const agree = () => {
    const list = store.beads(demo)
    expect(list.map(({ id }) => id)).toEqual(list.map(({ id }) => id).toSorted())
    expect(store.beadsById(demo).size).toBe(list.length)
    for (const each of list) {
      expect({ ...each, description: '' }).toEqual({ ...store.bead(demo, each.id), description: '' })
      expect(store.listedBead(demo, each.id)).toBe(each)
      expect(store.beadsById(demo).get(each.id)).toBe(each) // one in memory for all readers
    }
    return list.length
  }
  expect(agree()).toBe(3)
  running(store, 'a-1')
  store.moveBead(demo, bead('a-2'), { type: 'closed' })
  expect(agree()).toBe(3)
  store.addBead(tracked('a-3'))
  expect(agree()).toBe(4)
  expect(() => store.addBead(tracked('a-3'))).toThrow()
  sync(tracked('a-2', { title: 'other' }))
  expect(agree()).toBe(3) // a-1 is live, a-3 is ours
  store.beads(demo).length = 0 // callers own their array
  expect(agree()).toBe(3)
  sync(...Array.from({ length: 5001 }, (_, index) => tracked(`b-${index}`)))
  expect(agree()).toBe(5003)
})

describe('a status that an execution set', () => {
  test('stays until the status in the tracker changes', () => {
    world(store, ['a-1'])
    running(store, 'a-1')
    store.moveBead(demo, bead('a-1'), { type: 'blocked' })
    endAll()
    sync(tracked('a-1', { title: 'renamed' }))
    expect(status('a-1')).toBe('blocked')
    sync(tracked('a-1', { trackerStatus: 'closed', status: 'done' }))
    expect(status('a-1')).toBe('done')
    sync(tracked('a-1'))
    expect(status('a-1')).toBe('open')
  })

  test('is not disturbed while the execution runs', () => {
    world(store, ['a-1'])
    const execution = running(store, 'a-1')
    expect(status('a-1')).toBe('in_progress')
    sync(tracked('a-1', { trackerStatus: 'blocked', status: 'blocked' }))
    expect(status('a-1')).toBe('in_progress')
    // … but it is the bead's status after the execution is cancelled.
    expect(store.execution(execution)?.formerBeadStatus).toBe('blocked')
  })

  test('does not hide that somebody closed the bead meanwhile', () => {
    const closed = tracked('a-1', { trackerStatus: 'closed', status: 'done' })
    world(store, ['a-1'])
    running(store, 'a-1')
    sync(closed)
    expect(status('a-1')).toBe('in_progress')
    store.moveBead(demo, bead('a-1'), { type: 'failed' })
    endAll()
    sync(closed)
    expect(status('a-1')).toBe('done')
  })
})

describe('the label "failed"', () => {
  const inProgress = { trackerStatus: 'in_progress', status: 'in_progress' } as const
  const isOurs = () => store.bead(demo, bead('a-1'))?.labelled === true
  const fail = (labels: string[] = []) => {
    running(store, 'a-1')
    sync(tracked('a-1', { ...inProgress, assignee: 'beadloom', labels }))
    store.moveBead(demo, bead('a-1'), { type: 'failed' })
    endAll()
  }

  test('is ours from the failure on, until the tracker no longer has it', () => {
    world(store, ['a-1'])
    fail()
    expect(isOurs()).toBe(true)
    sync(tracked('a-1', { ...inProgress, assignee: 'beadloom', title: 'read before it was written' }))
    expect(isOurs()).toBe(true)
    sync(tracked('a-1', { ...inProgress, labels: ['failed'], failed: true }))
    store.moveBead(demo, bead('a-1'), { type: 'reopened' })
    expect(isOurs()).toBe(true)
    sync(tracked('a-1'))
    expect(isOurs()).toBe(false)
  })

  test('is not ours if a person has put it on before', () => {
    world(store, ['a-1'])
    sync(tracked('a-1', { labels: ['failed'] }))
    fail(['failed'])
    sync(tracked('a-1', { ...inProgress, labels: ['failed'], failed: true }))
    expect(isOurs()).toBe(false)
  })
})

describe('a bead that vanished from the tracker', () => {
  test('is kept, marked as gone, if it has executions, and comes back with its status', () => {
    world(store, ['a-1', 'a-2'])
    running(store, 'a-1')
    store.moveBead(demo, bead('a-1'), { type: 'completed' })
    endAll()
    expect(sync(tracked('a-2')).removed).toBe(1)
    expect(store.bead(demo, bead('a-1'))).toMatchObject({ status: 'done', trackerStatus: 'tombstone' })
    expect(sync(tracked('a-2')).removed).toBe(0)
    expect(store.queueExecution(order('a-1'))).toEqual({ refused: expect.stringContaining('no longer in its tracker') })
    sync(tracked('a-1'), tracked('a-2'))
    expect(store.bead(demo, bead('a-1'))).toMatchObject({ status: 'done', trackerStatus: 'open' })
  })

  test('is left alone while one of its executions lives', () => {
    world(store, ['a-1', 'a-2'])
    queued(store, 'a-1')
    running(store, 'a-2')
    expect(sync()).toEqual({ added: 0, changed: 0, removed: 0 })
    expect(store.beads(demo).map(({ trackerStatus }) => trackerStatus)).toEqual(['open', 'open'])
  })
})

describe('moving a bead', () => {
  test('is refused if core refuses it, in words', () => {
    world(store, ['a-1'])
    expect(store.moveBead(demo, bead('a-1'), { type: 'completed' })).toEqual({
      refused: 'a bead that is open cannot be completed',
    })
    expect(store.moveBead(demo, bead('a-9'), { type: 'closed' })).toEqual({
      refused: 'there is no bead a-9 in project demo',
    })
  })

  test('by a person holds against a tracker that has not changed', () => {
    world(store, ['a-1'])
    expect(store.moveBead(demo, bead('a-1'), { type: 'closed' })).toBe('done')
    sync(tracked('a-1', { title: 'renamed' }))
    expect(status('a-1')).toBe('done')
  })
})

describe('a project', () => {
  test('cannot be added twice, nor removed while an execution lives', () => {
    world(store, ['a-1'])
    expect(() => store.addProject({ id: demo, source: '/x' })).toThrow(/project demo already exists/)
    queued(store, 'a-1')
    expect(() => store.removeProject(demo)).toThrow(/live execution/)
    expect(store.project(demo)).not.toBeNull()
  })

  test('takes everything along that belongs to it', () => {
    world(store, ['a-1'])
    const execution = running(store, 'a-1')
    endAll()
    store.removeProject(demo)
    expect([store.projects(), store.execution(execution), store.beads(demo)]).toEqual([[], null, []])
  })

  test('changes only the fields of the patch, and a patch that changes nothing writes nothing', () => {
    world(store, [])
    store.updateProject(demo, { autopilot: false, warnings: ['line 3: not JSON'] })
    const before = store.seq()
    expect(store.updateProject(demo, { autopilot: false })).toMatchObject({
      autopilot: false,
      warnings: ['line 3: not JSON'],
      paused: false,
    })
    expect(store.seq()).toBe(before)
  })
})

function endAll(): void {
  for (const { id } of store.liveExecutions())
    store.endExecution(id, { state: 'FAILED', reason: 'infra_error', detail: 'the test ended it' })
}

const order = (id: string) => ({
  id: 'ex-zzzzzzzzzz' as never,
  project: demo,
  bead: bead(id),
  kind: 'work' as const,
  branch: 'b',
  context: '',
  maxAttempts: 3,
})
