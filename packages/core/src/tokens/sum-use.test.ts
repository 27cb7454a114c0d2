import { expect, test } from 'vitest'
import type { TokenUseRow } from '../api/budgets/token-use-api.ts'
import { useRow as row } from '../testing/sample-use.ts'
import { addUse, noUse, partOfUse, UseTables } from './sum-use.ts'

function tablesOf(...rows: TokenUseRow[]): UseTables {
  const tables = new UseTables()
  for (const one of rows) tables.add(one)
  return tables
}

test('use is added up by any of its keys, the most first', () => {
  const tables = tablesOf(
    row({ input: 10, output: 1, calls: 1, costMicros: 5 }),
    row({ bead: 'a-2', input: 100, model: 'odd', unpriced: 100 }),
    row({ input: 20, kind: 'review', costMicros: 7, agent: 'docs-agent', phase: 2 }),
  )
  const names = (key: Parameters<UseTables['table']>[0]) => tables.table(key).items.map(({ name }) => name)
  expect(tables.table('bead').items.map(({ name, use }) => [name, use.input, use.costMicros, use.unpriced])).toEqual([
    ['a-2', 100, null, 100],
    ['a-1', 30, 12, 0],
  ])
  expect(names('kind')).toEqual(['work', 'review'])
  expect(names('phase')).toEqual(['', '2'])
  expect(names('model')).toEqual(['odd', 'gpt-5'])
  expect(tables.all).toMatchObject({ input: 130, output: 1, calls: 1, costMicros: 12, unpriced: 100 })
})

test('a sub-agent is never mistaken for another agent, whatever its name is', () => {
  const tables = tablesOf(
    row({ preset: 'codex', input: 3 }),
    row({ preset: 'openai', agent: 'codex', input: 2 }),
    row({ preset: null, input: 1 }),
  )
  expect(tables.table('agent').items.map(({ name }) => name)).toEqual(['codex', 'openai/codex', ''])
})

test('the use of retries is a part of the sums, and known separately', () => {
  const tables = tablesOf(
    row({ input: 10, costMicros: 5 }),
    row({ input: 20, kind: 'retry', costMicros: 7 }),
    row({ bead: 'a-2', input: 5 }),
  )
  expect(tables.retries).toMatchObject({ input: 20, costMicros: 7 })
  expect(tables.table('bead').items).toMatchObject([
    { name: 'a-1', use: { input: 30, costMicros: 12 }, retries: { input: 20, costMicros: 7 } },
    { name: 'a-2', use: { input: 5 }, retries: { input: 0, costMicros: null } },
  ])
})

test('days are in order, the newest first', () => {
  const days = tablesOf(row({ day: '2026-11-21', input: 99 }), row({}), row({ day: '2026-11-22' })).table('day')
  expect(days.items.map(({ name }) => name)).toEqual(['2026-11-23', '2026-11-22', '2026-11-21'])
})

test('a long table is cut, and nothing of it is lost', () => {
  const tables = tablesOf(
    ...Array.from({ length: 300 }, (_, n) => row({ bead: `a-${n}`, input: 1000 - n, kind: 'retry', costMicros: 1 })),
  )
  const { items, rest } = tables.table('bead', 3)
  expect(items.map(({ name }) => name)).toEqual(['a-0', 'a-1', 'a-2'])
  expect(rest).toMatchObject({ count: 297, use: { costMicros: 297 }, retries: { costMicros: 297 } })
  expect([...items, rest!].reduce((sum, { use }) => sum + use.input, 0)).toBe(tables.all.input)
})

test('names that are words of JavaScript are names', () => {
  const tables = tablesOf(row({ model: '__proto__', input: 1 }), row({ model: 'constructor', input: 2 }))
  expect(tables.table('model').items.map(({ name, use }) => [name, use.input])).toEqual([
    ['constructor', 2],
    ['__proto__', 1],
  ])
})

test('a missing price or count is unknown and never zero', () => {
  const told = row({ cached: 0, reasoning: 4 })
  expect(addUse(noUse, row({}))).toMatchObject({ cached: null, reasoning: null })
  expect(addUse(told, row({}))).toMatchObject({ cached: 0, reasoning: 4 })
  expect(addUse(told, told)).toMatchObject({ cached: 0, reasoning: 8 })
  expect(partOfUse(told, 0.5)).toMatchObject({ cached: 0, reasoning: 2 })
  expect(partOfUse(noUse, 0.5)).toMatchObject({ cached: null, reasoning: null })
  expect(addUse(noUse, row({ unpriced: 5 })).costMicros).toBeNull()
  expect(addUse(row({ costMicros: 0 }), row({ unpriced: 5 }))).toMatchObject({ costMicros: 0, unpriced: 5 })
  expect(partOfUse(row({ input: 9 }), 0.5).costMicros).toBeNull()
})
