import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FieldChange } from '../../ports/store/bead-edits.ts'
import type { Store } from '../../ports/store.ts'
import { bead, demo, openTestStore, seededRandom, stepClock, tracked, world } from '../testing.ts'

const id = bead('a-1')
let folder: string
let store: Store
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-edits-'))
  open()
  world(store, ['a-1', 'a-2'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})
const open = () => (store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() }))

const edit = (...changes: FieldChange[]) => store.editBead(demo, id, changes)
const sync = (fields: Parameters<typeof tracked>[1] = {}) =>
  store.replaceBeads(demo, [tracked('a-1', fields), tracked('a-2')])
const next = () => {
  const [change] = store.trackerQueue(demo, Number.MAX_SAFE_INTEGER, -1, 10)
  if (!change) throw new Error('nothing waits')
  return change
}
const waits = () => store.editsOf(demo, id).map(({ field, problem }) => [field, problem])

describe("a person's change of a bead", () => {
  test('is there at once, waits for the tracker, and survives a restart', () => {
    expect(edit({ field: 'title', value: 'New' }, { field: 'priority', value: 0 })).toBeNull()
    store.close()
    open()
    expect(store.bead(demo, id)).toMatchObject({ title: 'New', priority: 0 })
    expect(next()).toMatchObject({
      kind: 'describe',
      bead: 'a-1',
      edits: [
        { field: 'title', was: ['bead a-1'], value: 'New' },
        { field: 'priority', was: [2], value: 0 },
      ],
    })
  })

  test('of the labels is not lost if the tracker is read between the write of a description and theirs', () => {
    sync({ description: 'old', raw: '{"description":"old"}' })
    edit({ field: 'description', value: 'new' })
    const written = next()
    edit({ field: 'labels', value: ['ui'] })
    store.trackerHas(written, null)
    sync({ description: 'new', raw: '{"description":"new"}' })
    expect(waits()).toEqual([['labels', '']])
    expect(next().edits).toEqual([{ field: 'labels', was: [[]], value: ['ui'] }])
    expect(store.bead(demo, id)).toMatchObject({ description: 'new', labels: ['ui'] })
  })

  test('that changes nothing queues nothing', () => {
    edit({ field: 'title', value: 'bead a-1' }, { field: 'labels', value: [] })
    expect(store.trackerState(demo).waiting).toBe(0)
  })

  test('stays while the tracker changes something else', () => {
    edit({ field: 'title', value: 'New' }, { field: 'labels', value: ['mine'] })
    sync({ description: 'theirs', labels: ['theirs'] })
    expect(store.bead(demo, id)).toMatchObject({ title: 'New', description: 'theirs', labels: ['theirs', 'mine'] })
    expect(waits()).toEqual([
      ['title', ''],
      ['labels', ''],
    ])
  })

  test("yields to somebody else's change of the same field in the tracker, and says so until it is read", () => {
    edit({ field: 'title', value: 'New' })
    sync({ title: 'Theirs' })
    expect(store.bead(demo, id)?.title).toBe('Theirs')
    expect(waits()).toEqual([['title', 'it was changed in the tracker meanwhile, and that is kept']])
    expect(next().edits).toEqual([])
    store.dismissEdits(demo, id, ['title'])
    expect(waits()).toEqual([])
  })

  test('can be requested again after it yielded', () => {
    edit({ field: 'title', value: 'New' })
    sync({ title: 'Theirs' })
    edit({ field: 'title', value: 'New' })
    expect(next().edits).toEqual([{ field: 'title', was: ['Theirs'], value: 'New' }])
  })

  test('is forgotten once the tracker has it', () => {
    edit({ field: 'title', value: 'New' })
    store.trackerHas(next(), null)
    expect(waits()).toEqual([])
    expect(store.trackerState(demo).waiting).toBe(0)
    sync({ title: 'New' })
    expect(store.bead(demo, id)?.title).toBe('New')
  })

  test('that changes again while it is being written is written again', () => {
    edit({ field: 'title', value: 'New' })
    const first = next()
    edit({ field: 'title', value: 'Newer' })
    store.trackerHas(first, null)
    expect(next().edits).toEqual([{ field: 'title', was: ['bead a-1', 'New'], value: 'Newer' }])
    sync({ title: 'New' })
    expect(store.bead(demo, id)?.title).toBe('Newer')
  })

  test('is reported field by field if the tracker took only a part', () => {
    edit({ field: 'title', value: 'New' }, { field: 'type', value: 'bug' })
    store.trackerHas(next(), null, [{ field: 'type', text: 'kept' }])
    expect(waits()).toEqual([['type', 'kept']])
  })

  test('that can never be written is undone, and the reason stays with the bead', () => {
    edit({ field: 'description', value: 'x' }, { field: 'acceptance', value: 'y' })
    store.trackerDropped(next(), 'too long')
    expect(store.bead(demo, id)?.description).toBe(tracked('a-1').description)
    expect(store.acceptanceOf(demo, id)).toBe('')
    expect(waits()).toEqual([
      ['description', 'too long'],
      ['acceptance', 'too long'],
    ])
    sync({ description: 'theirs' })
    expect(store.bead(demo, id)?.description).toBe('theirs')
  })

  test('goes with its bead', () => {
    edit({ field: 'title', value: 'New' })
    store.replaceBeads(demo, [tracked('a-2')])
    expect(store.bead(demo, id)).toBeNull()
    expect(store.trackerState(demo).waiting).toBe(0)
    sync()
    expect(waits()).toEqual([])
  })
})

describe('a move by a person that the tracker refuses', () => {
  const refused = () => store.refusedIn(demo, id).get(id)
  const close = () => store.moveBead(demo, id, { type: 'closed' })

  test('is kept with its reason beside the bead, goes back, and is forgotten once it is moved again or read', () => {
    close()
    sync({ trackerStatus: 'blocked', status: 'blocked' })
    expect(store.bead(demo, id)?.status).toBe('blocked')
    const why = 'it was set to "blocked" in the tracker, and that is kept'
    expect(refused()).toEqual([{ field: 'status', why }])
    expect(store.editsOf(demo, id)).toEqual([{ field: 'status', was: ['open'], value: 'done', problem: why }])
    close()
    expect(refused()).toBeUndefined()
    store.trackerDropped(next(), 'no')
    expect([...store.refusedIn(demo)]).toEqual([[id, [{ field: 'status', why: 'no' }]]])
    store.dismissEdits(demo, id, ['status'])
    expect(refused()).toBeUndefined()
  })

  test('is kept beside its fields, across a restart', () => {
    edit({ field: 'priority', value: 0 })
    sync({ priority: 4 })
    store.close()
    open()
    expect(refused()).toEqual([{ field: 'priority', why: 'it was changed in the tracker meanwhile, and that is kept' }])
    edit({ field: 'priority', value: 0 })
    expect(refused()).toBeUndefined()
  })

  test('is nothing if both say the same', () => {
    close()
    sync({ trackerStatus: 'closed', status: 'done' })
    expect(refused()).toBeUndefined()
  })
})

test('acceptance criteria are the tracker’s, with pending changes on top', () => {
  sync({ raw: JSON.stringify({ id: 'a-1', acceptance_criteria: 'It works.' }) })
  expect(store.acceptanceOf(demo, id)).toBe('It works.')
  edit({ field: 'acceptance', value: 'It works twice.' })
  expect(store.acceptanceOf(demo, id)).toBe('It works twice.')
  expect(next().edits).toEqual([{ field: 'acceptance', was: ['It works.'], value: 'It works twice.' }])
})
