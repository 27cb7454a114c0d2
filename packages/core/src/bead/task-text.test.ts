import { expect, test } from 'vitest'
import { longestTask, taskText } from './task-text.ts'

test('a task is its description, its acceptance criteria and its design, as far as they exist', () => {
  expect(taskText({ description: 'Add a cart.\n', acceptance: ' It sums.', design: 'One file.' }, 100)).toBe(
    'Add a cart.\n\nAcceptance criteria of this task:\n\nIt sums.\n\nDesign of this task:\n\nOne file.',
  )
  expect(taskText({ description: '', acceptance: '', design: ' ' }, 100)).toBe('')
})

test('a long part of a task is cut, says so, and leaves the others their room', () => {
  const long = 'x'.repeat(50_000)
  const text = taskText({ description: long, acceptance: 'It sums.', design: long }, 1000)
  expect(text).toContain('… (49000 more characters)')
  expect(text).toContain('It sums.')
  expect(taskText({ description: long, acceptance: long, design: long }, 1000).length).toBeLessThan(longestTask(1000))
})
