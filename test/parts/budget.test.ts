import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseProjectId, sessionIdOf, type ExecutionId } from '@beadloom/core/records/ids.ts'
import { expect, onTestFinished, test } from 'vitest'
import { Problem } from '../../apps/server/src/ports/problem.ts'
import { HandClock } from '../../apps/server/src/ports/testing/hand-clock.ts'
import { budget, budgetCsv } from '../../apps/server/src/api/budgets/budget-query.ts'
import { demo, openTestStore, queued, running, seededRandom, world } from '../../apps/server/src/store/testing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 23, 12)

function open(beads: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'bl-budget-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new HandClock()
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  onTestFinished(() => store.close())
  world(store, beads)
  const at = (time: number) => clock.jump(time - clock.now())
  at(NOON)
  /** One agent of an execution that calls its model once. */
  const call = (execution: ExecutionId, number: number, input: number, costMicros?: number, model = 'gpt-5') => {
    const id = sessionIdOf(execution, number)
    if (store.session(id) === null)
      store.startSession({ id, execution, number, kind: 'work', attempt: number, agent: 'codex' })
    const use = { input, output: 0, ...(costMicros !== undefined && { costMicros }) }
    store.addTokens(execution, id, use, { model })
  }
  const view = async (days: number) => {
    const found = await budget({ store, clock, currency: 'EUR' }, demo, days)
    if (found instanceof Problem) throw new Error(found.message)
    return found
  }
  const csv = async (days: number) => {
    const found = budgetCsv({ store, clock, currency: 'EUR' }, demo, days)
    if (found instanceof Problem) throw new Error(found.message)
    let text = ''
    for await (const piece of found) text += piece
    return text
  }
  return { store, clock, at, call, view, csv }
}

const completed = { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' } as const

test('a budget counts the use of its days, and always the use of today and this week', async () => {
  const { store, at, call, view } = open(['a-1', 'a-2', 'a-3'])
  at(NOON - 10 * DAY)
  const old = running(store, 'a-1')
  call(old, 1, 1000, 100)
  call(old, 2, 500, 50)
  store.endExecution(old, completed)
  at(NOON - 2 * DAY)
  const other = running(store, 'a-2')
  call(other, 1, 70, 7)
  store.endExecution(other, completed)
  at(NOON)
  call(running(store, 'a-3'), 1, 5)

  const week = await view(7)
  expect(week).toMatchObject({ at: expect.any(Number), days: 7, from: '2026-11-17', currency: 'EUR' })
  expect(week.all).toMatchObject({ input: 75, costMicros: 7, unpriced: 5 })
  expect(week.by.bead.items.map(({ name }) => name)).toEqual(['a-2', 'a-3'])
  expect(week.by.agent.items).toMatchObject([{ name: 'codex', use: { input: 75 } }])
  expect(week.retries.input).toBe(0)
  expect(week.merged).toEqual({
    beads: 1,
    usual: { tokens: { median: 70, p90: 70, of: 1 }, costMicros: { median: 7, p90: 7, of: 1 } },
  })

  const year = await view(366)
  expect(year.all).toMatchObject({ input: 1575, costMicros: 157 })
  expect(year.retries).toMatchObject({ input: 500, costMicros: 50 })
  expect(year.by.day.items.map(({ name, use }) => [name, use.input])).toEqual([
    ['2026-11-23', 5],
    ['2026-11-21', 70],
    ['2026-11-13', 1500],
  ])
  expect(year.merged.beads).toBe(2)
  for (const found of [week, year, await view(1)]) {
    expect(found.today).toMatchObject({ input: 5, costMicros: null })
    expect(found.week.input).toBe(75)
    expect(found.hour.input).toBe(5)
    expect(found.lastDays).toHaveLength(14)
    expect(found.lastDays[3]).toMatchObject({ day: '2026-11-13', use: { input: 1500 } })
  }
})

test('a forecast for waiting beads uses completed ones, also from before the chosen days', async () => {
  const { store, at, call, view } = open(['a-1', 'a-2', 'a-3'])
  queued(store, 'a-2')
  queued(store, 'a-3')
  expect((await view(1)).queue).toMatchObject({ beads: 2, tokens: null, costMicros: null })
  at(NOON - 40 * DAY)
  const old = running(store, 'a-1')
  call(old, 1, 1000, 100)
  store.endExecution(old, completed)
  at(NOON)
  const { queue, merged } = await view(1)
  expect(queue).toMatchObject({ beads: 2, tokens: { median: 2000, p90: 2000 }, costMicros: { median: 200, known: 2 } })
  expect(queue.types).toMatchObject([{ type: 'task', beads: 2, usual: { tokens: { of: 1 } } }])
  expect(merged).toEqual({ beads: 0, usual: { tokens: null, costMicros: null } })
})

test('the file has every row once, over all the parts in which it is read, the newest day first', async () => {
  const { store, at, call, csv } = open(['a-1'])
  at(NOON - 30 * DAY)
  const execution = running(store, 'a-1')
  for (let ago = 30; ago >= 0; ago--) {
    at(NOON - ago * DAY)
    call(execution, 1, 1000 + ago, 5, ago === 3 ? '=HYPERLINK("http://example.org")' : 'gpt-5')
  }
  const [head = '', ...lines] = (await csv(31)).trimEnd().split('\r\n')
  expect(head).toMatch(/^day,bead,kind,/)
  expect(lines.map((line) => Number(/,(\d{4}),/.exec(line)?.[1]) - 1000)).toEqual(
    Array.from({ length: 31 }, (_, n) => n),
  )
  expect(lines[3]).toContain('"\'=HYPERLINK(""http://example.org"")"')
  expect((await csv(8)).trimEnd().split('\r\n')).toHaveLength(9)
  expect(await csv(366)).toBe(await csv(31))
})

test('a project that does not exist has no budget', async () => {
  const { store, clock } = open([])
  const other = parseProjectId('other')
  expect(await budget({ store, clock, currency: 'EUR' }, other, 7)).toBeInstanceOf(Problem)
  expect(budgetCsv({ store, clock, currency: 'EUR' }, other, 7)).toBeInstanceOf(Problem)
})
