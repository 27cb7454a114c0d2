import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { makeNewInstance } from '../../store/database/new-instance.ts'
import { openStore, type OpenStore } from '../../store/open-store.ts'
import { demo, running, seededRandom, world } from '../../store/testing.ts'
import { isSame, settlePlace, type OfCopy } from './own-place.ts'

let root: string
let original: string
let instance: string
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'bl-place-'))
  original = join(root, 'original')
  mkdirSync(original)
  await settle(original)
  const store = open(original)
  world(store, ['a-1'])
  running(store, 'a-1')
  instance = store.instance
  store.close()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const clock = new HandClock()
const random = seededRandom(7)
const open = (data: string): OpenStore => openStore(join(data, 'beadloom.db'), { clock, random })
const settle = (data: string, ofCopy: OfCopy = null) =>
  settlePlace(data, ofCopy, (file) => makeNewInstance(file, clock.now()))
const copied = (): string => {
  const copy = join(root, 'copy')
  cpSync(original, copy, { recursive: true })
  return copy
}
function inside<T>(data: string, look: (store: OpenStore) => T): T {
  const store = open(data)
  try {
    return look(store)
  } finally {
    store.close()
  }
}

test('a copy is not started as the original: the refusal names that one, and both ways out', async () => {
  const copy = copied()
  await expect(settle(copy)).rejects.toThrow(
    new RegExp(`${copy} is a copy of ${original}, and would take over .* --adopt.* --new-instance`),
  )
  await expect(settle(copy), 'until somebody says so').rejects.toThrow(/is a copy/)
  await settle(original)
})

test('an adopted copy is the same instance, and nobody is asked again', async () => {
  const copy = copied()
  await settle(copy, 'adopt')
  await settle(copy)
  expect(inside(copy, (store) => [store.instance, store.liveExecutions().length])).toEqual([instance, 1])
})

test('a copy with an identity of its own keeps its beads, and leaves running executions to the original', async () => {
  const copy = copied()
  await settle(copy, 'new-instance')
  await settle(copy)
  const found = inside(copy, (store) => ({
    instance: store.instance,
    beads: store.beads(demo).length,
    cancelled: store.liveExecutions().every(({ cancelRequestedAt }) => cancelRequestedAt !== null),
  }))
  expect(found).toMatchObject({ beads: 1, cancelled: true })
  expect(found.instance).not.toBe(instance)
  expect(inside(original, (store) => store.instance)).toBe(instance)
})

test('a copy that only its owner knows gets an identity of its own, and an unmoved folder gets none', async () => {
  await expect(settle(original, 'new-instance')).rejects.toThrow(/is where its server left it.*place\.json/)
  expect(inside(original, (store) => store.instance)).toBe(instance)

  // A cloned volume: another folder at the path of the original, on a machine without an id.
  const place = join(original, 'place.json')
  const { inode, ...rest } = JSON.parse(readFileSync(place, 'utf8'))
  for (const harm of [
    () => writeFileSync(place, JSON.stringify({ ...rest, inode: inode + 1, machine: null })),
    () => rmSync(place),
  ]) {
    const before = inside(original, (store) => store.instance)
    harm()
    await settle(original, 'new-instance')
    expect(inside(original, (store) => store.instance)).not.toBe(before)
  }
})

test('a folder that was moved, or comes from an older Beadloom, is not a copy', async () => {
  const moved = join(root, 'moved')
  renameSync(original, moved)
  await settle(moved)
  rmSync(join(moved, 'place.json'))
  await settle(moved)
  writeFileSync(join(moved, 'place.json'), 'half')
  await settle(moved)
  expect(JSON.parse(readFileSync(join(moved, 'place.json'), 'utf8'))).toMatchObject({ path: moved })
})

test('a disk whose numbers changed after mounting holds the same folder; another machine never does', () => {
  const here = { path: '/data', device: 1, inode: 2, machine: 'm' }
  expect(isSame(here, { ...here, device: 9, inode: 9 })).toBe(true)
  expect(isSame(here, { ...here, machine: null })).toBe(true)
  expect(isSame(here, { ...here, machine: 'other' })).toBe(false)
  expect(isSame(here, { ...here, device: 9, path: '/clone' })).toBe(false)
})
