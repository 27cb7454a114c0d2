import { sampleCard } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import { bulkText, inBulk } from './bulk.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'

const item = (id: string): BoardCard => ({ card: sampleCard({ id }), execution: null, lane: 'open', position: null })

test('each is done in its turn, and a refusal of one does not stop the others', async () => {
  const asked: string[] = []
  const result = await inBulk(
    ['a', 'b', 'c', 'd'].map(item),
    ({ card }) => (card.id === 'b' ? 'it is done' : null),
    ({ card }) => {
      asked.push(card.id)
      return card.id === 'c' ? Promise.reject(new Error('the server says no')) : Promise.resolve()
    },
  )
  expect(asked).toEqual(['a', 'c', 'd'])
  expect(result).toEqual({
    done: ['a', 'd'],
    refused: [
      { bead: 'b', why: 'it is done' },
      { bead: 'c', why: 'the server says no' },
    ],
  })
})

test('the result is summed up in a line', () => {
  const refused = [{ bead: 'x', why: 'y' }]
  expect(bulkText({ done: ['a', 'b'], refused: [] }, 'queued')).toBe('2 queued')
  expect(bulkText({ done: ['a'], refused }, 'queued')).toBe('1 queued, 1 refused')
  expect(bulkText({ done: [], refused }, 'queued')).toBe('None queued, 1 refused')
})
