import { expect, test } from 'vitest'
import { costOfUses, openFor, usesIn, type OpenedTools } from './hosted-tools.ts'

const opened: OpenedTools = {
  web_search: { projects: ['library'], price: null },
  code_execution: { projects: null, price: 0.05 },
}

test('a tool is open for the named projects, or for all', () => {
  expect(openFor(opened, 'library')).toEqual(['web_search', 'code_execution'])
  expect(openFor(opened, 'other')).toEqual(['code_execution'])
  expect(openFor({}, 'library')).toEqual([])
})

test("uses cost the server's own price, or else the listed one, and are named if nobody knows a price", () => {
  expect(costOfUses({ web_search: 3, code_execution: 2 }, opened, true)).toEqual({ micros: 130_000, unpriced: [] })
  expect(costOfUses({ web_search: 3, code_execution: 2 }, opened, false)).toEqual({
    micros: 100_000,
    unpriced: ['web_search'],
  })
  expect(costOfUses({ mcp: 1, web_fetch: 9 }, {}, true)).toEqual({ micros: 0, unpriced: ['mcp'] })
})

test('invalid counts are ignored', () => {
  const odd = { web_search_requests: -1, web_fetch_requests: '3', code_execution_requests: 1.5, other: 4 }
  expect(usesIn(odd)).toEqual({})
  expect(usesIn({ web_search_requests: 2, web_fetch_requests: 0 })).toEqual({ web_search: 2 })
})
