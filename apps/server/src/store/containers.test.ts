import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewContainer } from '../ports/store/containers.ts'
import type { Store } from '../ports/store.ts'
import { migrate } from './database/migrate.ts'
import { migrations } from './database/migrations.ts'
import { demo, executionId, openTestStore, stepClock, world } from './testing.ts'

let folder: string
let file: string
let store: Store
const open = () => (store = openTestStore(file, { clock: stepClock(), random: () => 0.5 }))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'containers-'))
  file = join(folder, 'beadloom.db')
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const opened = (changes: Partial<NewContainer> = {}): NewContainer => ({
  name: 'beadloom-a',
  engine: 'local',
  project: demo,
  environment: 'sha256:1',
  purpose: 'work',
  owner: null,
  keepsWork: true,
  ...changes,
})

describe('a container', () => {
  beforeEach(() => world(open(), []))

  test('has a name before anybody owns it, and is given to one execution alone', () => {
    store.addContainer(opened())
    store.containerCreated('beadloom-a', 'c-1')
    expect(store.container('beadloom-a')).toMatchObject({ state: 'warm', owner: null, environment: 'sha256:1' })
    expect(store.containers(executionId('a'))).toEqual([])
    expect([executionId('a'), executionId('b')].map((one) => store.takeContainer('beadloom-a', one))).toEqual([
      true,
      false,
    ])
    expect(store.containers(executionId('a'))).toMatchObject([{ state: 'held', engineId: 'c-1' }])
    expect(store.containers(executionId('b'))).toEqual([])
  })

  test('that is to be removed, or is in no table, is given to nobody', () => {
    store.addContainer(opened())
    store.releaseContainer('beadloom-a')
    expect(store.takeContainer('beadloom-a', executionId('a'))).toBe(false)
    expect(store.container('beadloom-a')).toMatchObject({ state: 'removing', owner: null })
    expect(store.takeContainer('beadloom-b', executionId('a'))).toBe(false)
  })

  test('that was opened for an execution belongs to it from the first moment', () => {
    store.addContainer(opened({ owner: executionId('a') }))
    expect(store.container('beadloom-a')).toMatchObject({ state: 'held', owner: executionId('a'), engineId: null })
    store.keepContainer('beadloom-a', 'the disk is full')
    expect(store.container('beadloom-a')).toMatchObject({ state: 'kept', owner: executionId('a') })
  })
})

test('containers of a server without ownerless ones stay as they were', () => {
  mkdirSync(folder, { recursive: true })
  const db = new Database(file)
  migrate(
    db,
    file,
    migrations.filter(({ version }) => version < 26),
  )
  const put = db.prepare(
    `INSERT INTO container (name, engine_id, project, execution, purpose, keeps_work, state, created_at, since, why,
       bytes, tries, next_try_at)
     VALUES (?, 'c-1', 'demo', ?, 'work', 1, ?, 1, 2, 'why', 3, 4, 5)`,
  )
  for (const state of ['held', 'kept', 'removing']) put.run(`beadloom-${state}`, executionId('a'), state)
  db.close()
  const common = {
    engine: 'local',
    engineId: 'c-1',
    project: 'demo',
    environment: null,
    purpose: 'work',
    owner: executionId('a'),
    keepsWork: true,
    createdAt: 1,
    since: 2,
    why: 'why',
    bytes: 3,
    tries: 4,
    nextTryAt: 5,
  }
  expect(open().containers(executionId('a'))).toEqual(
    ['held', 'kept', 'removing'].map((state) => ({ ...common, name: `beadloom-${state}`, state })),
  )
})
