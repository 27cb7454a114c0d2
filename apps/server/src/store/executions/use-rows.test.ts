import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { nobody, spentBy } from '@beadloom/core/budget/scopes.ts'
import { sessionIdOf, type ExecutionId, type SessionId } from '@beadloom/core/records/ids.ts'
import { expect, onTestFinished, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { migrations } from '../database/migrations.ts'
import { demo, openTestStore, running, seededRandom, world } from '../testing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 23, 12)

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'bl-use-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new HandClock()
  clock.jump(NOON - clock.now())
  const file = join(folder, 'beadloom.db')
  return { store: openTestStore(file, { clock, random: seededRandom() }), clock, file }
}

type Opened = ReturnType<typeof open>['store']

function begin(store: Opened, execution: ExecutionId, number: number, attempt = 1): SessionId {
  const id = sessionIdOf(execution, number)
  store.startSession({ id, execution, number, kind: 'work', attempt })
  return id
}

test('use is kept by day, bead, kind, model and sub-agent, with its price at that time', () => {
  const { store, clock } = open()
  world(store, ['a-1'])
  const execution = running(store, 'a-1')
  const first = begin(store, execution, 1)
  const gpt = { model: 'gpt-5', priceOf: '2026-10-24' }
  clock.jump(-DAY)
  store.addTokens(execution, first, { input: 100, output: 10, costMicros: 7 }, gpt)
  clock.jump(DAY)
  store.addTokens(execution, first, { input: 1, output: 1, cached: 1, reasoning: 1, costMicros: 3 }, gpt)
  clock.jump(HOUR)
  store.addTokens(execution, first, { input: 2, output: 0, costMicros: 4 }, { ...gpt, estimated: true })
  store.addTokens(execution, first, { input: 50, output: 5 }, { model: 'own', agent: 'docs-agent' })
  store.addTokens(execution, begin(store, execution, 2, 2), { input: 9, output: 0 }, { model: 'own' })
  const all = {
    bead: 'a-1',
    phase: null,
    agent: null,
    preset: null,
    cached: null,
    reasoning: null,
    estimated: 0,
    unpriced: 0,
  }
  expect(store.tokenUse(demo, { since: NOON - 2 * DAY })).toEqual([
    {
      ...all,
      day: '2026-11-23',
      kind: 'retry',
      model: 'own',
      calls: 1,
      input: 9,
      output: 0,
      costMicros: null,
      unpriced: 9,
    },
    {
      ...all,
      day: '2026-11-23',
      kind: 'work',
      model: 'gpt-5',
      calls: 2,
      estimated: 1,
      input: 3,
      output: 1,
      cached: 1,
      reasoning: 1,
      costMicros: 7,
    },
    {
      ...all,
      day: '2026-11-23',
      kind: 'work',
      model: 'own',
      agent: 'docs-agent',
      calls: 1,
      input: 50,
      output: 5,
      costMicros: null,
      unpriced: 55,
    },
    { ...all, day: '2026-11-22', kind: 'work', model: 'gpt-5', calls: 1, input: 100, output: 10, costMicros: 7 },
  ])
  expect(store.tokenUse(demo, { since: NOON - HOUR })).toHaveLength(3)
  expect(store.tokenUse(demo, { since: 0, until: NOON })).toMatchObject([{ day: '2026-11-22' }])
  store.close()
})

test('another session for the same attempt is a retry: the one before it had failed', () => {
  const { store } = open()
  world(store, ['a-1'])
  const execution = running(store, 'a-1')
  for (const number of [1, 2]) store.addTokens(execution, begin(store, execution, number), { input: number, output: 0 })
  expect(store.tokenUse(demo, { since: 0 }).map(({ kind, input }) => [kind, input])).toEqual([
    ['retry', 2],
    ['work', 1],
  ])
  store.close()
})

test('a row says whose session it was: the agent by its name, and none for a judge', () => {
  const { store } = open()
  world(store, ['a-1'])
  const execution = running(store, 'a-1')
  const ids = [1, 2].map((number) => sessionIdOf(execution, number))
  store.startSession({ id: ids[0]!, execution, number: 1, kind: 'work', attempt: 1, agent: 'codex' })
  store.startSession({ id: ids[1]!, execution, number: 2, kind: 'verify', attempt: 1 })
  for (const id of ids) store.addTokens(execution, id, { input: 5, output: 0 })
  expect(store.tokenUse(demo, { since: 0 }).map(({ preset, kind }) => [preset, kind])).toEqual([
    [null, 'review'],
    ['codex', 'work'],
  ])
  store.close()
})

test('counts of an earlier version are included, at the beginning of their session', () => {
  const { store, file, clock } = open()
  world(store, ['a-1'])
  const execution = running(store, 'a-1')
  const id = begin(store, execution, 1)
  store.close()
  const db = new Database(file)
  db.prepare('UPDATE session SET tokens_input = 70, tokens_output = 7, cost_micros = 5, model = ? WHERE id = ?').run(
    'old-1',
    id,
  )
  // That version did not have this yet.
  db.exec('DROP TABLE token_use')
  db.exec(migrations.find(({ version }) => version === 34)!.sql)
  db.close()
  const now = openTestStore(file, { clock, random: seededRandom() })
  expect(now.tokenUse(demo, { since: NOON - (NOON % DAY) })).toEqual([
    expect.objectContaining({
      kind: 'work',
      model: 'old-1',
      calls: 0,
      input: 70,
      output: 7,
      costMicros: 5,
      unpriced: 0,
    }),
  ])
  now.close()
})

test('values that an older version stored as 0 are unknown, and their days know which use had no price', () => {
  const { store, file, clock } = open()
  world(store, ['a-1'])
  const execution = running(store, 'a-1')
  const id = begin(store, execution, 1)
  store.addTokens(execution, id, { input: 10, output: 1, cached: 4, reasoning: 0, costMicros: 7 }, { model: 'a' })
  store.addTokens(execution, id, { input: 20, output: 2, cached: 0 }, { model: 'b' })
  const known = () => store.spent(spentBy('day', { ...nobody, project: demo }, NOON))
  expect(known()).toEqual({ tokens: 33, micros: 7, unpriced: 22 })
  store.close()
  const db = new Database(file)
  db.exec('UPDATE token_use SET cached = coalesce(cached, 0), reasoning = coalesce(reasoning, 0)')
  db.exec('ALTER TABLE token_day DROP COLUMN unpriced')
  db.exec(migrations.find(({ version }) => version === 40)!.sql)
  db.close()
  const now = openTestStore(file, { clock, random: seededRandom() })
  expect(now.tokenUse(demo, { since: 0 }).map(({ cached, reasoning }) => [cached, reasoning])).toEqual([
    [4, null],
    [null, null],
  ])
  expect(now.spent(spentBy('day', { ...nobody, project: demo }, NOON))).toMatchObject({ unpriced: 22 })
  now.close()
})
