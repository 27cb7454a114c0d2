import { afterEach, beforeEach, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { nineSubtasks, planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import type { Store } from '../../ports/store.ts'
import { openStore } from '../open-store.ts'
import { bead, demo, seededRandom, stepClock, tracked, world } from '../testing.ts'

let store: Store
let folder: string
const open = () => openStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-plans-'))
  store = open()
  world(store, ['bl-1', 'bl-2'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const one = bead('bl-1')
const plan = planOf(nineSubtasks)
const other = planOf([subtaskOf('1')])
const add = (what = plan, onto?: number) =>
  store.addPlan({ project: demo, bead: one, source: 'person', plan: what, ...(onto !== undefined && { onto }) })

test('every change is a version of its own, the newest one counts, and all are there after a restart', () => {
  expect(store.plan(demo, one)).toBeNull()
  expect(add()).toMatchObject({ version: 1, source: 'person', plan, approvedAt: null })
  expect(add()).toMatchObject({ version: 1 })
  expect(add(other)).toMatchObject({ version: 2, plan: other })
  store.close()
  store = open()
  expect(store.plan(demo, one)).toMatchObject({ version: 2, plan: other })
  expect(store.plan(demo, one, 1)).toMatchObject({ version: 1, plan })
  expect(store.plan(demo, one, 3)).toBeNull()
  expect(store.plan(demo, bead('bl-2'))).toBeNull()
})

test('whoever changes a plan that somebody else has changed meanwhile is told', () => {
  expect(add(plan, 0)).toMatchObject({ version: 1 })
  expect(add(other, 0)).toEqual({ refused: expect.stringContaining('its newest version is 1') })
  expect(add(other, 1)).toMatchObject({ version: 2 })
  expect(store.addPlan({ project: demo, bead: bead('bl-9'), source: 'person', plan })).toHaveProperty('refused')
})

test('only the newest version is approved, once', () => {
  expect(store.approvePlan(demo, one, 1)).toEqual({ refused: 'the bead has no plan' })
  add()
  const approved = store.approvePlan(demo, one, 1)
  expect(approved).toMatchObject({ approvedAt: expect.any(Number) })
  expect(store.approvePlan(demo, one, 1)).toEqual(approved)
  add(other)
  expect(store.approvePlan(demo, one, 1)).toHaveProperty('refused')
  expect(store.plan(demo, one)).toMatchObject({ version: 2, approvedAt: null })
})

test('a version never changes, and of many that nothing has used the newest fifty stay', () => {
  for (let number = 1; number <= 60; number++) add(planOf([subtaskOf(`s${number}`)]))
  expect(store.plan(demo, one)?.version).toBe(60)
  expect(store.plan(demo, one, 10)).not.toBeNull()
  expect(store.plan(demo, one, 9)).toBeNull()
  const db = new Database(join(folder, 'beadloom.db'))
  expect(() => db.exec(`UPDATE plan SET document = '{}'`)).toThrow('a version of a plan never changes')
  db.close()
})

test('a bead that its tracker has no more keeps its plan, and a project takes its plans along', () => {
  add()
  store.replaceBeads(demo, [tracked('bl-2')])
  expect(store.plan(demo, one)).toMatchObject({ version: 1 })
  store.removeProject(demo)
  expect(store.plan(demo, one)).toBeNull()
})

test('whoever shows the bead learns of it', () => {
  const before = store.seq()
  add()
  store.approvePlan(demo, one, 1)
  expect(store.seq()).toBeGreaterThan(before + 1)
})
