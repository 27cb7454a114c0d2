import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { expect, test } from 'vitest'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import { TabKeeper } from './tab-state.ts'
import { BoardFold } from '../../feed/board-fold.ts'

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
  return new TabKeeper().state({ beads, executions }, new Map())
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

test('a status blocked or in progress in the tracker alone asks nothing of anybody here', () => {
  expect(stateOf(['blocked', null], ['in_progress', null])).toEqual({ badge: '', icon: 'idle' })
})

test('a bead that failed and runs again is running', () => {
  expect(stateOf(['in_progress', 'QUEUED'])).toEqual({ badge: '', icon: 'running' })
})

test('the kept state of a board that changes equals a full reading of it', () => {
  const fold = new BoardFold()
  const keeper = new TabKeeper()
  const none = new Map<string, ExecutionView>()
  let seq = 0
  const tell = (...ops: BoardOp[]) => void fold.apply({ type: 'delta', ch: 1, seq: ++seq, ops })
  const put = (id: string, status: BeadCard['status'], execution: string | null): BoardOp => {
    const value = { id, status, hidden: false, execution } as BeadCard
    return { op: 'put', kind: 'bead', value }
  }
  const badge = () => {
    const view = fold.view()
    if (view === null) throw new Error('there is a board')
    const kept = keeper.state(view, none)
    expect(kept).toEqual(new TabKeeper().state({ beads: view.beads, executions: view.executions }, none))
    return kept.badge
  }
  fold.apply({ type: 'snapshot', ch: 1, epoch: 'e', seq, ops: [put('a', 'timeout', 'x'), put('b', 'blocked', 'y')] })
  expect(badge()).toBe('(1✕)')
  tell(put('c', 'in_progress', 'z'))
  expect(badge()).toBe('(2✕)')
  tell(put('a', 'done', 'x'), put('c', 'done', 'z'))
  expect(badge()).toBe('(1⏸)')
  tell({ op: 'remove', kind: 'bead', id: 'b' })
  expect(badge()).toBe('')
})

test('a bead with its follow-ups counts once, by the most urgent of them', () => {
  const fold = new BoardFold()
  const keeper = new TabKeeper()
  const bead = (id: string, status: BeadCard['status'], given: Partial<BeadCard> = {}): BoardOp => ({
    op: 'put',
    kind: 'bead',
    value: { id, status, hidden: false, execution: `x-${id}`, ...given } as BeadCard,
  })
  const run = (id: string, state: ExecutionView['state']): BoardOp => ({
    op: 'put',
    kind: 'execution',
    value: { id: `x-${id}`, state } as unknown as ExecutionView,
  })
  let seq = 0
  const after = (...ops: BoardOp[]) => {
    fold.apply(
      seq === 0 ? { type: 'snapshot', ch: 1, epoch: 'e', seq: ++seq, ops } : { type: 'delta', ch: 1, seq: ++seq, ops },
    )
    const view = fold.view()
    if (view === null) throw new Error('no view')
    const state = keeper.state(view, new Map())
    expect(state).toEqual(new TabKeeper().state(view, new Map()))
    return state.badge || state.icon
  }
  const follow = { followUpOf: 'a' }
  expect(after(bead('a', 'in_progress', { failed: true }), run('a', 'FAILED'))).toBe('(1✕)')
  expect(after(bead('f', 'open', { ...follow, execution: null }))).toBe('(1✕)')
  expect(after(bead('f', 'in_progress', follow), run('f', 'RUNNING'))).toBe('running')
  expect(after(bead('f', 'in_progress', { ...follow, failed: true }), run('f', 'FAILED'))).toBe('(1✕)')
  expect(after(bead('f', 'blocked', follow), run('f', 'BLOCKED'))).toBe('(1⏸)')
  expect(after(bead('a', 'done'), run('a', 'COMPLETED'))).toBe('(1⏸)')
  expect(after({ op: 'remove', kind: 'bead', id: 'f' })).toBe('idle')
})
