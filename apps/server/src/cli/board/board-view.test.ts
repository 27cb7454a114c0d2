import { describe, expect, test } from 'vitest'
import { runningFacts } from './board-rows.ts'
import { boardLines, type BoardState } from './board-view.ts'
import { paintOf } from '../terminal/paint.ts'
import { plainText, textWidth } from '../terminal/terminal-text.ts'
import { execution, HOSTILE, OBEYED, status } from '../testing/views.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const plain = paintOf(false)
const MINUTE = 60_000

const running = (number: number) =>
  execution({ id: `ex-r${number}`, bead: `run-${number}`, startedAt: number, activity: `step ${number}`, attempt: 2 })
const queued = (number: number) =>
  execution({
    id: `ex-q${number}`,
    bead: `wait-${number}`,
    state: 'QUEUED',
    startedAt: null,
    queuedAt: number,
    attempt: 0,
  })
const ended = (number: number) =>
  execution({
    id: `ex-e${number}`,
    bead: `end-${number}`,
    state: 'FAILED',
    endedAt: number,
    detail: `because ${number}`,
  })

const many = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at + 1))

const boardOf = (over: Partial<BoardState> = {}): BoardState => ({
  link: 'live',
  status: status(),
  executions: [],
  only: null,
  now: 10 * MINUTE,
  ...over,
})

const queueOf = (...places: number[]) =>
  places.map((number, at) => ({
    execution: `ex-q${number}`,
    project: 'library',
    bead: `wait-${number}`,
    position: at + 1,
    reason: { code: 'slots_in_use' as const, text: '3 of 3 slots in use' },
  }))

describe('the live board', () => {
  longTest('fits every window, whatever there is to show', () => {
    const names = execution({
      id: 'ex-h',
      bead: 'b'.repeat(60),
      project: HOSTILE,
      beadTitle: HOSTILE,
      activity: HOSTILE,
    })
    const executions = [...many(9, running), ...many(40, queued), ...many(40, ended), names]
    const docker = { ok: false, text: `no answer ${HOSTILE}`, where: null, weaker: [] }
    const full = boardOf({ executions, link: 'lost', status: status({ docker, slots: { total: 12, used: 9 } }) })
    for (const state of [full, boardOf(), boardOf({ status: null, link: 'connecting' })])
      for (let columns = 1; columns <= 200; columns += 3)
        for (const rows of [1, 2, 3, 8, 13, 24, 60]) {
          const lines = boardLines(state, { columns, rows }, plain)
          expect(lines.length).toBeLessThanOrEqual(rows)
          for (const line of lines) {
            expect(textWidth(line)).toBeLessThanOrEqual(columns)
            expect(line).not.toMatch(OBEYED)
          }
        }
  })

  test('shows slots, running beads, why the rest waits, and ended beads', () => {
    const state = boardOf({
      executions: [running(1), queued(2), queued(1), ended(8 * MINUTE)],
      status: status({ slots: { total: 3, used: 1 }, queue: queueOf(2, 1) }),
    })
    expect(boardLines(state, { columns: 100, rows: 24 }, plain).map((line) => line.trimEnd())).toEqual([
      expect.stringMatching(/^Beadloom {2}■□□ 1 of 3 slots +\d\d:\d\d:\d\d$/),
      'RUNNING 1',
      '◐ run-1       attempt 2 of 3, 10 m 0 s           Sort the list by name',
      '    step 1',
      'QUEUED 2',
      '○ wait-2      3 of 3 slots in use                Sort the list by name',
      '○ wait-1      3 of 3 slots in use                Sort the list by name',
      'ENDED 1',
      '✕ end-480000  FAILED 2 m 0 s ago, took 8 m 0 s   because 480000',
      'q quits; everything keeps running',
    ])
  })

  test('says how many are hidden, and leaves room for each part', () => {
    const state = boardOf({ executions: [...many(9, running), ...many(30, queued), ...many(30, ended)] })
    const lines = boardLines(state, { columns: 80, rows: 16 }, plain)
    expect(lines).toHaveLength(16)
    const titles = lines.filter((line) => /^[A-Z]+ \d+$/.test(line))
    expect(titles).toEqual(['RUNNING 9', 'QUEUED 30', 'ENDED 30'])
    expect(lines.filter((line) => line.includes('more'))).toEqual([
      expect.stringMatching(/… and \d+ more/),
      expect.stringMatching(/… and \d+ more/),
      expect.stringMatching(/… and \d+ more/),
    ])
  })

  test('names the projects only if there are several', () => {
    const text = (only: string | null, ...projects: string[]) =>
      boardLines(
        boardOf({ only, executions: projects.map((project, at) => execution({ id: `ex-${at}`, project })) }),
        { columns: 80, rows: 20 },
        plain,
      ).join('\n')
    expect(text(null, 'east', 'west')).toMatch(/bl-1 {2}east/)
    expect(text(null, 'east', 'east')).not.toContain('east')
    expect(text('east', 'east')).toContain('Beadloom east')
  })

  test('says what an execution waits for, and keeps its contents when the server is away', () => {
    const state = boardOf({
      link: 'lost',
      executions: [execution({ waits: { kind: 'retry', at: 11 * MINUTE }, retryAttempt: 1, retryCount: 2 })],
    })
    const lines = boardLines(state, { columns: 80, rows: 20 }, plain)
    expect(lines[1]).toBe('! Lost the connection to the server; reconnecting. This is the last known state.')
    expect(lines.join('\n')).toMatch(/retry 1 of 2 at \d\d:\d\d:\d\d \(in 1 m 0 s\)/)
  })

  test('has colours on a terminal, and the same text', () => {
    const state = boardOf({ executions: [running(1), ended(1)] })
    const size = { columns: 80, rows: 20 }
    const coloured = boardLines(state, size, paintOf(true))
    expect(coloured.join('')).toContain('\u001b[31m✕ end-1')
    expect(coloured.map(plainText)).toEqual(boardLines(state, size, plain))
  })
})

test('an execution with a plan says how far it is', () => {
  const progress = { phase: 2, of: 4, status: 'running', activity: 'review', attempt: 1, done: 2, subtasks: 2 } as const
  const one = execution({ id: 'ex-p', bead: 'run-p', startedAt: 0, progress })
  expect(runningFacts(one, MINUTE)).toBe('phase 2 of 4 · review, 1 m 0 s')
})
