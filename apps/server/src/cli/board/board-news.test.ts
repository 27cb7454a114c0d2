import { expect, test } from 'vitest'
import { NewsTeller, newsLine } from './board-news.ts'
import { paintOf } from '../terminal/paint.ts'
import { execution, HOSTILE, OBEYED, status } from '../testing/views.ts'

const lines = (teller: NewsTeller, over: Parameters<typeof execution>[0], now: number, first = false) =>
  teller.news([execution(over)], null, now, first).map((news) => newsLine(news, Infinity, paintOf(false)).slice(10))

test('only a change that matters to a reader is announced', () => {
  const teller = new NewsTeller()
  expect(lines(teller, { activity: 'reading' }, 1, true)).toEqual(['◐ bl-1  library  RUNNING  attempt 1 of 3, reading'])
  expect(lines(teller, { activity: 'reading', tokens: { input: 9, output: 9 } }, 2)).toEqual([])
  expect(lines(teller, { activity: 'reading', attempt: 2 }, 3)).toEqual([
    '◐ bl-1  library  RUNNING  attempt 2 of 3, reading',
  ])
  expect(lines(teller, { state: 'FAILED', attempt: 2, endedAt: 4, detail: 'no tests' }, 4)).toEqual([
    '✕ bl-1  library  FAILED  no tests',
  ])
})

test('an execution that ended before the board opened is no news; a later end is', () => {
  const teller = new NewsTeller()
  expect(lines(teller, { state: 'COMPLETED', endedAt: 1 }, 2, true)).toEqual([])
  expect(lines(teller, { state: 'COMPLETED', endedAt: 1 }, 3)).toEqual([])
  expect(lines(teller, { id: 'ex-2', state: 'COMPLETED', endedAt: 3 }, 3)).toHaveLength(1)
})

test('changes of slots and the queue, and outages, are announced', () => {
  const teller = new NewsTeller()
  const told = (over: Parameters<typeof status>[0]) => teller.news([], status(over), 0, false)
  expect(told({})).toHaveLength(1)
  expect(told({ now: 5, disk: { freeBytes: 1, ok: true } })).toEqual([])
  const [news] = told({ docker: { ok: false, text: '', where: null, weaker: [] }, slots: { total: 3, used: 2 } })
  expect(news && newsLine(news, Infinity, paintOf(false)).slice(10)).toBe(
    '2 of 3 slots in use, 0 queued, Docker is down',
  )
})

test('hostile text cannot break a line, which is cut to fit', () => {
  const [news] = new NewsTeller().news(
    [execution({ activity: HOSTILE, beadTitle: HOSTILE, bead: HOSTILE })],
    null,
    0,
    false,
  )
  expect(news && newsLine(news, 60, paintOf(false))).not.toMatch(OBEYED)
})
