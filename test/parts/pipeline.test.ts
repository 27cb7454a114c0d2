// @suite unit-long
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { type Engine, EngineError } from '@beadloom/server/src/ports/engine.ts'
import type { OwnedSandbox, Sandbox } from '@beadloom/server/src/ports/sandbox.ts'
import { HubError, type Hub } from '@beadloom/server/src/ports/hub.ts'
import { StoreError } from '@beadloom/server/src/ports/store/errors.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { onlyEngine } from '@beadloom/server/src/ports/testing/only-engine.ts'
import { MemoryLogs } from '@beadloom/server/src/ports/testing/memory-logs.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import type { EndingDeps } from '@beadloom/server/src/workflow/ending/deps.ts'
import { runPipeline } from '@beadloom/server/src/workflow/ending/pipeline.ts'
import {
  bead,
  demo,
  openTestStore,
  queued,
  running,
  seededRandom,
  stepClock,
  tracked,
  world,
} from '@beadloom/server/src/store/testing.ts'

/* The terminal pipeline over a real store; each case decides what engine, hub and tracker do. */

let folder: string
let store: Store
let logs: MemoryLogs
let did: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipeline-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  world(store, ['a-1'])
  logs = new MemoryLogs()
  did = []
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const down = () => Promise.reject(new Error('it is down'))
const left = (owner: ExecutionId): OwnedSandbox => ({
  id: 'c-1',
  name: `beadloom-${owner}-verify-1`,
  owner,
  purpose: 'verify',
  state: 'exited',
  createdAt: 0,
})

/** Every end's calls to the hub. */
const quietHub: Partial<Hub> = { path: () => '/hub', forgetCandidates: async () => {} }

function depsOver(execution: ExecutionId, refs: string[], changes: Partial<EndingDeps> = {}): EndingDeps {
  const engine: Partial<Engine> = {
    owned: async () => [left(execution)],
    sandbox: ({ id }) => ({ close: async () => void did.push(`remove ${id}`) }) as Partial<Sandbox> as Sandbox,
  }
  const commitOf = (ref: string) => (ref.startsWith('refs/heads/') ? 'ba5e' : 'c0ffee')
  const hub: Partial<Hub> = {
    ...quietHub,
    tip: async (_, ref) => (refs.includes(ref) ? commitOf(ref) : null),
    contains: async (_, commit, ancestor) => commit === ancestor,
  }
  return {
    store,
    engines: onlyEngine({ name: 'local', ...engine } as Engine),
    hub: hub as Hub,
    logs,
    log: createLogger('silent'),
    clock: stepClock(),
    aside: createAside({ clock: systemClock }),
    sync: async () => void did.push('sync'),
    ...changes,
  }
}

function ended(end: ExecutionEnd, id = 'a-1') {
  const execution = running(store, id)
  const done = store.endExecution(execution, end)
  if ('refused' in done) throw new Error(done.refused)
  return done
}

const blocked: ExecutionEnd = { state: 'BLOCKED', blockedReason: 'no key', detail: 'The agent stopped: no key' }
const timedOut: ExecutionEnd = { state: 'TIMEOUT', reason: 'silence', detail: 'Nothing came.' }
const statusOf = (id: string) => store.bead(demo, bead(id))?.status
const warnings = (id: ExecutionId) =>
  store.events(id, 0, 1000).flatMap(({ type, data }) => (type === 'warning' ? [(data as { text: string }).text] : []))

test('the steps are status, bead, sync, cleanup, each once, in this order', async () => {
  const execution = ended(blocked)
  const deps = depsOver(execution.id, [])
  await Promise.all([runPipeline(deps, execution), runPipeline(deps, execution)])
  await runPipeline(deps, execution)
  expect(did).toEqual(['sync', 'remove c-1'])
  const steps = store.events(execution.id, 0, 100).flatMap(({ type, data }) => (type === 'pipeline' ? [data] : []))
  expect(steps).toEqual(['status', 'bead', 'sync', 'cleanup'].map((step) => ({ step })))
  expect(statusOf('a-1')).toBe('blocked')
  expect(store.followUpsOf(execution.id)).toHaveLength(1)
  expect(warnings(execution.id)).toEqual([])
})

