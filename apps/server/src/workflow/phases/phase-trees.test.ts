import { expect, test } from 'vitest'
import { subtaskOf, planOf } from '@beadloom/core/plan/plan-kit.ts'
import type { PhaseHistory, Round } from '@beadloom/core/plan/phase-step.ts'
import { parseBeadId, parseExecutionId, parseProjectId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { EndedEarly } from '../../execution/ends.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { Join } from '../../ports/hub/merges.ts'
import { treeOf } from './phase-trees.ts'

const id = parseExecutionId('ex-aaaaaaaaaa')
// In the plan the second phase's subtask comes first.
const [later, skipped, one, two] = ['later', 'skipped', 'one', 'two'].map((name) =>
  subtaskOf(name, { filesTouched: [`${name}.ts`] }),
)
const phase = [skipped!, one!, two!]

const round = (patch: Partial<Round> = {}): Round => ({
  number: 1,
  phase: 1,
  attempt: 1,
  kind: 'subtasks',
  commit: null,
  empty: false,
  conflict: null,
  ...patch,
})
const history: PhaseHistory = {
  plan: [phase, [later!]],
  limit: 3,
  maxSessions: 100,
  answered: 0,
  skipped: ['skipped'],
  phases: [{ number: 1, preCommit: 'start', commit: null }],
  rounds: [round()],
  sessions: ['one', 'two'].map((subtask, at) => ({
    id: sessionIdOf(id, at + 1),
    kind: 'work',
    state: 'ended',
    outcome: 'success',
    detail: '',
    container: 'c',
    attempt: 1,
    role: 'subtask',
    subtask,
  })),
  verifications: [],
  answers: [],
}

/** The commit that conflicts is the first of two, because the first subtask was left out. */
function conflicting() {
  const conflicts: string[] = []
  const failures: unknown[] = []
  const live = {
    id,
    bead: { id: parseBeadId('e') },
    project: { id: parseProjectId('demo') },
    settings: {},
    deps: {
      hub: {
        person: async () => ({ name: 'Ann', email: 'ann@example.org' }),
        tip: async (_: unknown, ref: string) => `commit of ${ref}`,
        join: async (_: unknown, { commits }: Join) => {
          expect(commits).toHaveLength(2)
          return { result: 'conflict', files: ['shared.ts'], at: 0 }
        },
      },
      store: {
        execution: () => ({ planVersion: 1 }),
        plan: () => ({ plan: planOf([later!, ...phase]) }),
        startOfExecution: () => undefined,
        noteConflict: async (_: unknown, __: number, subtask: string) => void conflicts.push(subtask),
        addEvent: async (_: unknown, __: unknown, type: string, data: unknown) => void failures.push({ type, data }),
      },
    },
  } as unknown as LiveExecution
  return { live, conflicts, failures }
}

test('the subtask that conflicts is done once more, and not one beside it that was left out', async () => {
  const { live, conflicts } = conflicting()
  expect(await treeOf(live, history, round())).toBe('conflict')
  expect(conflicts).toEqual(['one'])
})

test('a second conflict ends the execution in the name of its subtask, with its place in the plan', async () => {
  const { live, conflicts, failures } = conflicting()
  const ended = await treeOf(live, history, round({ conflict: 'two' })).catch((error: unknown) => error)
  expect(ended).toBeInstanceOf(EndedEarly)
  expect((ended as EndedEarly).end).toMatchObject({
    kind: 'subtask_failed',
    failure: { what: { subtask: 'subtask one "Do one" (3 of 4)' } },
  })
  expect(failures).toMatchObject([{ type: 'subtask_failed', data: { subtask: 'one', number: 3, phase: 1 } }])
  expect(conflicts).toEqual([])
})
