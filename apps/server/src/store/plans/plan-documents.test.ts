import Database from 'better-sqlite3'
import { beforeEach, expect, test } from 'vitest'
import { planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import type { Plan } from '@beadloom/core/records/plan.ts'
import { bead, demo } from '../testing.ts'
import { PlanDocuments } from './plan-documents.ts'

let db: Database.Database
let documents: PlanDocuments
beforeEach(() => {
  db = new Database(':memory:')
  db.exec('CREATE TABLE plan (project, bead, version, document, PRIMARY KEY (project, bead, version))')
  documents = new PlanDocuments(db)
})

const first = planOf([subtaskOf('1', { dependsOn: ['0'] })])
const other = planOf([subtaskOf('2')])
const insert = (plan: Plan, version = 1, project: string = demo) =>
  db.prepare('INSERT INTO plan VALUES (?, ?, ?, ?)').run(project, 'bl-1', version, JSON.stringify(plan))
const read = (version = 1) => documents.plan({ project: demo, bead: bead('bl-1'), version })

test('a document is parsed once, each version by itself', () => {
  insert(first)
  insert(other, 2)
  expect(read()).toEqual(first)
  expect(read(2)).toEqual(other)
  expect(read()).toBe(read())
  expect(() => read(3)).toThrow('version 3 of the plan of bl-1 is not stored')
})

test('nobody can change the shared document', () => {
  insert(first)
  const plan = read()
  expect(() => plan.subtasks.push(subtaskOf('x'))).toThrow(TypeError)
  expect(() => plan.subtasks[0]?.dependsOn.push('x')).toThrow(TypeError)
  expect(() => plan.subtasks[0]?.filesTouched.pop()).toThrow(TypeError)
  expect(() => Object.assign(plan, { goal: 'x' })).toThrow(TypeError)
  expect(() => Object.assign(plan.subtasks[0] ?? {}, { title: 'x' })).toThrow(TypeError)
  expect(read()).toEqual(first)
})

test('a version that was rolled back is not mistaken for a later one with the same number', () => {
  const write = db.transaction(() => {
    insert(first)
    expect(read()).toEqual(first)
    throw new Error('rolled back')
  })
  expect(write).toThrow('rolled back')
  insert(other)
  expect(read()).toEqual(other)
})

test('a forgotten project takes its plans along, and no others', () => {
  insert(first)
  insert(first, 1, 'elsewhere')
  const [known, elsewhere] = [
    read(),
    () => documents.plan({ project: 'elsewhere' as never, bead: bead('bl-1'), version: 1 }),
  ]
  const before = elsewhere()
  db.exec(`DELETE FROM plan WHERE project = 'demo'`)
  documents.forget(demo)
  insert(other)
  expect(known).toEqual(first)
  expect(read()).toEqual(other)
  expect(elsewhere()).toBe(before)
})

test('the most recently requested ones are kept, however many there are', () => {
  for (let version = 1; version <= 100; version++) insert(first, version)
  const known = read(1)
  for (let version = 2; version <= 60; version++) read(version)
  expect(read(1)).toBe(known)
  for (let version = 61; version <= 100; version++) read(version)
  expect(read(1)).toBe(known)
  for (let version = 2; version <= 100; version++) read(version)
  expect(read(1)).not.toBe(known)
  expect(read(1)).toEqual(first)
})
