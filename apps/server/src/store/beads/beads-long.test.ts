// @suite unit-long

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { bead, demo, openTestStore, running, seededRandom, stepClock, tracked, world } from '../testing.ts'

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

const sync = (...beads: ReturnType<typeof tracked>[]) => store.replaceBeads(demo, beads)

test('the list of beads always agrees with the single beads', () => {
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
