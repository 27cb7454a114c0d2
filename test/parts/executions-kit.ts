import { noEgress } from '../support/no-egress.ts'
import { nothingWaits } from '../support/nothing-waits.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { Budget } from '@beadloom/server/src/budget/budget.ts'
import { oneEngine } from '@beadloom/server/src/execution/testing.ts'
import { LentSlots } from '@beadloom/server/src/execution/lent-slots.ts'
import { News } from '@beadloom/server/src/execution/news.ts'
import { MergeTurns } from '@beadloom/server/src/execution/merge-turns.ts'
import { onlyEngine } from '@beadloom/server/src/ports/testing/only-engine.ts'
import { MemoryLogs } from '@beadloom/server/src/ports/testing/memory-logs.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import type { Engine } from '@beadloom/server/src/ports/engine.ts'
import type { Gateway } from '@beadloom/server/src/ports/gateway.ts'
import { HubError, type Hub } from '@beadloom/server/src/ports/hub.ts'
import type { Recorder } from '@beadloom/server/src/ports/recorder.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { openTestStore, seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'
import { ProjectEnvironments } from '@beadloom/server/src/sandbox/project-environment.ts'
import { Executions } from '@beadloom/server/src/workflow/executions.ts'

/* A real store; the hub fails at once, so an execution ends before it needs anything else. */

export const project = parseProjectId('demo')
export const execution = parseExecutionId('ex-aaaaaaaaaa')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export const clock = new HandClock(10_000)
const log = createLogger('silent')
const gone = () => Promise.reject(new HubError('missing', 'There is no folder /x: check the path'))

export function stored(): Store {
  const folder = mkdtempSync(join(tmpdir(), 'executions-'))
  folders.push(folder)
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  store.addProject({ id: project, source: '/x' })
  store.replaceBeads(project, [tracked('bl-1')])
  const bead = parseBeadId('bl-1')
  store.queueExecution({ id: execution, project, bead, kind: 'work', branch: 'b', context: '', maxAttempts: 3 })
  return store
}

export function executionsOver(store: Store, engine: Partial<Engine> = { owned: async () => [] }) {
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
    holdNews: new News(),
    mergeTurns: new MergeTurns(clock),
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

export const settled = (store: Store) =>
  expect.poll(() => store.pipelineSteps(execution).length, { timeout: 5000 }).toBe(4)
