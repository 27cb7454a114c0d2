import { afterEach, beforeEach, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { nineSubtasks, planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import { migrate } from '../database/migrate.ts'
import { migrations } from '../database/migrations.ts'
import { bead, demo, openTestStore, seededRandom, stepClock, tracked, world } from '../testing.ts'

let store: Store
let folder: string
const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
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

test('every change is a version of its own, the newest one counts, and all survive a restart', () => {
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

test('a person who changes a plan that somebody else has changed meanwhile is told', () => {
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

test('a version never changes, and the newest fifty unused ones stay', () => {
  for (let number = 1; number <= 60; number++) add(planOf([subtaskOf(`s${number}`)]))
  expect(store.plan(demo, one)?.version).toBe(60)
  expect(store.plan(demo, one, 10)).not.toBeNull()
  expect(store.plan(demo, one, 9)).toBeNull()
  const db = new Database(join(folder, 'beadloom.db'))
  expect(() => db.exec(`UPDATE plan SET document = '{}'`)).toThrow('a version of a plan never changes')
  db.close()
})

test('a bead that its tracker no longer has keeps its plan, and a project takes its plans along', () => {
  add()
  store.replaceBeads(demo, [tracked('bl-2')])
  expect(store.plan(demo, one)).toMatchObject({ version: 1 })
  store.removeProject(demo)
  expect(store.plan(demo, one)).toBeNull()
})

test('the document of a version is read once; its approval, and whether it still exists, each time', () => {
  const read = () => store.plan(demo, one, 1)
  add()
  expect(read()?.plan).toBe(read()?.plan)
  store.approvePlan(demo, one, 1)
  expect(read()?.approvedAt).not.toBeNull()
  for (let number = 2; number <= 60; number++) add(planOf([subtaskOf(`s${number}`)]))
  expect(read()).toBeNull()
  expect(store.plan(demo, one)).toMatchObject({ version: 60, approvedAt: null })
  store.removeProject(demo)
  world(store, ['bl-1'])
  add(other)
  expect(read()?.plan).toEqual(other)
})

test('viewers of the bead learn of it', () => {
  const before = store.seq()
  add()
  store.approvePlan(demo, one, 1)
  expect(store.seq()).toBeGreaterThan(before + 1)
})

test('older executions keep their kind, and those of every kind are counted apart', () => {
  store.close()
  rmSync(join(folder, 'beadloom.db'), { force: true })
  const old = new Database(join(folder, 'beadloom.db'))
  migrate(
    old,
    join(folder, 'beadloom.db'),
    migrations.filter(({ version }) => version < 27),
  )
  old.exec(`INSERT INTO project (id, source, added_at, name) VALUES ('demo', '/repos/demo', 1, 'Demo');
    INSERT INTO bead (project, id, title, description, status, tracker_status, priority, type, labels, dependencies,
      created_at, updated_at, pinned, ephemeral, template, fingerprint, decided, local, gone)
    VALUES ('demo', 'bl-1', 't', '', 'open', 'open', 2, 'task', '[]', '[]', 1, 1, 0, 0, 0, 'f', 0, 0, 0);
    INSERT INTO execution (id, project, bead, kind, state, branch, context, former_bead_status, max_attempts, queued_at)
    VALUES ('ex-0000000001', 'demo', 'bl-1', 'review', 'QUEUED', 'b', '', 'open', 1, 5);
    UPDATE execution SET state = 'CANCELLED', ended_at = 6 WHERE id = 'ex-0000000001';
    INSERT INTO execution (id, project, bead, kind, state, branch, context, former_bead_status, max_attempts, queued_at)
    VALUES ('ex-0000000002', 'demo', 'bl-1', 'work', 'QUEUED', 'b', '', 'open', 1, 7);`)
  old.close()
  store = open()
  const kinds = store.executions({ project: demo, limit: 10 }).map(({ id, kind, state }) => `${id} ${kind} ${state}`)
  expect(kinds).toEqual(['ex-0000000002 work QUEUED', 'ex-0000000001 review CANCELLED'])
  store.endExecution(parseExecutionId('ex-0000000002'), { state: 'CANCELLED', detail: 'x' })
  const plan = store.queueExecution({ ...queuedOf('ex-0000000003'), kind: 'plan' })
  expect(plan).toMatchObject({ kind: 'plan' })
  store.endExecution(parseExecutionId('ex-0000000003'), { state: 'CANCELLED', detail: 'x' })
  const ends = store.figures().filter(({ name }) => name.endsWith('end'))
  expect(ends.map(({ name, value }) => `${name} ${value}`).toSorted()).toEqual(['end 1', 'plan_end 1', 'review_end 1'])
  expect(store.oddRows()).toEqual([])
})

const queuedOf = (id: string) => ({
  id: parseExecutionId(id),
  project: demo,
  bead: one,
  branch: 'b',
  context: '',
  maxAttempts: 2,
})
