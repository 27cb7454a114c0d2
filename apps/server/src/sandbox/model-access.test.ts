import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { parseBeadId, parseExecutionId, parseProjectId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import type { GatewayCaller } from '../ports/gateway.ts'
import { modelFor } from './model-access.ts'
import type { OpenSession } from './session-plan.ts'

const execution = parseExecutionId('ex-aaaaaaaaaa')
const id = sessionIdOf(execution, 1)

/** The model of a session's calls, in an execution whose model a person has changed to "changed". */
function modelIn(kind: 'work' | 'review'): string | null {
  const models: (string | null)[] = []
  const live = {
    id: execution,
    bead: { id: parseBeadId('a-1') },
    project: { id: parseProjectId('demo') },
    settings: { model: 'begun', onLimit: 'stop', scenario: null },
    deps: {
      gateway: { handle: ({ model }: GatewayCaller) => void models.push(model) },
      hostedTools: [],
      recorder: {},
      clock: {},
      store: {
        execution: () => ({ course: { model: 'changed' }, waits: null }),
        session: () => ({ id, model: 'reviewer' }),
        sessions: () => [],
      },
    },
  } as unknown as LiveExecution
  const plan = { id, attempt: 1, agent: 'a-1', signal: new AbortController().signal, order: { work: { kind } } }
  modelFor(live, { plan } as unknown as OpenSession)({} as IncomingMessage, {} as ServerResponse)
  return models[0] ?? null
}

test('a changed model is for the work, and its reviewer keeps its own', () => {
  expect(modelIn('work')).toBe('changed')
  expect(modelIn('review')).toBe('reviewer')
})
