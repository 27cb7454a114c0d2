import { describe, expect, test } from 'vitest'
import { allowedFrom, beadStatuses, transitionBead } from './bead.ts'
import type { BeadEvent, BeadStatus } from './bead.ts'

const events = [
  { type: 'started' },
  { type: 'completed' },
  { type: 'outdated' },
  { type: 'failed' },
  { type: 'unstarted' },
  { type: 'blocked' },
  { type: 'timed-out' },
  { type: 'cancelled', former: 'timeout' },
  { type: 'closed' },
  { type: 'reopened' },
] as const satisfies BeadEvent[]

/** Columns: open, in_progress, blocked, timeout, done. A hyphen is a refusal. */
const table: Record<BeadEvent['type'], [string, string, string, string, string]> = {
  started: ['in_progress', 'in_progress', 'in_progress', 'in_progress', '-'],
  completed: ['-', 'done', '-', '-', '-'],
  outdated: ['-', 'in_progress', '-', '-', 'in_progress'],
  failed: ['-', 'in_progress', '-', '-', '-'], // its branch keeps the work
  unstarted: ['-', 'open', '-', '-', '-'],
  blocked: ['-', 'blocked', '-', '-', '-'],
  'timed-out': ['-', 'timeout', '-', '-', '-'],
  cancelled: ['-', 'timeout', '-', '-', '-'], // back to its former status
  closed: ['done', 'done', 'done', 'done', '-'],
  reopened: ['-', 'open', 'open', 'open', 'open'],
}

describe('a bead’s status', () => {
  const cases = events.flatMap((event) => beadStatuses.map((from, at) => ({ event, from, to: table[event.type][at] })))

  test.each(cases)('$from, $event.type: $to', ({ event, from, to }) => {
    const next = transitionBead(from, event)
    if (to === '-') expect(next).toEqual({ refused: `a bead that is ${from} cannot be ${event.type}` })
    else expect(next).toBe(to)
  })

  test('has a row for every event and a column for every status', () => {
    expect(Object.keys(table)).toEqual(Object.keys(allowedFrom))
    expect(events.map(({ type }) => type)).toEqual(Object.keys(allowedFrom))
    expect(beadStatuses).toEqual(['open', 'in_progress', 'blocked', 'timeout', 'done'])
  })

  test('goes back to any former status when an execution is cancelled', () => {
    const former: BeadStatus[] = ['open', 'blocked', 'timeout', 'in_progress']
    for (const status of former)
      expect(transitionBead('in_progress', { type: 'cancelled', former: status })).toBe(status)
  })
})
