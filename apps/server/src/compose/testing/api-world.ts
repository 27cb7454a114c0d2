import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { onTestFinished } from 'vitest'
import { LiveIndex } from '../../app/scheduling/live-index.ts'
import { ScheduleMemory } from '../../app/scheduling/schedule-memory.ts'
import type { Projects } from '../../app/projects/projects.ts'
import { Budget } from '../../budget/budget.ts'
import { News } from '../../execution/news.ts'
import type { CommonDeps } from '../../execution/deps.ts'
import type { Engine } from '../../ports/engine.ts'
import type { Hub } from '../../ports/hub.ts'
import { ReadingStopped } from '../../ports/aside.ts'
import { MemoryLogs } from '../../ports/testing/memory-logs.ts'
import type { Store } from '../../ports/store.ts'
import { systemClock, type Clock } from '../../process/clock.ts'
import { createLogger } from '../../process/logger.ts'
import { secretFile } from '../../process/secret-file.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import { readSettings } from '../../process/settings/settings.ts'
import { Teardown } from '../../process/teardown.ts'
import { LeftContainers } from '../../sandbox/unsaved-containers.ts'
import { openTestStore, seededRandom, world } from '../../store/testing.ts'
import { composeAnswers, type Answers } from '../answers.ts'
import type { Parts } from '../parts.ts'
import type { Working } from '../working.ts'

/** Queued, of the bead bl-3. */
export const EXECUTION = parseExecutionId('ex-0000000001')
/** Ended with a question, of the bead bl-4. */
export const ASKED = parseExecutionId('ex-0000000002')

/** Two beads that can run, one that is queued, one that is blocked; and a project without any. */
function fill(store: Store): void {
  const demo = parseProjectId('demo')
  world(store, ['bl-1', 'bl-2', 'bl-3', 'bl-4'])
  store.addProject({ id: parseProjectId('empty'), source: '/repos/empty' })
  for (const [id, name] of [
    [EXECUTION, 'bl-3'],
    [ASKED, 'bl-4'],
  ] as const) {
    const bead = parseBeadId(name)
    store.queueExecution({ id, project: demo, bead, kind: 'work', branch: name, context: '', maxAttempts: 3 })
  }
  store.startExecution(ASKED, Number.MAX_SAFE_INTEGER)
  store.endExecution(ASKED, { state: 'BLOCKED', blockedReason: 'Which one?', detail: 'Which one?' })
  store.moveBead(demo, parseBeadId('bl-4'), { type: 'blocked' })
}

const executionDepsOf = (store: Store, clock: Clock) => ({
  budget: new Budget({ store, clock, currency: 'USD' }),
  holdNews: new News(),
  extraSlots: { used: 0, uses: () => [] },
})

/**
 * The answers of a server over a real store, which `fill` has filled. Git and the engine are absent, and nothing works
 * by itself.
 */
export function apiWorld(clock: Clock, people: PeopleSettings | null = null) {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-api-'))
  const random = seededRandom(3)
  const store = openTestStore(join(folder, 'beadloom.db'), { clock: systemClock, random })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  fill(store)

  const logs = new MemoryLogs()
  const unready: string[] = []
  const cancelled: string[] = []
  const index = new LiveIndex(store)
  const from = { flags: { data: folder }, env: {}, configFile: null, cwd: folder, defaults: { scenarios: folder } }
  const settings = { ...readSettings(from), people }
  const health = { ok: true, text: '', where: null, weaker: [], cpus: 4, memoryBytes: 0 }
  const engine = { agentBytes: async () => null, owned: async () => [] } as Partial<Engine> as Engine
  const hub: Partial<Hub> = {
    placeOf: async (source) => {
      if (source === '/bug') throw new Error('SECRET /home/somebody/secret')
      if (source === '/stopping') throw new ReadingStopped('the server stopped while a repository was read')
      return null
    },
    current: async () => null,
    fetch: async () => Promise.reject(new Error('there is no repository')),
    unsettled: async () => {},
    settled: async () => {},
    remove: async () => {},
  }
  const parts: Absent<Parts> = {
    store,
    patient: store.patient,
    engines: { nameOf: () => 'local', of: () => engine },
    hub: hub as Hub,
    gateway: { check: async () => ({ ok: true, name: null, text: '', note: null }) },
    recording: { logs, removeWithLogs: (_project, _executions, remove) => remove(), apart: { end: async () => null } },
  }
  const add: Projects['add'] = async (id, _source, register = () => {}) => {
    await register()
    return store.project(id)!
  }
  const working: Absent<Working> = {
    projects: {
      add,
      sync: async () => {},
      forget: () => {},
      claimsIn: () => null,
      obstacle: () => null,
      model: () => null,
      tracker: () => null,
      syncs: () => ({ running: false, runs: [] }),
    },
    environments: { leftOut: () => null },
    executions: { cancel: (id) => void cancelled.push(id), abandon: () => false, retryNow: () => {} },
    executionDeps: executionDepsOf(store, clock),
    leftContainers: new LeftContainers({ store: store.patient } as CommonDeps, absent),
    scheduler: { nudge: () => {} },
    index,
    schedule: new ScheduleMemory(index, people === null),
    places: { total: 3, of: () => 3, engineOf: () => 'local' },
    facts: {
      docker: health,
      disk: { freeBytes: 2 ** 40, ok: true },
      model: { name: 'model', ok: true, text: '' },
      engine: () => health,
      otherEngines: () => [],
      enginesInUse: () => ['local'],
      unsettled: () => unready,
    },
    backups: null,
    warm: { ready: 0 },
    proofs: { prove: async () => false, stop: async () => false, proving: () => null, proof: () => null },
    secrets: secretFile(folder),
    images: { view: async () => null, nudge: () => {} },
    webhooks: { hooks: [], set: async () => {}, test: async () => [] },
  }
  const teardown = new Teardown(() => {})
  const connections = { perContainer: 1, clients: 100, strangers: 50 }
  const stopping = new AbortController().signal
  const log = createLogger('silent')
  const place = { settings, env: {}, log, clock, random, teardown, connections, stopping }
  const nobody = { sockets: 0, channels: 0, bufferedBytes: 0 }
  const answers: Answers = composeAnswers(place, parts as Parts, working as Working, () => nobody)
  const begun = { seq: store.seq(), listeners: 0 }
  const { onEvent } = store
  store.onEvent = (listener) => {
    const stop = onEvent(listener)
    begun.listeners++
    return () => {
      begun.listeners--
      stop()
    }
  }
  const changes = () => store.seq() - begun.seq
  return { ...answers, store, hub, logs, unready, cancelled, changes, listeners: () => begun.listeners }
}

const absent = (): never => {
  throw new Error('no container is there')
}

/** A part, of which the parts that no test asks for are missing. */
type Absent<T> = T extends (...args: never[]) => unknown ? T : T extends object ? { [K in keyof T]?: Absent<T[K]> } : T
