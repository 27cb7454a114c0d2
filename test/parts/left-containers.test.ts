import { expect, test } from 'vitest'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { type Engine, EngineError } from '@beadloom/server/src/ports/engine.ts'
import type { OwnedSandbox, Sandbox } from '@beadloom/server/src/ports/sandbox.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { LeftContainers } from '@beadloom/server/src/sandbox/unsaved-containers.ts'
import { recover, releaseWaiting } from '@beadloom/server/src/workflow/recover.ts'
import { clock, execution, executionsOver, project, stored } from './executions-kit.ts'

const container = (owner: string | null, purpose = 'work') => ({
  id: `id-of-${purpose}`,
  name: `beadloom-${owner}-${purpose}`,
  owner,
  purpose,
  state: 'exited',
  createdAt: 0,
})
const cancelled = (store: Store) => {
  store.startExecution(execution, clock.now() + 1000)
  store.startSession({ id: sessionIdOf(execution, 1), execution, number: 1, kind: 'work', attempt: 1, model: null })
  store.endExecution(execution, { state: 'CANCELLED', detail: 'Cancelled.' })
}
/** `sandbox`: the behaviour of all that are listed. */
const keeping = (store: Store, listed: () => OwnedSandbox[], sandbox: Partial<Sandbox> = {}) => {
  const removed: string[] = []
  const of = ({ id, name }: Pick<Sandbox, 'id' | 'name'>) => ({
    id,
    name,
    letGo: () => {},
    close: async () => void removed.push(id),
    stop: async () => {},
    bytes: async () => null,
    ...sandbox,
  })
  const engine: Partial<Engine> = {
    owned: async () => listed(),
    sandbox: (known) => of(known) as Sandbox,
    tidy: async () => {},
  }
  const { deps, executions } = executionsOver(store, engine)
  const left = new LeftContainers(deps, (row) => executions.liveOf(row))
  const recovered = () => recover(deps, 'local', executions, left)
  return { left, removed, recovered }
}

test('a container of a finished execution is removed; those of live and of unknown executions stay', async () => {
  const store = stored()
  const { left, removed } = keeping(store, () => [container(execution, 'verify'), container('ex-bbbbbbbbbb')])
  await left.sweep('local')
  expect(removed).toEqual([])
  cancelled(store)
  await left.sweep('local')
  expect(removed).toEqual(['id-of-verify'])
  expect(store.containers()).toMatchObject([{ owner: 'ex-bbbbbbbbbb', state: 'kept' }])
  store.close()
})

test('a container that may hold work is kept until the work is saved or a person gives it up, however old it is', async () => {
  const store = stored()
  let tries = 0
  const { left, removed } = keeping(store, () => [container(execution)], {
    state: async () => ({ state: 'running', startedAt: 0 }),
    stop: async () => {
      tries++
      throw new EngineError('no-space', 'no space left on device')
    },
    bytes: async () => 1234,
  })
  cancelled(store)
  await left.sweep('local')
  await left.sweep('local') // not due again
  expect([tries, removed]).toEqual([1, []])
  const { name } = container(execution)
  expect(store.container(name)).toMatchObject({
    state: 'kept',
    why: 'no space left on device',
    bytes: 1234,
    tries: 1,
    nextTryAt: clock.now() + 60_000,
  })
  clock.advance(30 * 24 * 3_600_000)
  await left.sweep('local')
  expect([tries, removed]).toEqual([2, []])
  expect(await left.save(name)).toEqual({ kept: 'no space left on device' })
  expect(await left.discard('beadloom-other')).toBe(false)
  expect(await left.discard(name)).toBe(true)
  expect([tries, removed]).toEqual([3, ['id-of-work']])
  expect(store.containers()).toEqual([])
  store.close()
})

test('a person who asks while a sweep tries to save a container gets a try of their own', async () => {
  const store = stored()
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let tries = 0
  const { left } = keeping(store, () => [container(execution)], {
    state: async () => ({ state: 'running', startedAt: 0 }),
    stop: async () => {
      tries++
      begun.resolve()
      await over.promise
      throw new EngineError('no-space', `full at try ${tries}`)
    },
  })
  cancelled(store)
  const swept = left.sweep('local')
  await begun.promise
  const saved = left.save(container(execution).name)
  over.resolve()
  expect(await saved).toEqual({ kept: 'full at try 2' })
  await swept
  store.close()
})

test('a kept container that somebody removed is forgotten, with a warning that its work may be lost', async () => {
  const store = stored()
  let listed = [container(execution)]
  const state = () => Promise.reject(new EngineError('unreachable', 'Docker does not answer'))
  const { left } = keeping(store, () => listed, { state })
  cancelled(store)
  await left.sweep('local')
  expect(store.containers()).toHaveLength(1)
  listed = []
  clock.advance(1)
  await left.sweep('local')
  expect(store.containers()).toEqual([])
  const texts = store.events(execution, 0, 100).map(({ data }) => JSON.stringify(data))
  expect(texts.join()).toContain('was removed outside Beadloom')
  store.close()
})

const warm = {
  name: 'beadloom-warm',
  engine: 'local',
  project,
  environment: 'sha256:1',
  purpose: 'work',
  owner: null,
  keepsWork: true,
} as const

test('a container that waits for an execution is left alone while it is opened and while it waits', async () => {
  const store = stored()
  let listed: OwnedSandbox[] = []
  const { left, removed } = keeping(store, () => listed)
  store.addContainer(warm)
  clock.advance(1)
  await left.sweep('local') // the engine is still making it
  store.containerCreated(warm.name, 'id-of-work')
  listed = [{ ...container(null), name: warm.name }]
  await left.sweep('local')
  expect([removed, store.containers()]).toMatchObject([[], [{ name: warm.name, state: 'warm' }]])
  listed = []
  await left.sweep('local')
  expect(store.containers()).toEqual([])
  store.close()
})

test("another engine's container on the same Docker is left alone: a cluster’s images are made there", async () => {
  const store = stored()
  const { left, removed, recovered } = keeping(store, () => [{ ...container(null), name: warm.name }])
  const row = { ...warm, engine: 'cluster', purpose: 'setup', keepsWork: false } as const
  store.addContainer(row)
  store.containerCreated(warm.name, 'id-of-work')
  await recovered()
  await left.sweep('local')
  expect(removed).toEqual([])
  expect(store.containers()).toMatchObject([{ ...row, state: 'warm' }])
  store.close()
})

test('a container that waited for an execution of an earlier server is removed; an unrecorded one is kept', async () => {
  const store = stored()
  const unknown = { ...container(null), id: 'id-of-unknown', name: 'beadloom-unknown' }
  const { removed, recovered } = keeping(store, () => [{ ...container(null), name: warm.name }, unknown])
  store.addContainer(warm)
  store.containerCreated(warm.name, 'id-of-work')
  await releaseWaiting(store)
  await recovered()
  expect(removed).toEqual(['id-of-work'])
  expect(store.containers()).toMatchObject([{ name: 'beadloom-unknown', state: 'kept', owner: null }])
  store.close()
})
