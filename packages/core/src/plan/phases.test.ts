import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circlesIn, phasesOf } from './phases.ts'
import { anySubtasks, nineSubtasks, subtaskOf } from './plan-kit.ts'

test('nine subtasks of a blog have five phases', () => {
  expect(phasesOf(nineSubtasks)).toEqual([['1a', '1b'], ['2a', '2b'], ['3a', '3b'], ['4a', '4b'], ['5']])
})

test('a phase lists its subtasks in the order of the plan, whatever order they became ready in', () => {
  const subtasks = [
    subtaskOf('late', { dependsOn: ['b'] }),
    subtaskOf('a'),
    subtaskOf('b'),
    subtaskOf('soon', { dependsOn: ['a'] }),
  ]
  expect(phasesOf(subtasks)).toEqual([
    ['a', 'b'],
    ['late', 'soon'],
  ])
})

test('each subtask is in one phase, the first one after all of its dependencies', () => {
  fc.assert(
    fc.property(anySubtasks, (subtasks) => {
      const phases = phasesOf(subtasks)
      const phaseOf = new Map(phases.flatMap((ids, at) => ids.map((id) => [id, at] as const)))
      expect(phases.flat().sort()).toEqual(subtasks.map(({ id }) => id).sort())
      for (const { id, dependsOn } of subtasks)
        expect(phaseOf.get(id)).toBe(Math.max(-1, ...dependsOn.map((one) => phaseOf.get(one)!)) + 1)
      expect(circlesIn(subtasks)).toEqual([])
    }),
  )
})

test('a circle is named once, without subtasks that only lead into it', () => {
  const subtasks = [
    subtaskOf('start', { dependsOn: ['a'] }),
    subtaskOf('a', { dependsOn: ['b'] }),
    subtaskOf('b', { dependsOn: ['c'] }),
    subtaskOf('c', { dependsOn: ['a'] }),
    subtaskOf('d', { dependsOn: ['e'] }),
    subtaskOf('e', { dependsOn: ['d'] }),
    subtaskOf('free'),
  ]
  expect(circlesIn(subtasks)).toEqual([
    ['a', 'b', 'c', 'a'],
    ['d', 'e', 'd'],
  ])
  expect(phasesOf(subtasks)).toEqual([['free']])
})
