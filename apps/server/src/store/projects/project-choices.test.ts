import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import { demo, openTestStore, seededRandom, stepClock, world } from '../testing.ts'

let store: Store
let folder: string
const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-choices-'))
  store = open()
  world(store, ['bl-1'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

test("a project's chosen settings survive a restart, with the earlier ones", () => {
  expect(store.overrides(demo)).toEqual({ revision: 0, values: {} })
  store.setOverrides(demo, 0, { model: 'a' })
  store.setOverrides(demo, 1, { model: 'b', limits: { maxSteps: 5 } })
  store.close()
  store = open()
  expect(store.overrides(demo)).toEqual({ revision: 2, values: { model: 'b', limits: { maxSteps: 5 } } })
  expect(store.overridesHistory(demo, 10).map(({ values }) => values.model)).toEqual(['b', 'a'])
})

test('the second of two who change the same revision is told', () => {
  expect(store.setOverrides(demo, 0, { model: 'a' })).toBe(true)
  expect(store.setOverrides(demo, 0, { model: 'b' })).toBe(false)
  expect(store.overrides(demo).values).toEqual({ model: 'a' })
})

test('fifty states are kept', () => {
  for (let revision = 0; revision < 60; revision++) store.setOverrides(demo, revision, { model: `m${revision}` })
  const kept = store.overridesHistory(demo, 100)
  expect(kept).toHaveLength(50)
  expect(kept[0]?.revision).toBe(60)
})

test('a change of the choices is a change of the project for everybody who follows it', () => {
  const before = store.seq()
  store.setOverrides(demo, 0, { model: 'a' })
  expect(store.changesAfter(before, 10)).toEqual([expect.objectContaining({ kind: 'project', id: demo })])
})

test('the choices go with the project, and an unknown project has none to set', () => {
  store.setOverrides(demo, 0, { model: 'a' })
  store.removeProject(demo)
  expect(store.overrides(demo)).toEqual({ revision: 0, values: {} })
  expect(() => store.setOverrides(parseProjectId('nobody'), 0, {})).toThrow('there is no project nobody')
})
