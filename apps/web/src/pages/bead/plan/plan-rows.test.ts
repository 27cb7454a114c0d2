import { describe, expect, test } from 'vitest'
import { isOpenByItself, phaseOfKey, planRows, rowStep, runningKey } from './plan-rows.ts'
import { executionOf, id, phasesWith, ran, session } from './phases-kit.ts'

const under = { status: 'running', attempt: 1 } as const
const done = { status: 'completed', attempt: 1 } as const
const keys = (...given: Parameters<typeof planRows>) => planRows(...given).map(({ key }) => key)

describe('the rows of a plan', () => {
  test('are its phases, and below an open one its subtasks and the steps after them', () => {
    const execution = executionOf([session(1, 0, 10), session(2, 10, 12), session(3, 12, 20)])
    const phases = phasesWith({ ...done, sessions: [ran(1, 'subtask', '1a'), ran(2, 'check'), ran(3, 'review')] })
    const rows = planRows(phases, execution, ({ number }) => number === 1)
    expect(rows.map(({ key }) => key)).toEqual([
      'phase 1',
      'subtask 1a',
      'subtask 1b',
      `session ${id(2)}`,
      `session ${id(3)}`,
      'phase 2',
      'phase 3',
      'phase 4',
      'phase 5',
    ])
    expect(rows[3]).toMatchObject({ depth: 2, place: 3, of: 4 })
  })

  test('have the checks of the newest attempt alone', () => {
    const execution = executionOf([session(1, 0, 1), session(2, 1, 2)])
    const phases = phasesWith({ ...under, attempt: 2, sessions: [ran(1, 'check'), ran(2, 'check', '', 2)] })
    expect(keys(phases.slice(0, 1), execution, () => true)).toEqual([
      'phase 1',
      'subtask 1a',
      'subtask 1b',
      `session ${id(2)}`,
    ])
  })

  test('are all open in a small plan; a large one folds finished ones', () => {
    const small = phasesWith(done)
    expect(small.every((phase) => isOpenByItself(phase, small))).toBe(true)
    const many = [...phasesWith(done, under), ...phasesWith()].map((phase, at) => ({ ...phase, number: at + 1 }))
    expect(many.filter((phase) => isOpenByItself(phase, many)).map(({ number }) => number)).toEqual([2])
  })
})

describe('the row of the running work', () => {
  test('is the newest running leaf: a subtask, or a step after the subtasks', () => {
    const phases = phasesWith(done, { ...under, sessions: [ran(1, 'subtask', '2a'), ran(2, 'subtask', '2b')] })
    expect(runningKey(phases, executionOf([session(1, 0, null), session(2, 1, null)]))).toBe('subtask 2b')
    expect(runningKey(phases, executionOf([session(1, 0, null), session(2, 1, 5)]))).toBe('subtask 2a')
    const checked = phasesWith(done, { ...under, sessions: [ran(3, 'check')] })
    expect(runningKey(checked, executionOf([session(3, 6, null)]))).toBe(`session ${id(3)}`)
  })

  test('is the phase between two sessions, the failed subtask at a bad end, and none before the beginning', () => {
    expect(runningKey(phasesWith(done, under), executionOf([]))).toBe('phase 2')
    const failed = phasesWith({
      status: 'failed',
      subtasks: phasesWith()[0]!.subtasks.map((one) => ({ ...one, status: one.id === '1b' ? 'failed' : 'completed' })),
    })
    expect(runningKey(failed, executionOf([]))).toBe('subtask 1b')
    expect(runningKey(phasesWith(), null)).toBeNull()
    const waits = { kind: 'phase', after: 1, since: 0, continued: false } as const
    expect(runningKey(phasesWith(done), { ...executionOf([]), waits })).toBe('phase 1')
  })
})

test('keys of a tree lead from row to row, into a phase and out of it', () => {
  const phases = phasesWith()
  const rows = planRows(phases, null, ({ number }) => number === 1)
  expect(rowStep(rows, 0, 'ArrowDown')).toEqual({ to: 1 })
  expect(rowStep(rows, 0, 'ArrowRight')).toEqual({ to: 1 })
  expect(rowStep(rows, 0, 'ArrowLeft')).toEqual({ toggle: phases[0] })
  expect(rowStep(rows, 2, 'ArrowLeft')).toEqual({ to: 0 })
  expect(rowStep(rows, 2, 'ArrowRight')).toEqual({ to: 2 })
  expect(rowStep(rows, 3, 'ArrowRight')).toEqual({ toggle: phases[1] })
  expect(rowStep(rows, 0, 'End')).toEqual({ to: rows.length - 1 })
  expect(rowStep(rows, 0, 'ArrowUp')).toEqual({ to: 0 })
  expect(rowStep(rows, 0, 'x')).toBeNull()
})

test('an address leads to the phase of its row, or nowhere', () => {
  const phases = phasesWith()
  expect(phaseOfKey(phases, 'subtask 3b')?.number).toBe(3)
  expect(phaseOfKey(phases, 'phase 5')?.number).toBe(5)
  expect(phaseOfKey(phases, 'subtask nowhere')).toBeNull()
})
