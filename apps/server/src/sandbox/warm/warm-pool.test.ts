import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import type { Running, Sandbox } from '../../ports/sandbox.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { createLogger } from '../../process/logger.ts'
import { environmentFrom, madeOf } from './made-of.ts'
import { WarmPool, type WarmPoolDeps } from './warm-pool.ts'

const GIB = 1024 ** 3
const HOUR_MS = 3_600_000
const LOOK_MS = 5_000
const project = parseProjectId('demo')
const settings = resolveSettings(
  {},
  {
    setup: null,
    test: 'true',
    checks: [],
    techStack: [],
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
const made = madeOf('image', settings)

/** A pool with room for one, over an engine whose sandboxes check out at once. `refuses`: it opens none. */
function pool() {
  const clock = new HandClock()
  const engine = { opened: [] as string[], closed: [] as string[], tries: 0, refuses: false }
  const session: Pick<Running, 'ended' | 'close'> & { output: unknown } = {
    output: (async function* () {})(),
    ended: async () => ({ code: 0, oomKilled: false, lost: false, startedAt: 0, finishedAt: 0 }),
    close: () => {},
  }
  const open = async ({ name }: { name: string }) => {
    engine.tries++
    if (engine.refuses) throw new Error('no space is left')
    engine.opened.push(name)
    const close = async () => void engine.closed.push(name)
    const does = { run: async () => session as Running, stepAhead: async () => {}, close }
    const sandbox = { id: name, name, ...does } as Partial<Sandbox> as Sandbox
    return { sandbox, clamped: [] }
  }
  const nothing = () => {}
  const store = {
    addContainer: nothing,
    containerCreated: nothing,
    releaseContainer: nothing,
    forgetContainer: nothing,
    takeContainer: async () => true,
    environment: () => 'image',
    rememberEnvironment: nothing,
  }
  let names = 0
  const deps = {
    store,
    engines: { nameOf: () => 'local', of: () => ({ name: 'local', open }) },
    hub: { tip: async () => '0'.repeat(40), serve: () => nothing, modules: async () => ({ here: [], missing: [] }) },
    clock,
    log: createLogger('silent'),
    random: () => (names++ % 30) / 30,
    projects: () => [
      {
        hub: { id: project, source: '/x', baseBranch: null },
        settings,
        autopilot: true,
        paused: false,
        held: false,
        lastAt: null,
      },
    ],
    mayOpen: () => true,
    memory: () => ({ freeBytes: 16 * GIB, totalBytes: 16 * GIB }),
    most: 1,
    lookMs: LOOK_MS,
    changed: nothing,
  } as unknown as WarmPoolDeps
  const warm = new WarmPool(deps)
  warm.learn(project, environmentFrom(settings, null), 'image')
  void warm.follow(new AbortController().signal)
  /** So many looks, each with everything that it begins. */
  const looks = async (count: number) => {
    for (let look = 0; look < count; look++) {
      clock.advance(LOOK_MS)
      for (let turn = 0; turn < 20; turn++) await nextTurn()
    }
  }
  const take = () => warm.take(parseExecutionId('ex-aaaaaaaaaa'), project, made)
  return { clock, engine, looks, take }
}

test.each([
  ['forwards', 5 * HOUR_MS],
  ['backwards', -5 * HOUR_MS],
])('a clock that is set %s changes nothing: not how long one waits', async (_, ms) => {
  const { clock, engine, looks } = pool()
  await looks(1)
  expect(engine.opened).toHaveLength(1)
  clock.jump(ms)
  await looks(1)
  expect(engine.closed).toEqual([])
  await looks((4 * HOUR_MS) / LOOK_MS)
  expect(engine.closed).toEqual(engine.opened.slice(0, 1))
})

test.each([
  ['forwards', HOUR_MS],
  ['backwards', -HOUR_MS],
])('… %s: not the half minute after a failure', async (_, ms) => {
  const { clock, engine, looks } = pool()
  engine.refuses = true
  await looks(1)
  expect(engine.tries).toBe(1)
  clock.jump(ms)
  await looks(5)
  expect(engine.tries).toBe(1)
  await looks(1)
  expect(engine.tries).toBe(2)
})

test.each([
  ['forwards', HOUR_MS],
  ['backwards', -HOUR_MS],
])('… %s: not the quiet after one was taken', async (_, ms) => {
  const { clock, engine, looks, take } = pool()
  await looks(1)
  expect((await take())?.sandbox.name).toBe(engine.opened[0])
  clock.jump(ms)
  await looks(1)
  expect(engine.opened).toHaveLength(1)
  await looks(1)
  expect(engine.opened).toHaveLength(2)
})
