import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import { LiveBoard } from './live-board.ts'
import { execution, status } from '../testing/views.ts'

const project = (id: string): BoardOp => ({ op: 'put', kind: 'project', value: { id } as ProjectView })
const put = (id: string, state: 'RUNNING' | 'FAILED' = 'RUNNING'): BoardOp => ({
  op: 'put',
  kind: 'execution',
  value: execution({ id, state }),
})
const snapshot = (ch: number, ...ops: BoardOp[]) => ({ type: 'snapshot', ch, epoch: 'e', seq: 300, ops }) as const
const delta = (ch: number, ...ops: BoardOp[]) => ({ type: 'delta', ch, seq: 301, ops }) as const

function boardWith(...projects: string[]) {
  const board = new LiveBoard(null)
  expect(board.begin()).toEqual([{ type: 'sub', ch: 1, topic: 'home' }])
  const home = snapshot(1, ...projects.map(project), { op: 'put', kind: 'status', value: status() })
  return { board, wants: board.apply(home) }
}

test('each project has its board, even one that is added later', () => {
  const { board, wants } = boardWith('east')
  expect(wants).toEqual([{ type: 'sub', ch: 2, topic: 'board:east' }])
  expect(board.known).toBe(false)
  expect(board.apply(delta(1, project('west')))).toEqual([{ type: 'sub', ch: 3, topic: 'board:west' }])
  board.apply(snapshot(2, put('ex-1')))
  board.apply(snapshot(3, put('ex-2')))
  expect(board.known).toBe(true)
  board.apply(delta(3, put('ex-2', 'FAILED')))
  expect(board.executions().map(({ id, state }) => `${id} ${state}`)).toEqual(['ex-1 RUNNING', 'ex-2 FAILED'])
})

test('a project that goes takes its executions along', () => {
  const { board } = boardWith('east', 'west')
  board.apply(snapshot(2, put('ex-1')))
  board.apply(snapshot(3, put('ex-2')))
  expect(board.apply(delta(1, { op: 'remove', kind: 'project', id: 'east' }))).toEqual([
    { type: 'unsub', ch: 2, topic: 'board:east' },
  ])
  expect(board.apply(delta(2, put('ex-3')))).toEqual([]) // it was under way
  expect(board.executions().map(({ id }) => id)).toEqual(['ex-2'])
})

test('after a break the old state stays until the snapshot replaces it', () => {
  const { board } = boardWith('east', 'west')
  board.apply(snapshot(2, put('ex-1')))
  board.apply(snapshot(3, put('ex-2')))
  expect(board.begin().map(({ topic }) => topic)).toEqual(['home', 'board:east', 'board:west'])
  expect(board.executions()).toHaveLength(2)
  board.apply(snapshot(1, project('west')))
  board.apply(snapshot(3, put('ex-4')))
  expect(board.executions().map(({ id }) => id)).toEqual(['ex-4'])
})

test('a viewer of one project hears of no other', () => {
  const board = new LiveBoard('west')
  board.begin()
  expect(board.apply(snapshot(1, project('east'), project('west')))).toEqual([
    { type: 'sub', ch: 2, topic: 'board:west' },
  ])
})

test('old ended executions are forgotten, live ones never', () => {
  const { board } = boardWith('east')
  board.apply(snapshot(2, put('ex-lives')))
  for (let at = 0; at < 1500; at += 1) board.apply(delta(2, put(`ex-${at}`, 'FAILED')))
  const ids = board.executions().map(({ id }) => String(id))
  expect(ids).toHaveLength(1000)
  expect(ids).toContain('ex-lives')
  expect(ids).toContain('ex-1499')
})
