import type { BeadCard, ExecutionView } from '@beadloom/core/api.ts'
import { expect, test } from 'vitest'
import { tabState } from './tab-state.ts'

type Given = [status: BeadCard['status'], state: ExecutionView['state'] | null]

function stateOf(...given: Given[]) {
  const beads = new Map<string, BeadCard>()
  const executions = new Map<string, ExecutionView>()
  for (const [index, [status, state]] of given.entries()) {
    const id = `bl-${index}`
    const execution = state === null ? null : `ex-${index}`
    beads.set(id, { id, status, hidden: false, execution } as BeadCard)
    if (execution !== null) executions.set(execution, { id: execution as ExecutionView['id'], state } as ExecutionView)
  }
  return tabState({ beads, executions }, new Map())
}

test('the worst is shown: failures before questions before work', () => {
  const all: Given[] = [
    ['in_progress', 'FAILED'],
    ['timeout', 'TIMEOUT'],
    ['blocked', 'BLOCKED'],
    ['in_progress', 'RUNNING'],
  ]
  expect(stateOf(...all)).toEqual({ badge: '(2✕)', icon: 'failed' })
  expect(stateOf(...all.slice(2))).toEqual({ badge: '(1⏸)', icon: 'blocked' })
  expect(stateOf(...all.slice(3))).toEqual({ badge: '', icon: 'running' })
  expect(stateOf(['done', 'COMPLETED'], ['open', null])).toEqual({ badge: '', icon: 'idle' })
})

test('what the tracker alone calls blocked or in progress asks nothing of anybody here', () => {
  expect(stateOf(['blocked', null], ['in_progress', null])).toEqual({ badge: '', icon: 'idle' })
})

test('a bead that failed and runs again is running', () => {
  expect(stateOf(['in_progress', 'QUEUED'])).toEqual({ badge: '', icon: 'running' })
})
