import type { Step } from '@beadloom/core/conversation/step.ts'
import { expect, test } from 'vitest'
import { movedTo, placeAt, stepAt, unseenLines, type Goal, type ReadingMove } from './reading-place.ts'

const atEnd = placeAt(null, 'end')
const after = (...moves: ReadingMove[]) => moves.reduce(movedTo, atEnd)
const arriveAt = (goal: Goal, step: number) => after({ is: 'go', goal }, { is: 'arrive', goal, step })
const say = (first: number, last: number): Step => ({ is: 'said', first, last, text: '' })

test('a conversation opens at its end and follows, but at a permalink it stays there', () => {
  expect(atEnd).toMatchObject({ following: true, goal: null })
  expect(placeAt(40, 'end')).toMatchObject({ following: false, goal: { line: 40 } })
  expect(placeAt(null, 'head')).toMatchObject({ following: false, goal: { line: 0, at: 'head' } })
  expect(placeAt(null, 'top')).toMatchObject({ following: false, goal: null })
})

test('a match opens the step that has it inside, and makes it the current one', () => {
  const there = arriveAt({ line: 12 }, 10)
  expect(there).toMatchObject({ goal: null, current: 10, following: false })
  expect(there.flipped.get(10)).toBe(true)
})

test('a step is not opened for its own first line', () => {
  const there = arriveAt({ line: 10 }, 10)
  expect(there.current).toBe(10)
  expect(there.flipped.size).toBe(0)
})

test('the scroll bar only scrolls: no step becomes current or opens', () => {
  const there = arriveAt({ line: 12, at: 'top' }, 10)
  expect(there).toMatchObject({ goal: null, current: null })
  expect(there.flipped.size).toBe(0)
})

test('the same line asked for twice is a new goal, although nothing else has changed', () => {
  expect(movedTo(arriveAt({ line: 12 }, 10), { is: 'go', goal: { line: 12 } }).goal).toEqual({ line: 12 })
})

test('a goal that came while the one before was reached stays to be shown', () => {
  const [match, next] = [{ line: 12 }, { line: 90 }]
  const there = after({ is: 'go', goal: match }, { is: 'go', goal: next }, { is: 'arrive', goal: match, step: 10 })
  expect(there).toMatchObject({ goal: next, current: null })
  expect(there.flipped.size).toBe(0)
})

test('opening, folding or choosing a step ends following', () => {
  for (const move of [
    { is: 'flip', step: 3, open: false },
    { is: 'choose', step: 3 },
    { is: 'go', goal: { line: 3 } },
  ] satisfies ReadingMove[])
    expect(after(move).following).toBe(false)
  expect(after({ is: 'clear' }).following).toBe(true)
})

test('new lines are counted from where following ended', () => {
  const left = after({ is: 'follow', on: false, lines: 100 })
  expect(unseenLines(left, 130)).toBe(30)
  expect(unseenLines(movedTo(left, { is: 'follow', on: true, lines: 130 }), 150)).toBe(0)
  expect(unseenLines(after({ is: 'choose', step: 3 }), 130)).toBe(0)
})

test('of steps around a line, the smallest is its step', () => {
  const [outer, inner] = [say(0, 9), say(3, 5)]
  expect(stepAt([outer, inner], 4)).toBe(inner)
  expect(stepAt([outer, inner], 8)).toBe(outer)
  expect(stepAt([outer, inner], 10)).toBeUndefined()
})
