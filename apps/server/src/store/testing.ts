import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { newExecutionId, parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../ports/store.ts'
import type { TrackedBead } from '../ports/store/beads.ts'
import type { Clock } from '../process/clock.ts'
import { migrate } from './database/migrate.ts'
import { migrations } from './database/migrations.ts'
import { openStore, type OpenStore, type StoreOptions } from './open-store.ts'

/** A wall clock that advances by one millisecond with each look. */
export function stepClock(start = 1_000_000): Clock {
  let now = start
  return {
    now: () => now++,
    monotonic: () => now,
    sleep: () => Promise.resolve(),
  }
}

let migrated: Buffer | null = null

/**
 * Opens a store as `openStore` does, for tests that do not test how a database is made: a new one is a copy of one that
 * this process migrated before. A migration from nothing takes 75 ms of a processor, and hundreds of tests need one.
 */
export function openTestStore(file: string, options: StoreOptions): OpenStore {
  makeDatabase(file)
  return openStore(file, options)
}

/** A migrated database without any rows, unless there is a file already. */
function makeDatabase(file: string): void {
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, (migrated ??= newDatabase()), { mode: 0o600 })
}

function newDatabase(): Buffer {
  const db = new Database(':memory:')
  migrate(db, ':memory:', migrations)
  const bytes = db.serialize()
  db.close()
  return bytes
}

/** A small generator with a fixed seed, so that a failure can be reproduced. */
export function seededRandom(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

export const demo: ProjectId = parseProjectId('demo')
export const bead = (id: string): BeadId => parseBeadId(id)
export const executionId = (letter: string): ExecutionId => parseExecutionId(`ex-${letter.repeat(10)}`)

export const tracked = (id: string, changes: Partial<TrackedBead> = {}): TrackedBead => ({
  project: demo,
  id: bead(id),
  title: `bead ${id}`,
  description: '',
  status: 'open',
  trackerStatus: 'open',
  priority: 2,
  type: 'task',
  labels: [],
  dependencies: [],
  createdAt: 1,
  updatedAt: 1,
  deferUntil: null,
  pinned: false,
  ephemeral: false,
  template: false,
  raw: null,
  ...changes,
})

/** The project `demo` with these beads, as from its tracker. */
export function world(store: Store, ids: string[]): void {
  store.addProject({ id: demo, source: '/repos/demo' })
  store.replaceBeads(
    demo,
    ids.map((id) => tracked(id)),
  )
}

const chance = seededRandom(7)

/** Queues an execution of the bead and starts it. */
export function running(store: Store, id: string, project = demo): ExecutionId {
  const execution = queued(store, id, project)
  const started = store.startExecution(execution, 9_999_999)
  if ('refused' in started) throw new Error(started.refused)
  return execution
}

export function queued(store: Store, id: string, project = demo): ExecutionId {
  const result = store.queueExecution({
    id: newExecutionId(chance),
    project,
    bead: bead(id),
    kind: 'work',
    branch: `beads-${id}`,
    context: '',
    maxAttempts: 3,
  })
  if ('refused' in result) throw new Error(result.refused)
  return result.id
}

/** Damages a file. */
export function overwrite(file: string, offset: number, length: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, offset)
  closeSync(handle)
}
