import { expect, test } from 'vitest'
import type { BeadEdit } from '@beadloom/core/bead/bead-edit.ts'
import { file, fieldsOf, line, NOW } from '../testing/tracker-folder.ts'
import { editIssues } from './edit-issues.ts'

const edited = (text: string, ...edits: BeadEdit[]) => {
  const { text: next, outcomes } = editIssues(text, [fieldsOf('a-1', edits)], NOW)
  return { line: next.split('\n')[0] ?? '', outcome: outcomes[0] }
}

test('changed fields are replaced in the line as it is, and every other byte stays', () => {
  const before = '{"id":"a-1", "title":"Old","odd":12345678901234567890,"status":"open","priority":2,"x":"<"}'
  const { line: after, outcome } = edited(
    before,
    { field: 'title', was: ['Old'], value: 'A <b> "title"' },
    { field: 'priority', was: [2], value: 0 },
    { field: 'type', was: ['task'], value: 'bug' },
    { field: 'acceptance', was: [''], value: 'It works.' },
  )
  expect(outcome).toEqual({ result: 'written', overruled: [] })
  expect(after).toContain('"odd":12345678901234567890')
  expect(after).toContain('"x":"<"')
  expect(JSON.parse(after)).toMatchObject({
    title: 'A <b> "title"',
    priority: 0,
    issue_type: 'bug',
    acceptance_criteria: 'It works.',
    updated_at: '2026-03-01T12:00:00.000Z',
  })
})

test('a text that somebody else has changed is kept, and the others are written', () => {
  const { line: after, outcome } = edited(
    line('a-1', { title: 'Theirs' }),
    { field: 'title', was: ['Old'], value: 'Mine' },
    { field: 'priority', was: [2], value: 1 },
  )
  expect(JSON.parse(after)).toMatchObject({ title: 'Theirs', priority: 1 })
  expect(outcome).toEqual({
    result: 'written',
    overruled: [{ field: 'title', text: 'it was changed in the tracker meanwhile, and that is kept' }],
  })
})

test('a change that is written twice is written once', () => {
  const edit: BeadEdit = { field: 'labels', was: [[]], value: ['a'] }
  const { line: once } = edited(line('a-1'), edit)
  expect(edited(file(once), edit).line).toBe(once)
})

test('labels and edges of others stay as they are; an emptied list goes', () => {
  const edges = [
    { issue_id: 'a-1', depends_on_id: 'a-2', type: 'related', created_by: 'ana', thread_id: 'x' },
    { issue_id: 'a-1', depends_on_id: 'a-3', type: 'blocks' },
  ]
  const { line: after } = edited(
    line('a-1', { labels: ['old', 'theirs'], dependencies: edges }),
    { field: 'labels', was: [['old']], value: [] },
    {
      field: 'dependencies',
      was: [[{ dependsOn: 'a-3', type: 'blocks' }]],
      value: [{ dependsOn: 'a-4', type: 'blocks' }],
    },
  )
  expect(JSON.parse(after)).toMatchObject({
    labels: ['theirs'],
    dependencies: [edges[0], { issue_id: 'a-1', depends_on_id: 'a-4', type: 'blocks', created_by: 'beadloom' }],
  })
  const { line: bare } = edited(line('a-1', { labels: ['old'] }), { field: 'labels', was: [['old']], value: [] })
  expect(JSON.parse(bare)).not.toHaveProperty('labels')
})

test('a line that would be longer than other programs can read is refused', () => {
  const { outcome } = edited(line('a-1'), { field: 'description', was: [''], value: '\u0001'.repeat(20_000) })
  expect(outcome).toMatchObject({ result: 'refused' })
})

test('among several changes, possible ones are made, and the impossible one is refused by name', () => {
  const long = { field: 'description', was: [''], value: 'ü'.repeat(40_000) } as const
  const { line: after, outcome } = edited(
    line('a-1', { title: 'Old', acceptance_criteria: 'All of it.' }),
    long,
    { field: 'title', was: ['Old'], value: 'New' },
    { field: 'acceptance', was: ['All of it.'], value: '' },
    { field: 'labels', was: [[]], value: ['ui'] },
  )
  expect(outcome).toEqual({
    result: 'written',
    overruled: [{ field: 'description', text: expect.stringContaining('longer than 64 KiB') }],
  })
  expect(JSON.parse(after)).toMatchObject({ title: 'New', labels: ['ui'], updated_at: '2026-03-01T12:00:00.000Z' })
  for (const field of ['description', 'acceptance_criteria']) expect(JSON.parse(after)).not.toHaveProperty(field)
  // Two changes that each fit alone but not together: the longer one is dropped.
  const both = edited(
    line('a-1'),
    { field: 'description', was: [''], value: 'x'.repeat(40_000) },
    { field: 'acceptance', was: [''], value: 'y'.repeat(30_000) },
  )
  expect(both.outcome).toMatchObject({ overruled: [{ field: 'description' }] })
  expect(JSON.parse(both.line)).toMatchObject({ acceptance_criteria: 'y'.repeat(30_000) })
})

test('a line that is too long already is shortened step by step', () => {
  const { line: after, outcome } = edited(
    line('a-1', { description: 'x'.repeat(90_000), title: 'Old' }),
    { field: 'title', was: ['Old'], value: 'New' },
    { field: 'description', was: ['x'.repeat(90_000)], value: 'x'.repeat(80_000) },
  )
  expect(outcome).toEqual({ result: 'written', overruled: [] })
  expect(JSON.parse(after)).toMatchObject({ title: 'New', description: 'x'.repeat(80_000) })
})
