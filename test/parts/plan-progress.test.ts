import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { planned } from '@beadloom/server/src/app/views/phase-progress.ts'
import { phaseViews } from '@beadloom/server/src/app/views/phase-view.ts'
import { partsOfPlans } from '@beadloom/server/src/app/scheduling/running-plans.ts'
import {
  bead,
  demo,
  executionId,
  openTestStore,
  seededRandom,
  stepClock,
  world,
} from '@beadloom/server/src/store/testing.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

/* Plan data for each view of planned work and each round of the scheduler: cheap, and never stale. */
let store: Store
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-progress-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  world(store, ['bl-1', 'bl-2', 'bl-3'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const one = bead('bl-1')
const id = executionId('a')
const [A, B] = ['a', 'b'].map((letter) => letter.repeat(40)) as [string, string]
const plan = planOf([subtaskOf('bl-2'), subtaskOf('bl-3', { dependsOn: ['bl-2'] })])

function begin(): void {
  store.addPlan({ project: demo, bead: one, source: 'tracker', plan })
  const common = { project: demo, bead: one, kind: 'work' as const, branch: 'b', context: '', maxAttempts: 3 }
  store.queueExecution({ id, ...common, planVersion: 1 })
  store.startExecution(id, 9_999_999)
}

let number = 0
function session(attempt: number, role: 'subtask' | 'review', subtask = ''): void {
  number += 1
  store.startSession({
    id: sessionIdOf(id, number),
    execution: id,
    number,
    kind: 'work',
    attempt,
    phase: { role, subtask },
  })
}
const end = (outcome: 'success' | 'failed') => store.endSession(sessionIdOf(id, number), outcome, 0, 'ended')
const answer = (ready: boolean) =>
  store.keepAnswer(sessionIdOf(id, number), 1, JSON.stringify({ issues: [], summary: 'So.', pr_ready: ready }))
const check = (attempt: number, commit: string): Verification => ({
  attempt,
  purpose: 'attempt',
  run: 1,
  step: 1,
  session: sessionIdOf(id, number),
  name: 'test',
  type: 'test',
  command: 'true',
  commit,
  passed: true,
  exitCode: 0,
  durationMs: 1,
  tool: '',
  failures: 0,
  collected: 3,
  summary: 'ok',
  digest: '',
  fingerprint: '',
  findings: [],
  verdict: null,
  at: 1,
})

test('a view agrees at each moment with the full phases, and reads no row that its reader already has', () => {
  begin()
  number = 0
  const told: string[] = []
  const look = () => {
    const execution = store.execution(id)!
    const read = { sessions: store.sessions(id), verifications: store.verifications(id) }
    const twice = () => {
      throw new Error('read twice')
    }
    const { progress, inPhases } = planned({ ...store, sessions: twice, verifications: twice }, execution, read)
    const phases = phaseViews(store, execution)
    const now = phases.find(({ status }) => status !== 'completed') ?? phases.at(-1)
    expect(progress).toEqual({
      phase: now?.number,
      of: 2,
      status: now?.status,
      activity: now?.activity,
      attempt: now?.attempt,
      done: now?.subtasks.filter(({ status }) => status === 'completed').length,
      subtasks: 1,
    })
    expect(inPhases).toEqual(
      phases.flatMap(({ number: phase, sessions }) => sessions.map((row) => ({ ...row, phase }))),
    )
    told.push(`${progress?.phase} ${progress?.status} ${progress?.attempt} ${progress?.activity} ${inPhases?.length}`)
  }
  const steps = [
    () => {},
    () => store.beginPhase(id, 1, A, 2),
    () => store.beginRound(id, { number: 1, phase: 1, attempt: 1, kind: 'subtasks' }),
    () => session(1, 'subtask', 'bl-2'),
    () => end('success'),
    () => store.endRound(id, 1, B),
    () => store.addVerifications(id, [check(1, B)]),
    () => session(1, 'review'),
    () => answer(false),
    () => end('success'),
    () => store.beginRound(id, { number: 2, phase: 1, attempt: 2, kind: 'subtasks' }),
    () => store.approvePhase(id, { number: 1, of: 2, commit: B, summary: 'done' }),
    () => store.beginPhase(id, 2, B, 2),
    () => store.beginRound(id, { number: 3, phase: 2, attempt: 1, kind: 'subtasks' }),
    () => session(3, 'subtask', 'bl-3'),
    () => end('failed'),
    () => store.endExecution(id, { state: 'CANCELLED', detail: 'x' }),
  ]
  for (const step of steps) {
    step()
    look()
  }
  expect(told).toEqual([
    '1 pending 0 null 0',
    '1 running 0 subtasks 0',
    '1 running 1 subtasks 0',
    '1 running 1 subtasks 1',
    '1 running 1 checks 1',
    '1 running 1 checks 1',
    '1 running 1 review 1',
    '1 running 1 review 2',
    '1 running 1 review 2',
    '1 running 1 subtasks 2',
    '1 retrying 2 subtasks 2',
    '2 pending 0 null 2',
    '2 running 0 subtasks 2',
    '2 running 1 subtasks 2',
    '2 running 1 subtasks 3',
    '2 running 1 null 3',
    '2 failed 1 null 3',
  ])
})

test('beads are part of the running plan by the version that runs, as long as it runs', () => {
  const parts = () => [...partsOfPlans(store, demo, store.liveExecutions()).keys()]
  expect(parts()).toEqual([])
  begin()
  expect(parts()).toEqual(['bl-2', 'bl-3'])
  store.addPlan({ project: demo, bead: one, source: 'tracker', plan: planOf([subtaskOf('bl-3')]) })
  expect(parts()).toEqual(['bl-2', 'bl-3'])
  store.endExecution(id, { state: 'CANCELLED', detail: 'x' })
  expect(parts()).toEqual([])

  store.removeProject(demo)
  world(store, ['bl-1', 'bl-2', 'bl-3'])
  store.addPlan({ project: demo, bead: one, source: 'tracker', plan: planOf([subtaskOf('bl-3')]) })
  const common = { project: demo, bead: one, kind: 'work' as const, branch: 'b', context: '', maxAttempts: 3 }
  store.queueExecution({ id: executionId('b'), ...common, planVersion: 1 })
  expect(parts()).toEqual(['bl-3'])
})
