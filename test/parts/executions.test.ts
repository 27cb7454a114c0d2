import { noEgress } from '../support/no-egress.ts'
import { nothingWaits } from '../support/nothing-waits.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { Budget } from '@beadloom/server/src/execution/budget.ts'
import { oneEngine } from '@beadloom/server/src/execution/testing.ts'
import { LentSlots } from '@beadloom/server/src/execution/lent-slots.ts'
import { onlyEngine } from '@beadloom/server/src/ports/testing/only-engine.ts'
import { MemoryLogs } from '@beadloom/server/src/ports/testing/memory-logs.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseBeadId, parseExecutionId, parseProjectId, sessionIdOf } from '@beadloom/core/ids.ts'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import { type Engine, EngineError } from '@beadloom/server/src/ports/engine.ts'
import type { Gateway } from '@beadloom/server/src/ports/gateway.ts'
import type { OwnedSandbox, Sandbox } from '@beadloom/server/src/ports/sandbox.ts'
import { HubError, type Hub } from '@beadloom/server/src/ports/hub.ts'
import type { Recorder } from '@beadloom/server/src/ports/recorder.ts'
import { StoreError } from '@beadloom/server/src/ports/store/errors.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { openStore } from '@beadloom/server/src/store/open-store.ts'
import { seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'
import { LeftContainers } from '@beadloom/server/src/sandbox/unsaved-containers.ts'
import { recover, releaseWaiting } from '@beadloom/server/src/workflow/recover.ts'
import { ProjectEnvironments } from '@beadloom/server/src/sandbox/project-environment.ts'
import { Executions } from '@beadloom/server/src/workflow/executions.ts'

/* A real store; the hub fails at once, so that an execution is over before it needs anything else. */

const project = parseProjectId('demo')
const execution = parseExecutionId('ex-aaaaaaaaaa')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const clock = new HandClock(10_000)
const log = createLogger('silent')
const gone = () => Promise.reject(new HubError('missing', 'There is no folder /x: check the path'))

function stored(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'executions-'))
  folders.push(folder)
  const store = openStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  store.addProject({ id: project, source: '/x' })
  store.replaceBeads(project, [tracked('bl-1')])
  const bead = parseBeadId('bl-1')
  store.queueExecution({ id: execution, project, bead, kind: 'work', branch: 'b', context: '', maxAttempts: 3 })
  return store
}

function executionsOver(store: Store, engine: Partial<Engine> = { owned: async () => [] }) {
  const deps = {
    store,
    engines: onlyEngine({ name: 'local', ...engine } as Engine),
    hub: { fetch: gone, current: async () => null, forgetCandidates: async () => {} } as Partial<Hub> as Hub,
    gateway: {} as Gateway,
    egress: noEgress,
    aside: createAside({ clock }),
    recorder: {} as Recorder,
    logs: new MemoryLogs(),
    clock,
    log,
    prices: { prices: {}, currency: 'USD' },
    windows: {},
    hostedTools: {},
    blockedGraceMs: 30_000,
    budget: new Budget({ store, clock, currency: 'USD' }),
    extraSlots: oneEngine(1, store),
    lentSlots: new LentSlots(oneEngine(1, store)),
    warm: nothingWaits,
    secretMark: () => '',
    secrets: { of: () => ({}) },
  }
  const settings = resolveSettings(
    {},
    {
      setup: null,
      test: 'true',
      checks: [],
      techStack: ['x'],
      tools: [],
      devcontainer: null,
      tests: [{ label: '', command: 'true' }],
      nested: [],
      untested: null,
      absent: [],
      services: [],
    },
    'demo',
    'main',
  )
  const hub = { id: project, source: '/x', baseBranch: null }
  const projects = { open: () => ({ hub, settings }), sync: async () => {} }
  return { deps, projects, executions: new Executions(deps, projects, new ProjectEnvironments(deps)) }
}

const settled = (store: Store) => expect.poll(() => store.pipelineSteps(execution).length, { timeout: 5000 }).toBe(4)

test('a failure ends with its reason and what to do', async () => {
  const store = stored()
  expect(await executionsOver(store).executions.start(execution)).toBe(true)
  await settled(store)
  expect(store.execution(execution)).toMatchObject({
    state: 'FAILED',
    reason: 'infra_error',
    detail: 'There is no folder /x: check the path. Then run the bead again.',
  })
  store.close()
})

test('an end that cannot be stored is stored later: nothing stays RUNNING for ever', async () => {
  const store = stored()
  let tries = 0
  const full: Store = {
    ...store,
    endExecution: (id, end) => {
      if (++tries < 3) throw new StoreError('no-space', 'the disk is full')
      return store.endExecution(id, end)
    },
  }
  executionsOver(full).executions.start(execution)
  await settled(store)
  expect(tries).toBe(3)
  expect(store.execution(execution)?.state).toBe('FAILED')
  store.close()
})

test('a pipeline that breaks goes on where it was, and no step runs twice', async () => {
  const store = stored()
  let broken = false
  const full: Store = {
    ...store,
    pipelineDone: (id, step) => {
      if (step === 'sync' && !broken) {
        broken = true
        throw new StoreError('no-space', 'the disk is full')
      }
      store.pipelineDone(id, step)
    },
  }
  executionsOver(full).executions.start(execution)
  await settled(store)
  const moves = store.events(execution, 0, 100).filter(({ type }) => type === 'bead')
  expect(moves.map(({ data }) => data)).toEqual([
    { from: 'open', to: 'in_progress' },
    { from: 'in_progress', to: 'open' }, // there was nothing to run it in
  ])
  store.close()
})

test('a bead that cannot be read any more ends its execution instead of leaving it RUNNING', async () => {
  const store = stored()
  executionsOver({ ...store, bead: () => null }).executions.start(execution)
  await settled(store)
  expect(store.execution(execution)).toMatchObject({ state: 'FAILED', reason: 'infra_error' })
  store.close()
})

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
/** `sandbox`: what all that are listed do. */
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
  const { deps, executions, projects } = executionsOver(store, engine)
  const left = new LeftContainers(deps, (row) => executions.liveOf(row))
  const recovered = () => recover(deps, 'local', executions, projects, left)
  return { left, removed, recovered }
}

test('a container of an execution that is over is removed; one of a live execution stays, and one of an unknown one is kept', async () => {
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

test('a container that may hold work is kept until it is saved or given up by a person, however old it is', async () => {
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

test('a kept container that somebody removed is forgotten, and that its work may be lost is said', async () => {
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

test('one that another engine has on the same Docker is left alone: a cluster’s images are made there', async () => {
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

test('one that waited for an execution of an earlier server is removed; one that nobody has written down is kept', async () => {
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
