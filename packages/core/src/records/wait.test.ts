import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsSlot } from './execution.ts'
import { questionIn, waitAmong, waitOfKind, waitsForPerson, type StoredWaits, type WaitKind } from './wait.ts'

const at = fc.nat()
const nothing: StoredWaits = { retry: null, push: null, phase: null, pause: null, budget: null }
const present: { [K in WaitKind]: fc.Arbitrary<NonNullable<StoredWaits[K]>> } = {
  retry: fc.record({ at }),
  push: fc.record({ since: at, tries: at, nextAt: at, why: fc.string() }),
  phase: fc.record({ after: at, since: at, continued: fc.boolean() }),
  pause: fc.record(
    {
      since: at,
      until: at,
      atEnd: fc.constantFrom('stop', 'resume'),
      by: fc.string(),
      held: fc.constant(true),
      question: fc.string(),
      resumed: fc.constant(true as const),
    },
    { requiredKeys: ['since', 'until', 'atEnd', 'by', 'held'] },
  ),
  budget: fc.record(
    {
      scope: fc.constantFrom('session', 'bead', 'week'),
      unit: fc.constantFrom('tokens', 'money'),
      limit: at,
      used: at,
      since: at,
      until: at,
      currency: fc.constant('USD'),
      granted: fc.constant(true as const),
    },
    { requiredKeys: ['scope', 'unit', 'limit', 'used', 'since', 'until', 'currency'] },
  ),
}
const order: readonly WaitKind[] = ['retry', 'push', 'phase', 'pause', 'budget']
/** Each of the 32 ways in which kinds are stored beside each other. */
const together = Array.from({ length: 2 ** order.length }, (_, bits) => order.filter((_, bit) => bits & (1 << bit)))

describe.each(together)('of stored waits %s %s %s %s %s', (...kinds: WaitKind[]) => {
  const stored = fc.record(
    Object.fromEntries(order.map((kind) => [kind, kinds.includes(kind) ? present[kind] : fc.constant(null)])),
  ) as unknown as fc.Arbitrary<StoredWaits>

  test('the first in the order counts, with all its data and nothing else', () => {
    fc.assert(
      fc.property(stored, (waits) => {
        const [first] = kinds
        expect(waitAmong(waits)).toEqual(first === undefined ? null : { kind: first, ...waits[first] })
      }),
    )
  })

  test('the next one counts when the first is over', () => {
    fc.assert(
      fc.property(stored, (waits) => {
        const over = waitAmong(waits)
        const rest = over === null ? waits : { ...waits, [over.kind]: null }
        expect(waitAmong(rest)?.kind).toBe(kinds[1])
      }),
    )
  })

  test('none is of two kinds, and a person is asked only at a limit, between two phases or by a question, once', () => {
    fc.assert(
      fc.property(stored, (waits) => {
        const wait = waitAmong(waits)
        expect(order.filter((kind) => waitOfKind(wait, kind) !== null)).toEqual(kinds.slice(0, 1))
        const unanswered =
          waitOfKind(wait, 'phase')?.continued === false ||
          (wait?.kind === 'budget' && wait.granted === undefined) ||
          questionIn(wait) !== null
        expect(waitsForPerson(wait)).toBe(unanswered)
      }),
    )
  })

  test('a push and the pause between two phases free the slot', () => {
    fc.assert(
      fc.property(stored, (waits) => {
        const isFree = kinds[0] === 'push' || kinds[0] === 'phase'
        expect(holdsSlot({ state: 'RUNNING', waits: waitAmong(waits) })).toBe(!isFree)
        expect(holdsSlot({ state: 'QUEUED', waits: waitAmong(waits) })).toBe(false)
      }),
    )
  })
})

test('a question is open until somebody has answered it, and a pause by a person has none', () => {
  const pause = { kind: 'pause', since: 1, until: 9, atEnd: 'resume', by: '', held: true } as const
  expect(questionIn({ ...pause, question: 'Which one?' })).toBe('Which one?')
  expect(questionIn({ ...pause, question: 'Which one?', resumed: true })).toBeNull()
  expect(questionIn(pause)).toBeNull()
  expect(questionIn(null)).toBeNull()
})

test('an execution for which nothing is stored waits for nothing', () => {
  expect(waitAmong(nothing)).toBeNull()
})
