import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { nobody, spentBy, type BudgetScope, type Spender } from '@beadloom/core/budget/scopes.ts'
import type { BudgetWait } from '@beadloom/core/budget/wait.ts'
import { sessionIdOf, type ExecutionId } from '@beadloom/core/records/ids.ts'
import { expect, onTestFinished, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { migrations } from '../database/migrations.ts'
import { bead, demo, openTestStore, running, seededRandom, world } from '../testing.ts'

const DAY = 24 * 3_600_000
const NOON = Date.UTC(2026, 10, 23, 12)
const TODAY = NOON - (NOON % DAY)

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'bl-budgets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new HandClock()
  clock.jump(NOON - clock.now())
  const file = join(folder, 'beadloom.db')
  const again = () => openTestStore(file, { clock, random: seededRandom() })
  const store = again()
  world(store, ['a-1', 'a-2'])
  return { store, clock, file, again }
}

function use(store: ReturnType<typeof open>['store'], execution: ExecutionId, number: number, input: number) {
  const session = sessionIdOf(execution, number)
  if (!store.session(session)) store.startSession({ id: session, execution, number, kind: 'work', attempt: 1 })
  store.addTokens(execution, session, { input, output: 0, costMicros: input * 2 }, { priceOf: '2026-10-24' })
  return session
}

test('use counts for its session, execution, bead, project and the server, from any time on', () => {
  const { store, clock } = open()
  const [one, two] = [running(store, 'a-1'), running(store, 'a-2')]
  clock.jump(-DAY)
  const session = use(store, one, 1, 100)
  const spent = (scope: BudgetScope, of: Partial<Spender>) => store.spent(spentBy(scope, { ...nobody, ...of }, NOON))
  clock.jump(DAY)
  use(store, one, 2, 10)
  use(store, two, 1, 1)
  store.addTokens(one, session, { input: 5, output: 5 }) // a call without a known price
  expect(spent('session', { session })).toEqual({ tokens: 110, micros: 200, unpriced: 10 })
  expect(spent('execution', { execution: one })).toEqual({ tokens: 120, micros: 220, unpriced: 10 })
  expect(spent('bead', { project: demo, bead: bead('a-1') })).toMatchObject({ tokens: 120 })
  expect(spent('day', { project: demo })).toEqual({ tokens: 21, micros: 22, unpriced: 10 })
  expect(store.spent({ scope: 'week', ids: [demo], since: TODAY - DAY })).toMatchObject({ tokens: 121 })
  expect(spent('server', {})).toEqual({ tokens: 21, micros: 22, unpriced: 10 })
  store.close()
})

test('grants add up for the scope of the limit, and survive a restart', () => {
  const { store, again } = open()
  const execution = running(store, 'a-1')
  const day = spentBy('day', { ...nobody, project: demo }, NOON)
  const own = spentBy('execution', { ...nobody, execution }, NOON)
  const raise = (scope: 'execution' | 'day', unit: 'tokens' | 'money', amount: number) => ({ scope, unit, amount })
  store.grantBudget(execution, [
    { by: own, raise: raise('execution', 'tokens', 50) },
    { by: day, raise: raise('day', 'money', 9) },
  ])
  store.grantBudget(execution, [{ by: own, raise: raise('execution', 'tokens', 7) }])
  store.close()
  const next = again()
  expect(next.granted(own)).toEqual({ tokens: 57, money: 0 })
  expect(next.granted(day)).toEqual({ tokens: 0, money: 9 })
  expect(next.granted({ ...day, since: TODAY + DAY })).toEqual({ tokens: 0, money: 0 })
  expect(next.grantsOf(execution).map(({ scope, amount }) => [scope, amount])).toEqual([
    ['execution', 50],
    ['day', 9],
    ['execution', 7],
  ])
  next.endExecution(execution, { state: 'CANCELLED', detail: '' })
  expect(next.grantBudget(execution, [])).toMatchObject({ refused: expect.stringContaining('has already ended') })
  next.close()
})

test('a wait at a limit is stored, announced once when it begins and once when it ends, and over with its execution', () => {
  const { store, again } = open()
  const execution = running(store, 'a-1')
  const wait: BudgetWait = {
    scope: 'bead',
    unit: 'tokens',
    limit: 100,
    used: 130,
    since: NOON,
    until: NOON + DAY,
    currency: 'USD',
  }
  store.noteBudgetWait(execution, wait)
  store.noteBudgetWait(execution, wait)
  store.close()
  const next = again()
  expect(next.execution(execution)?.waits).toEqual({ kind: 'budget', ...wait })
  next.noteBudgetWait(execution, null)
  expect(next.execution(execution)?.waits).toBeNull()
  const told = next.events(execution, 0, 100).map(({ type }) => type)
  expect(told.filter((type) => type.startsWith('budget'))).toEqual(['budget_waits', 'budget_continues'])
  next.noteBudgetWait(execution, wait)
  next.endExecution(execution, { state: 'CANCELLED', detail: '' })
  expect(next.execution(execution)?.waits).toBeNull()
  next.close()
})

test('removing a project that has used tokens gives the server nothing back', () => {
  const { store } = open()
  const execution = running(store, 'a-1')
  use(store, execution, 1, 100)
  store.grantBudget(execution, [
    {
      by: spentBy('execution', { ...nobody, execution }, NOON),
      raise: { scope: 'execution', unit: 'tokens', amount: 5 },
    },
  ])
  store.endSession(sessionIdOf(execution, 1), 'success', 0, '')
  store.endExecution(execution, { state: 'CANCELLED', detail: '' })
  store.removeProject(demo)
  expect(store.spent(spentBy('server', nobody, NOON))).toMatchObject({ tokens: 100 })
  store.close()
})

test('the server knows its use from before it had limits', () => {
  const { store, file, again } = open()
  use(store, running(store, 'a-1'), 1, 100)
  store.close()
  const db = new Database(file)
  db.exec('DROP TABLE token_server_day; DROP TABLE budget_grant; DROP INDEX token_use_by_execution')
  db.exec('DROP TRIGGER webhook_of_budget; ALTER TABLE execution DROP COLUMN budget_wait')
  db.exec(migrations.find(({ version }) => version === 38)!.sql)
  db.close()
  const next = again()
  expect(next.spent(spentBy('server', nobody, NOON))).toEqual({ tokens: 100, micros: 200, unpriced: 0 })
  next.close()
})
