import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Engines } from '@beadloom/server/src/ports/engines.ts'
import type { Gateway } from '@beadloom/server/src/ports/gateway.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { openTestStore, queued, seededRandom, world } from '@beadloom/server/src/store/testing.ts'
import { ServerFacts } from '@beadloom/server/src/app/engines/server-facts.ts'

test('an engine is in use while an execution runs that was started there, though no project names it any more', () => {
  const root = mkdtempSync(join(tmpdir(), 'server-facts-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const clock = new HandClock(1_000_000)
  const store = openTestStore(join(root, 'beadloom.db'), { clock, random: seededRandom() })
  onTestFinished(() => store.close())
  const facts = new ServerFacts({
    store,
    clock,
    engines: { nameOf: (asked) => asked ?? 'local' } as Engines,
    gateway: {} as Gateway,
    data: root,
    model: null,
    changed: () => {},
  })
  world(store, ['a-1', 'a-2'])
  queued(store, 'a-1')
  const running = queued(store, 'a-2')
  store.startExecution(running, clock.now(), undefined, { engine: 'old' } as ProjectSettings)
  expect(facts.enginesInUse()).toEqual(['local', 'old'])
  store.endExecution(running, { state: 'CANCELLED', detail: '' })
  expect(facts.enginesInUse()).toEqual(['local'])
})
