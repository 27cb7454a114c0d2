// @suite unit-long

import { expect, test } from 'vitest'
import { boardLines, type BoardState } from './board-view.ts'
import { paintOf } from '../terminal/paint.ts'
import { textWidth } from '../terminal/terminal-text.ts'
import { execution, HOSTILE, OBEYED, status } from '../testing/views.ts'

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

test('fits every window, whatever there is to show', () => {
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
