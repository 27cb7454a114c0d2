import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExecutionDeps } from '../../apps/server/src/execution/deps.ts'
import type { OwnedSandbox } from '../../apps/server/src/ports/sandbox.ts'
import type { Store } from '../../apps/server/src/ports/store.ts'
import { demo, openTestStore, world } from '../../apps/server/src/store/testing.ts'
import { compareContainers } from '../../apps/server/src/sandbox/known-containers.ts'

let folder: string
let store: Store
let now: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'known-'))
  now = 1_000_000
  const clock = { now: () => now, monotonic: () => now, sleep: async () => {} }
  store = openTestStore(join(folder, 'beadloom.db'), { clock, random: () => 0.5 })
  await world(store, [])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const add = (name: string) => {
  store.addContainer({
    name,
    engine: 'local',
    project: demo,
    environment: null,
    purpose: 'verify',
    keepsWork: false,
    owner: null,
  })
  store.containerCreated(name, `id of ${name}`)
}
const compared = (owned: () => OwnedSandbox[]) =>
  compareContainers({
    store,
    log: console,
    engine: { name: 'local', owned: async () => owned() },
  } as unknown as ExecutionDeps)

test('a container that has disappeared is forgotten, though the wall clock was ahead when it was written down', async () => {
  now += 3_600_000
  add('beadloom-a')
  now -= 3_600_000
  expect((await compared(() => [])).known).toEqual([])
  expect(store.containers()).toEqual([])
})

test('a container that is written down while the engine answers is not missed in the answer', async () => {
  const { known } = await compared(() => {
    now -= 3_600_000
    add('beadloom-b')
    return []
  })
  expect(known).toMatchObject([{ row: { name: 'beadloom-b' }, engine: null }])
})

test('a container that is removed and forgotten while the engine answers is not known again from the older list', async () => {
  add('beadloom-c')
  const listed = { id: 'id of beadloom-c', name: 'beadloom-c', project: demo, owner: null, purpose: 'work' }
  await compared(() => {
    store.forgetContainer('beadloom-c')
    return [{ ...listed, state: 'running' } as unknown as OwnedSandbox]
  })
  expect(store.containers()).toEqual([])
})
