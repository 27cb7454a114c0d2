import { describe, expect, test } from 'vitest'
import { patternOf, patternProblem, readHits } from './log-search.ts'
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
  const end = await readHits(body(...parts), { onHits: (more) => hits.push(...more) })
  return { hits, end }
}

describe('an answer of the search', () => {
  test('is read however it is cut into pieces', async () => {
    const { hits } = await read(
      '[1,2,3]\n[4',
      ',5,6]\n{"progress":99}\n',
      '[7,8,9]\n{"done":true,"more":false,"lines":100}\n',
    )
    expect(hits).toEqual([
      { line: 1, column: 2, length: 3 },
      { line: 4, column: 5, length: 6 },
      { line: 7, column: 8, length: 9 },
    ])
  })
  test('says when there is more than was sent', async () => {
    expect((await read('[1,0,1]\n{"done":true,"more":true,"lines":2}\n')).end).toEqual({ more: true, lines: 2 })
  })
  test('fails with the sentence of the server', async () => {
    const stopped = '{"error":{"code":"search_stopped","message":"This pattern takes too long. Make it simpler."}}'
    await expect(read(`[1,0,1]\n${stopped}\n`)).rejects.toThrow(/^This pattern takes too long/)
  })
  test('that breaks off does not count: its hits are incomplete', async () => {
    await expect(read('[1,0,1]\n')).rejects.toThrow(/ended the search early/)
  })
})

const query = { text: '', matchCase: false, word: false, regex: false }

describe('the pattern for visible lines', () => {
  const found = (text: string, change: Partial<typeof query>) =>
    [...text.matchAll(patternOf({ ...query, ...change }) ?? /$^/g)].map((match) => match[0])
  test('is literal, and knows words', () => {
    expect(found('a.c abc A.C', { text: 'a.c' })).toEqual(['a.c', 'A.C'])
    expect(found('err error err', { text: 'err', word: true })).toEqual(['err', 'err'])
    expect(found('(x) (x)', { text: '(x)', word: true })).toEqual(['(x)', '(x)'])
  })
  test("is never a person's regular expression: those run on the server alone", () => {
    expect(patternOf({ ...query, text: '(a+)+b', regex: true })).toBeNull()
  })
})

test('a broken regular expression is explained before any request', () => {
  expect(patternProblem({ ...query, text: '(', regex: true })).toMatch(/group/i)
  expect(patternProblem({ ...query, text: '(', regex: false })).toBeNull()
})
