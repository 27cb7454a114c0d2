import { expect, test } from 'vitest'
import { beadOf, draftOf, emptyDraft, forgetDraft, keepDraft } from './new-bead-draft.ts'

test('labels are told apart by commas, each once', () => {
  expect(beadOf({ ...emptyDraft, title: ' Fix it ', labels: 'ui, , api,ui' })).toEqual({
    title: 'Fix it',
    description: '',
    priority: 2,
    type: 'task',
    labels: ['ui', 'api'],
  })
})

test('what was typed is kept for its project until the bead is there', () => {
  keepDraft('one', { ...emptyDraft, title: 'Half' })
  expect([draftOf('one').title, draftOf('two').title]).toEqual(['Half', ''])
  forgetDraft('one')
  expect(draftOf('one')).toBe(emptyDraft)
})