test.each(['unreachable', 'timed-out'] as const)(
  'an engine that is away (%s) when an execution ends costs no warning: its containers are swept later',
  async (kind) => {
    const execution = ended(blocked)
    const owned = () => Promise.reject(new EngineError(kind, 'Docker does not answer'))
    const engines = onlyEngine({ name: 'local', owned } as Partial<Engine> as Engine)
    await runPipeline(depsOver(execution.id, [], { engines }), execution)
    expect(store.pipelineSteps(execution.id)).toContain('cleanup')
    expect(warnings(execution.id)).toEqual([])
  },
)

test('a follow-up repeats no secret from the output', async () => {
  const key = `ghp_${'Zk3Qv9RtXw7PmLs2Hd8YbNcJf5GaUe4TiVo6'}`
  const execution = ended({ state: 'BLOCKED', blockedReason: `no use for ${key}`, detail: `The agent stopped: ${key}` })
  await runPipeline(depsOver(execution.id, []), execution)
  const [followUp] = store.followUpsOf(execution.id)
  const filed = store.bead(demo, followUp!.bead)
  expect(filed?.description).toContain('no use for ***')
  expect(JSON.stringify(filed)).not.toContain(key)
})

test('a success does not close a bead whose request changed meanwhile; it says what changed', async () => {
  const execution = running(store, 'a-1')
  store.replaceBeads(demo, [tracked('a-1', { description: 'More', raw: '{"acceptance_criteria":"Fast"}' })])
  const done = store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' })
  if ('refused' in done) throw new Error(done.refused)
  await runPipeline(depsOver(execution, []), done)
  expect(statusOf('a-1')).toBe('in_progress')
  expect(store.execution(execution)).toMatchObject({
    state: 'COMPLETED',
    flags: [{ kind: 'outdated', text: expect.stringMatching(/^its description and acceptance criteria were changed/) }],
  })
  const flags = store.events(execution, 0, 100).filter(({ type }) => type === 'flag')
  expect(flags).toHaveLength(1)
})

test('changes of verified work are counted once, when it has ended; an unreadable repository leaves them out', async () => {
  store.replaceBeads(demo, [tracked('a-1'), tracked('a-2')])
  const counted: Partial<Hub> = {
    tip: async () => null,
    diff: async (_, from, to) => [
      { path: `${from[0]}${to[0]}`, oldPath: null, status: 'M', added: 120, removed: 30, blob: null },
      { path: 'b.ts', oldPath: null, status: 'D', added: 0, removed: 4, blob: null },
      { path: 'c.png', oldPath: null, status: 'A', added: null, removed: null, blob: null },
    ],
  }
  const broken: Partial<Hub> = { diff: () => Promise.reject(new HubError('git-failed', 'no such commit')) }
  for (const [id, hub] of [
    ['a-1', counted],
    ['a-2', broken],
  ] as const) {
    const execution = running(store, id)
    store.noteExecution(execution, { baseCommit: 'b'.repeat(40) })
    const done = store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' })
    if ('refused' in done) throw new Error(done.refused)
    await runPipeline(depsOver(execution, [], { hub: { ...quietHub, ...hub } as Hub }), done)
    const expected = hub === counted ? { files: 3, added: 120, removed: 34 } : null
    expect(store.execution(execution)).toMatchObject({ state: 'COMPLETED', diffSize: expected })
    expect(statusOf(id)).toBe('done')
    expect(warnings(execution)).toEqual([])
  }
})

test('a step that fails skips no other, and says so', async () => {
  const execution = ended(blocked)
  await runPipeline(
    depsOver(execution.id, [], { sync: down, hub: { ...quietHub, tip: down } as Partial<Hub> as Hub }),
    execution,
  )
  expect(did).toEqual(['remove c-1'])
  expect(store.pipelineSteps(execution.id)).toHaveLength(4)
  expect(warnings(execution.id)).toEqual(['the step "sync" after the end failed: it is down'])
  const [followUp] = store.followUpsOf(execution.id)
  expect(followUp && store.bead(demo, followUp.bead)?.baseBranch).toBeUndefined() // unknown whether the branch exists
})

