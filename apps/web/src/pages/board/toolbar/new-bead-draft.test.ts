import { expect, test } from 'vitest'
import { beadOf, draftOf, emptyDraft, forgetDraft, keepDraft } from './new-bead-draft.ts'

test('labels are separated by commas, each once', () => {
  expect(beadOf({ ...emptyDraft, title: ' Fix it ', labels: 'ui, , api,ui' })).toEqual({
    title: 'Fix it',
    description: '',
    priority: 2,
    type: 'task',
    labels: ['ui', 'api'],
  })
})

test('a draft is kept for its project until the bead exists', () => {
  keepDraft('one', { ...emptyDraft, title: 'Half' })
  expect([draftOf('one').title, draftOf('two').title]).toEqual(['Half', ''])
  forgetDraft('one')
  expect(draftOf('one')).toBe(emptyDraft)
})
