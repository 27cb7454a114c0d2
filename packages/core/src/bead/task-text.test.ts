import { expect, test } from 'vitest'
import { parseExecutionId } from '../records/ids.ts'
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

test('much that was said about a task loses the oldest of it', () => {
  const said = [1, 2, 3].map((id) => ({
    id,
    execution: parseExecutionId('ex-0123456789'),
    by: 'Ada',
    text: `${id} `.repeat(400),
    when: 'step' as const,
    state: 'delivered' as const,
    at: id,
  }))
  const text = taskText({ description: 'Add a cart.', acceptance: '', design: '', said }, 4000)
  expect(text).toContain('Said to its agents while they worked:')
  expect(text).toContain('3 3 3')
  expect(text).not.toContain('1 1 1')
})
