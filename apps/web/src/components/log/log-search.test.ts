import { describe, expect, test } from 'vitest'
import { firstHitFrom, readHits } from './log-search.ts'
import type { SearchHit } from './log-search.ts'

const body = (...parts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    },
  })
const read = async (...parts: string[]) => {
  const hits: SearchHit[] = []
  const end = await readHits(body(...parts), (more) => hits.push(...more))
  return { hits, end }
}

describe('an answer of the search', () => {
  test('is read however it is cut into pieces', async () => {
    const { hits } = await read('[1,2,3]\n[4', ',5,6]\n{"progress":99}\n', '[7,8,9]\n{"done":true,"more":false}\n')
    expect(hits).toEqual([
      { line: 1, column: 2, length: 3 },
      { line: 4, column: 5, length: 6 },
      { line: 7, column: 8, length: 9 },
    ])
  })
  test('says when there is more than was sent', async () => {
    expect((await read('[1,0,1]\n{"done":true,"more":true}\n')).end).toEqual({ more: true })
  })
  test('fails with the sentence of the server', async () => {
    await expect(read('[1,0,1]\n{"error":"the expression takes too long"}\n')).rejects.toThrow(
      'the expression takes too long',
    )
  })
})

test('the first hit is the next one below what a person looks at, then the first of all', () => {
  const hits = [10, 20, 20, 30].map((line) => ({ line, column: 0, length: 1 }))
  expect([0, 10, 11, 20, 30, 31].map((line) => firstHitFrom(hits, line))).toEqual([0, 0, 1, 1, 3, 0])
})
