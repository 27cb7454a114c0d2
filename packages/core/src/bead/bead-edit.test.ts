import { expect, test } from 'vitest'
import { mergeEdit, type BeadEdit } from './bead-edit.ts'

const title: BeadEdit = { field: 'title', was: ['Old'], value: 'New' }

test('a text is replaced if the tracker still has the one that was replaced here', () => {
  expect(mergeEdit(title, 'Old')).toEqual({ value: 'New' })
  expect(mergeEdit(title, ' Old\r\n')).toEqual({ value: 'New' })
})

test('a text that the tracker already has is not written again', () => {
  expect(mergeEdit(title, 'New')).toBe('there')
})

test('a text that somebody else has changed meanwhile is kept', () => {
  expect(mergeEdit(title, 'Theirs')).toBe('theirs')
  expect(mergeEdit({ field: 'priority', was: [2], value: 1 }, 0)).toBe('theirs')
})

test('a second change of a text also replaces the first one, which may have been written', () => {
  expect(mergeEdit({ field: 'title', was: ['Old', 'New'], value: 'Newer' }, 'New')).toEqual({ value: 'Newer' })
})

test('labels that others have added stay, and labels that they have removed stay away', () => {
  const labels: BeadEdit = { field: 'labels', was: [['a', 'b']], value: ['b', 'c'] }
  expect(mergeEdit(labels, ['a', 'b', 'theirs'])).toEqual({ value: ['b', 'theirs', 'c'] })
  expect(mergeEdit(labels, ['a'])).toEqual({ value: ['c'] })
  expect(mergeEdit(labels, ['b', 'c'])).toBe('there')
})

test('a label that was added and removed again before a write is removed', () => {
  const labels: BeadEdit = { field: 'labels', was: [['a'], ['a', 'b']], value: ['a'] }
  expect(mergeEdit(labels, ['a', 'b'])).toEqual({ value: ['a'] })
})

test('a label that was removed and added again is there again', () => {
  const labels: BeadEdit = { field: 'labels', was: [['a'], []], value: ['a'] }
  expect(mergeEdit(labels, [])).toEqual({ value: ['a'] })
})

test('edges are told apart by their target and type, and keep their other fields', () => {
  const edge = { dependsOn: 'x-1', type: 'blocks' }
  const theirs = [
    { dependsOn: 'x-1', type: 'related', metadata: '{}' },
    { dependsOn: 'x-2', type: 'blocks' },
  ]
  const edit: BeadEdit = { field: 'dependencies', was: [theirs], value: [theirs[0]!, edge] }
  expect(mergeEdit(edit, theirs)).toEqual({ value: [theirs[0], edge] })
})
