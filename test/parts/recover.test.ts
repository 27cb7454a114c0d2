import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { parseBeadId, parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { work, type WorkDeps } from '@beadloom/server/src/app/upkeep/work.ts'
import type { Engine } from '@beadloom/server/src/ports/engine.ts'
import type { OwnedSandbox, Sandbox } from '@beadloom/server/src/ports/sandbox.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { LeftContainers } from '@beadloom/server/src/sandbox/unsaved-containers.ts'
import { tracked } from '@beadloom/server/src/store/testing.ts'
import type { Executions } from '@beadloom/server/src/workflow/executions.ts'
import { finishPipelines, recover } from '@beadloom/server/src/workflow/recover.ts'
import { clock, execution, executionsOver, project, stored } from './executions-kit.ts'

/* A real store, as a killed server left it, with one running execution that waits for its retry. */

const over = parseExecutionId('ex-bbbbbbbbbb')
/** Run before the kit removes the database's folder. */
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

function left(): Store {
  const store = stored()
  endings.push(() => store.close())
  store.startExecution(execution, clock.now() + 3_600_000)
  store.noteExecution(execution, { retryAt: clock.now() + 3_000_000 })
  return store
}

/** Adds an execution whose pipeline the server did not finish. */
function addEnded(store: Store): void {
  store.replaceBeads(project, [tracked('bl-1'), tracked('bl-2')])
  const bead = parseBeadId('bl-2')
  store.queueExecution({ id: over, project, bead, kind: 'work', branch: 'b2', context: '', maxAttempts: 3 })
  store.startExecution(over, clock.now() + 3_600_000)
  store.endExecution(over, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
}

function parts(store: Store, engine: Partial<Engine> = {}) {
  const { deps, executions } = executionsOver(store, { owned: async () => [], tidy: async () => {}, ...engine })
  endings.push(() => executions.detach(0))
  const containers = new LeftContainers(deps, (row) => executions.liveOf(row))
  return { deps, executions, containers, recovered: () => recover(deps, 'local', executions, containers) }
}

/** The server's own work. `facts.recovered`: something new may start on the engine. */
function working(steps: Pick<WorkDeps, 'recover' | 'finish' | 'sweep'>) {
  const [stop, time] = [new AbortController(), new HandClock()]
  endings.push(() => stop.abort())
  const facts = {
    look: async () => {},
    whenAnswers: async () => {},
    enginesInUse: () => ['local', 'cluster'],
    engine: () => ({ ok: true }),
    recovered: vi.fn<(engine: string) => void>(),
  }
  const deps = {
    store: { projects: () => [], liveExecutions: () => [] },
    facts,
    projects: { follow: async () => {} },
    scheduler: { run: async () => {} },
    demo: async () => {},
    clock: time,
    log: createLogger('silent'),
    ...steps,
  } as unknown as WorkDeps
  void work(deps, stop.signal)
  return { facts, time }
}

const isContinued = (executions: Executions) => expect.poll(() => executions.isInHand(execution)).toBe(true)

test('a remote that does not answer keeps nothing from continuing or from being cancelled, and everything from starting', async () => {
  const store = left()
  addEnded(store)
  const { deps, executions, containers, recovered } = parts(store)
  const remote = Promise.withResolvers<void>()
  const asked = vi.fn(() => remote.promise)
  const { facts } = working({
    recover: async (engine) => (engine === 'local' ? recovered() : undefined),
    finish: () => finishPipelines(deps, { sync: asked }),
    sweep: async (engine) => (engine === 'local' ? containers.sweep(engine) : undefined),
  })
  await expect.poll(() => asked.mock.calls.length).toBe(1)
  await isContinued(executions)
  executions.cancel(execution)
  await expect.poll(() => store.execution(execution)?.state).toBe('CANCELLED')
  // The ended execution's bead has moved, but until its tracker is read, nothing starts on any engine.
  expect(store.pipelineSteps(over)).toEqual(['status', 'bead'])
  expect(facts.recovered).not.toHaveBeenCalled()
  remote.resolve()
  await expect.poll(() => facts.recovered.mock.calls.flat().sort()).toEqual(['cluster', 'local'])
  expect(store.pipelineSteps(over)).toHaveLength(4)
})

test('steps after an end that cannot be stored are taken again, and nothing is recovered twice for it', async () => {
  const done: string[] = []
  let isFull = true
  const { facts, time } = working({
    recover: async (engine) => void done.push(engine),
    finish: async () => {
      done.push('finish')
      if (isFull) throw new Error('disk full')
    },
    sweep: async () => {},
  })
  await expect.poll(() => done).toEqual(['local', 'cluster', 'finish'])
  isFull = false
  await expect
    .poll(() => {
      time.advance(5_000)
      return facts.recovered.mock.calls.length
    })
    .toBe(2)
  expect(done).toEqual(['local', 'cluster', 'finish', 'finish'])
})

test('a recovery that is repeated leaves an execution alone that continues already', async () => {
  const store = left()
  let listed = 0
  const { executions, recovered } = parts(store, {
    owned: async () => {
      listed += 1
      return []
    },
  })
  const reattach = vi.spyOn(executions, 'reattach')
  await recovered()
  await isContinued(executions)
  const before = listed
  await recovered()
  await setImmediate()
  expect([reattach.mock.calls.length, listed > before]).toEqual([1, true])
})

test('a container that an execution needs no more is removed before it continues: their services share ports', async () => {
  const store = left()
  store.startSession({ id: sessionIdOf(execution, 1), execution, number: 1, kind: 'verify', attempt: 1, model: null })
  const row = { name: 'beadloom-verify', engine: 'local', project, environment: null, owner: execution } as const
  store.addContainer({ ...row, purpose: 'verify', keepsWork: false })
  store.containerCreated(row.name, 'id-of-verify')
  const listed = [{ ...row, id: 'id-of-verify', purpose: 'verify', state: 'running', createdAt: 0 }]
  const order: string[] = []
  const close = async () => void order.push('removed')
  const { executions, recovered } = parts(store, {
    owned: async () => listed as unknown as OwnedSandbox[],
    sandbox: ({ id, name }) => ({ id, name, close }) as unknown as Sandbox,
  })
  vi.spyOn(executions, 'reattach').mockImplementation(() => void order.push('continued'))
  await recovered()
  expect(order).toEqual(['removed', 'continued'])
})
