import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import { sampleRecord } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import { Problem } from '../../ports/problem.ts'
import type { EventRow } from '../../ports/store/events.ts'
import { pipelineOrder, type PipelineStep } from '../../ports/store/executions.ts'
import { memoryEvents } from '../../ports/testing/memory-events.ts'
import { eventsOf } from './events-query.ts'

const id = parseExecutionId('ex-aaaaaaaaaa')

function storeOf(texts: string[], steps: readonly PipelineStep[] = pipelineOrder) {
  const rows = texts.map((text, at): EventRow => ({
    seq: at + 1,
    execution: id,
    session: null,
    at,
    type: 'message',
    line: null,
    data: { text },
  }))
  return {
    ...memoryEvents(rows),
    execution: () => sampleRecord({ id, state: 'COMPLETED' }),
    pipelineSteps: () => [...steps],
  }
}

function read(store: ReturnType<typeof storeOf>, after: number, limit: number) {
  const page = eventsOf(store, id, after, limit)
  if (page instanceof Problem) throw new Error(page.message)
  return { seqs: page.items.map(({ seq }) => seq), ended: page.ended }
}

test('a page ends where its events get long, and is not the last one for that', () => {
  const store = storeOf(Array.from({ length: 10 }, () => 'x'.repeat(1024 ** 2)))
  expect(read(store, 0, 1000)).toEqual({ seqs: [1, 2, 3, 4], ended: false })
  expect(read(store, 4, 1000)).toEqual({ seqs: [5, 6, 7, 8], ended: false })
  expect(read(store, 8, 1000)).toEqual({ seqs: [9, 10], ended: true })
})

test('the last page of a finished execution says so, and none does while its pipeline works', () => {
  const texts = ['a', 'b', 'c']
  expect(read(storeOf(texts), 0, 2)).toEqual({ seqs: [1, 2], ended: false })
  expect(read(storeOf(texts), 2, 2)).toEqual({ seqs: [3], ended: true })
  expect(read(storeOf(texts), Number.MAX_SAFE_INTEGER, 1)).toEqual({ seqs: [], ended: true })
  expect(read(storeOf(texts, []), 2, 2)).toEqual({ seqs: [3], ended: false })
})
