import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { planOf, subtaskOf } from '@beadloom/core/plan/plan-kit.ts'
import type { PhaseHistory } from '@beadloom/core/plan/phase-step.ts'
import { newExecutionId } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '@beadloom/server/src/execution/live-execution.ts'
import {
  bead,
  demo,
  openTestStore,
  seededRandom,
  stepClock,
  tracked,
  world,
} from '@beadloom/server/src/store/testing.ts'
import { tellChanged } from '@beadloom/server/src/workflow/phases/children.ts'

test('a child that was reopened, changed or removed is reported once, also by the next server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'children-'))
  const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  let store = open()
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  world(store, ['e', 'e-1', 'e-2'])
  const subtasks = ['e-1', 'e-2'].map((id) => subtaskOf(id))
  store.addPlan({ project: demo, bead: bead('e'), source: 'tracker', plan: planOf(subtasks) })
  const id = newExecutionId(seededRandom(3))
  const queued = { id, project: demo, bead: bead('e'), kind: 'work', branch: 'b', context: '', maxAttempts: 3 } as const
  store.queueExecution({ ...queued, planVersion: 1 })
  store.startExecution(id, 9_999_999)
  const history = { plan: [subtasks], phases: [{ number: 1, preCommit: 'a', commit: 'b' }] } as unknown as PhaseHistory
  const tell = () => {
    const live = { id, deps: { store }, project: { id: demo }, bead: { id: bead('e') } } as unknown as LiveExecution
    return tellChanged(live, history)
  }
  const warnings = () =>
    store
      .events(id, 0, 100)
      .flatMap(({ type, data }) => (type === 'warning' ? [(data as { child: string }).child] : []))

  store.moveBead(demo, bead('e-2'), { type: 'closed' })
  await tell()
  await tell()
  expect(warnings()).toEqual(['e-1'])

  store.close()
  store = open()
  await tell()
  expect(warnings()).toEqual(['e-1'])

  store.replaceBeads(demo, [tracked('e'), tracked('e-1')])
  await tell()
  expect(warnings()).toEqual(['e-1', 'e-2'])
})
