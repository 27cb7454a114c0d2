import { MemoryLogs } from '@beadloom/server/src/ports/testing/memory-logs.ts'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/ids.ts'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import { EngineError, type Engine } from '@beadloom/server/src/ports/engine.ts'
import type { Gateway } from '@beadloom/server/src/ports/gateway.ts'
import { HubError, type Hub } from '@beadloom/server/src/ports/hub.ts'
import type { Recorder } from '@beadloom/server/src/ports/recorder.ts'
import { StoreError } from '@beadloom/server/src/ports/store/errors.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { openStore } from '@beadloom/server/src/store/open-store.ts'
import { seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'
import { Executions } from '@beadloom/server/src/workflow/executions.ts'
import { removeOrphans, sweep } from '@beadloom/server/src/workflow/recover.ts'

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

function executionsOver(store: Store, engine: Partial<Engine> = { list: async () => [] }) {
  const deps = {
    store,
    engine: engine as Engine,
    hub: { fetch: gone, current: async () => null } as Partial<Hub> as Hub,
    gateway: {} as Gateway,
    recorder: {} as Recorder,
    logs: new MemoryLogs(),
    clock,
    log,
    linkFolder: '/nowhere',
    linkLimits: {},
    prices: {},
  }
  const settings = resolveSettings({}, { setup: null, test: 'true', checks: [], techStack: ['x'] }, 'demo', 'main')
  const hub = { id: project, source: '/x', baseBranch: null }
  const projects = { open: () => ({ hub, settings }), sync: async () => {} }
  return { deps, executions: new Executions(deps, projects) }
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
  expect(moves.map(({ data }) => data)).toEqual([{ from: 'open', to: 'in_progress' }])
  store.close()
})

test('a bead that cannot be read any more ends its execution instead of leaving it RUNNING', async () => {
  const store = stored()
  executionsOver({ ...store, bead: () => null }).executions.start(execution)
  await settled(store)
  expect(store.execution(execution)).toMatchObject({ state: 'FAILED', reason: 'infra_error' })
  store.close()
})

test('containers of executions that are over are removed, those of live ones stay', async () => {
  const store = stored()
  const removed: string[] = []
  const container = (id: string, of: string) => ({ id, execution: of, kind: 'work', state: 'exited', createdAt: 0 })
  const { deps } = executionsOver(store, {
    list: async () => [container('live', execution), container('over', 'ex-bbbbbbbbbb')],
    remove: async (id) => void removed.push(id),
  })
  await removeOrphans(deps)
  expect(removed).toEqual(['over'])
  store.close()
})

test('a container whose workspace cannot be saved now is kept, tried again, and given up after a day', async () => {
  const store = stored()
  const removed: string[] = []
  let tries = 0
  const { deps, executions } = executionsOver(store, {
    list: async () => [{ id: 'c-1', execution, kind: 'work', state: 'exited', createdAt: 0 }],
    inspect: async () => ({ state: 'running', startedAt: 0 }),
    stop: async () => {
      tries++
      throw new EngineError('no-space', 'no space left on device')
    },
    remove: async (id) => void removed.push(id),
  })
  store.startExecution(execution, clock.now() + 1000)
  store.endExecution(execution, { state: 'CANCELLED', detail: 'Cancelled.' })
  deps.linkFolder = mkdtempSync(join(tmpdir(), 'bl-'))
  folders.push(deps.linkFolder)
  mkdirSync(join(deps.linkFolder, `${execution}-work`))
  await sweep(deps, executions)
  await sweep(deps, executions)
  expect([tries, removed]).toEqual([2, []])
  clock.advance(25 * 3_600_000)
  await sweep(deps, executions)
  expect(removed).toEqual(['c-1'])
  store.close()
})
