import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { StopPending } from '@beadloom/core/records/execution.ts'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { Stopper } from '../execution/stop.ts'
import { EngineError } from '../ports/engine.ts'
import type { SandboxState } from '../ports/sandbox.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { createLogger } from '../process/logger.ts'
import { stopSandbox } from './stop-sandbox.ts'

/** An engine that is away until the test brings it back. */
function world() {
  const clock = new HandClock()
  const stopper = new Stopper()
  const told: (StopPending | null)[] = []
  const engine = {
    tries: 0,
    why: 'Docker does not answer' as string | null,
    state: 'running' as SandboxState['state'],
  }
  const live = {
    id: parseExecutionId('ex-aaaaaaaaaa'),
    stopper,
    deps: {
      clock,
      log: createLogger('silent'),
      store: { noteStopPending: (_: unknown, pending: StopPending | null) => void told.push(pending) },
    },
  } as unknown as LiveExecution
  const sandbox = {
    id: 'c-1',
    stop: async () => {
      engine.tries++
      if (engine.why !== null) throw new EngineError('unreachable', engine.why)
      engine.state = 'exited'
    },
    state: async () => ({ state: engine.state }) as SandboxState,
  }
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500)
      for (let turn = 0; turn < 5; turn++) await nextTurn()
    }
  }
  let ended = false
  void stopSandbox(live, sandbox).then(() => (ended = true))
  return { clock, stopper, told, engine, pass, hasEnded: () => ended }
}

test('a stop is tried until the engine confirms it, and a short absence is not reported', async () => {
  const { engine, pass, hasEnded, told } = world()
  await pass(7_000)
  expect(hasEnded()).toBe(false)
  expect(engine.tries).toBeGreaterThan(2)
  engine.why = null
  await pass(8_000)
  expect([hasEnded(), told]).toEqual([true, []])
})

test('a container that cannot be stopped is reported after a minute, with its age, and again after each try until it is gone', async () => {
  const { clock, engine, pass, told, hasEnded } = world()
  const since = clock.now()
  await pass(120_000)
  expect(told.length).toBeGreaterThan(1)
  expect(told.at(-1)).toEqual({ since, tries: engine.tries, why: 'Docker does not answer' })
  engine.why = null
  await pass(30_000)
  expect([hasEnded(), told.at(-1)]).toEqual([true, null])
})

test('another request to stop tries at once', async () => {
  const { engine, pass, stopper, hasEnded } = world()
  await pass(60_000)
  engine.why = null
  stopper.stop({ stop: 'cancelled' })
  await pass(500)
  expect(hasEnded()).toBe(true)
})

test('an engine that claims to have stopped a running container is not believed', async () => {
  const { engine, pass, hasEnded } = world()
  engine.why = null
  Object.defineProperty(engine, 'state', { get: () => 'running', set: () => {}, configurable: true })
  await pass(30_000)
  expect(hasEnded()).toBe(false)
})

test.for(['abandon', 'detach'] as const)('it ends by %s, and then says nothing more', async (how) => {
  const { engine, pass, stopper, told, hasEnded } = world()
  await pass(70_000)
  const before = told.length
  if (how === 'abandon') stopper.abandon()
  else stopper.stop({ stop: 'detach' })
  await pass(500)
  expect(hasEnded()).toBe(true)
  const tries = engine.tries
  await pass(60_000)
  expect(engine.tries).toBe(tries)
  expect(told.slice(before).filter((one) => one !== null)).toEqual([])
})