test('writes that a full disk prevented are made later; the leftovers go all the same', async () => {
  const execution = ended(blocked)
  const full: Store = {
    ...store,
    fileFollowUp: () => {
      throw new StoreError('no-space', 'the disk is full')
    },
  }
  await expect(runPipeline(depsOver(execution.id, [], { store: full }), execution)).rejects.toThrow('the disk is full')
  expect(did).toEqual(['sync', 'remove c-1'])
  expect(store.pipelineSteps(execution.id)).toEqual(['status', 'sync', 'cleanup'])
  await runPipeline(depsOver(execution.id, []), execution)
  expect(did).toEqual(['sync', 'remove c-1'])
  expect(store.followUpsOf(execution.id)).toHaveLength(1)
  expect(warnings(execution.id)).toEqual([])
})

test('a crash between the bead and its record files no second bead', async () => {
  const execution = ended(blocked)
  const dying: Store = {
    ...store,
    pipelineDone: () => {
      throw new StoreError('no-space', 'dead')
    },
  }
  await expect(runPipeline(depsOver(execution.id, [], { store: dying }), execution)).rejects.toThrow('dead')
  await runPipeline(depsOver(execution.id, []), execution)
  expect(store.beads(demo)).toHaveLength(2)
  expect(warnings(execution.id)).toEqual([])
})

test('an execution cancelled while queued neither moves the bead nor needs an engine', async () => {
  const id = queued(store, 'a-1')
  const execution = store.endExecution(id, { state: 'CANCELLED', detail: 'Cancelled.' })
  if ('refused' in execution) throw new Error(execution.refused)
  await runPipeline(depsOver(id, [], { engines: onlyEngine({ owned: down } as Partial<Engine> as Engine) }), execution)
  expect(store.pipelineSteps(id)).toHaveLength(4)
  expect(statusOf('a-1')).toBe('open')
  expect(warnings(id)).toEqual([])
})

test('a pipeline that comes late leaves the bead to the execution that has it now', async () => {
  const execution = ended({ state: 'CANCELLED', detail: 'Cancelled.' })
  running(store, 'a-1')
  await runPipeline(depsOver(execution.id, []), execution)
  expect(statusOf('a-1')).toBe('in_progress')
})

test('a bead that a person closed meanwhile stays closed, and nothing follows from it', async () => {
  const id = running(store, 'a-1')
  store.moveBead(demo, bead('a-1'), { type: 'closed' })
  const execution = store.endExecution(id, blocked)
  if ('refused' in execution) throw new Error(execution.refused)
  await runPipeline(depsOver(id, []), execution)
  expect(statusOf('a-1')).toBe('done')
  expect(store.beads(demo)).toHaveLength(1)
  expect(warnings(id)).toEqual(['somebody set the bead to done while it ran, so it stays done'])
})

test('the follow-up of a time limit has the end of the last log, its branch and the saved work', async () => {
  const id = running(store, 'a-1')
  store.noteExecution(id, { attempt: 2 })
  for (const [number, kind] of [
    [1, 'work'],
    [2, 'save'],
  ] as const) {
    const session = sessionIdOf(id, number)
    store.startSession({ id: session, execution: id, number, kind, attempt: 2 })
    logs.append(session, kind === 'work' ? `${'x'.repeat(50_000)}\n${lines(30)}half a line` : 'saving\n')
  }
  store.addEvent(id, null, 'saved', { ref: `refs/beadloom/${id}/left`, commit: 'c0ffee' })
  const execution = store.endExecution(id, timedOut)
  if ('refused' in execution) throw new Error(execution.refused)
  await runPipeline(depsOver(id, ['refs/heads/beads-a-1', `refs/beadloom/${id}/left`]), execution)
  const [followUp] = store.followUpsOf(id)
  const filed = followUp && store.bead(demo, followUp.bead)
  expect(filed).toMatchObject({ baseBranch: 'beads-a-1', labels: ['beadloom', 'needs-human'] })
  expect(filed?.description).toContain(`\n\`\`\`text\n${lines(30).split('\n').slice(11).join('\n')}half a line\n\`\`\``)
  expect(filed?.description).toContain(`git fetch origin refs/beadloom/${id}/left`)
  expect(filed?.description).toContain('in attempt 2 of 3')
})

test('a project that is removed meanwhile ends its pipeline', async () => {
  const execution = ended(blocked)
  const sync = async () => store.removeProject(demo)
  await runPipeline(depsOver(execution.id, [], { sync }), execution)
  expect(store.execution(execution.id)).toBeNull()
  expect(did).toEqual(['remove c-1'])
})

function lines(count: number): string {
  return Array.from({ length: count }, (_, line) => `line ${line + 1}\n`).join('')
}
