// @suite policy-long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { BudgetsView, GrantsView } from '@beadloom/core/api/budgets/budget-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { workOf } from '../support/session-events.ts'
import { beadloom } from '../support/command-line.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Limits at which the execution waits and a person is asked. */
let scenarios = ''
beforeEach(() => {
  scenarios = mkdtempSync(join(tmpdir(), 'bl-ask-'))
  const turns = [
    { say: 'I look.', calls: [{ tool: 'bash', arguments: { command: 'echo done > done.txt; echo more > more.txt' } }] },
    { say: 'I commit.', calls: [{ tool: 'bash', arguments: { command: 'git add -A; git commit -qm done' } }] },
    { say: 'It is done.' },
  ]
  const scenario = { name: 'small', about: 'A small piece of work.', beads: {}, otherwise: { turns } }
  mkdirSync(scenarios, { recursive: true })
  writeFileSync(join(scenarios, 'small.json'), JSON.stringify(scenario))
})
afterEach(() => rmSync(scenarios, { recursive: true, force: true }))
const start = worldsOfATest()

const project = (limits: object, config: object = {}) =>
  shellProject({
    agent: '',
    config: {
      agent: 'openai',
      model: 'scripted',
      scenario: 'small',
      command: undefined,
      onLimit: 'ask',
      limits,
      ...config,
    },
  })
const beads = [
  { id: 'd-1', title: 'First' },
  { id: 'd-2', title: 'Second' },
]

const stored = (world: World, id: string) => world.server.store.execution(parseExecutionId(id))
/** Resolves once it waits. Throws with the reason if it ends or cannot start instead. */
async function frozen(world: World, id: string): Promise<void> {
  await world.until(() => stored(world, id)?.waits?.kind === 'budget' || stored(world, id)?.endedAt !== null)
  const { waits, state, detail } = (await world.execution(id)) ?? {}
  if (waits?.kind !== 'budget') throw new Error(`it does not wait: ${state} ${detail}`)
}
const used = ({ tokens }: ExecutionView) => tokens.input + tokens.output
const grant = (world: World, id: string, body: object) =>
  world.api<ExecutionView & { error?: { message: string } }>('POST', `/api/executions/${id}/grants`, body)

test('an execution at a limit waits for a person, is granted more, and completes', async () => {
  const world = await start({ scenarios })
  await world.addProject('ask', project({ maxTokensPerBead: 10 }), beads)
  const { id } = await world.queue('ask', 'd-1')
  await frozen(world, id)
  const waiting = await world.execution(id)
  expect(waiting).toMatchObject({
    state: 'RUNNING',
    waits: { kind: 'budget', scope: 'bead', unit: 'tokens', limit: 10 },
  })
  expect(used(waiting)).toBeGreaterThan(10)
  expect(waiting.signs).toContainEqual(expect.stringMatching(/of 10 tokens used by this bead$/))
  const { items } = await world.get<BudgetsView>('/api/budgets')
  expect(items).toEqual([
    expect.objectContaining({
      execution: id,
      bead: 'd-1',
      text: expect.stringMatching(
        /^waits for budget: .* of 10 tokens used by this bead; without an answer it ends at /,
      ),
    }),
  ])
  await world.printed(id, 'waits for budget:')

  for (const body of [
    {},
    { tokens: 0 },
    { tokens: -1 },
    { tokens: 1.5 },
    { tokens: 1e300 },
    { money: 'much' },
    { more: 1 },
  ])
    expect((await grant(world, id, body)).status).toBe(400)
  const wrong = await grant(world, id, { money: 5 })
  expect([wrong.status, wrong.body.error?.message]).toEqual([409, expect.stringContaining('grant tokens')])
  expect(stored(world, id)?.waits?.kind).toBe('budget')

  expect((await grant(world, id, { tokens: 1_000_000 })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(ended.waits).toBeNull()
  const grants = await world.get<GrantsView>(`/api/executions/${id}/grants`)
  expect(grants.items).toEqual([expect.objectContaining({ scope: 'bead', unit: 'tokens' })])
  // The amount counts from the use at that time, so all that was granted can be spent.
  expect(grants.items[0]!.amount).toBe(1_000_000 + used(waiting) - 10)
  const told = (await world.events(id)).map(({ type }) => type).filter((type) => type.startsWith('budget'))
  expect(told).toEqual(['budget_near', 'budget_waits', 'budget_granted', 'budget_continues'])
  expect((await grant(world, id, { tokens: 5 })).status).toBe(409)
})

test('without an answer in time it ends, and its work is saved', async () => {
  const world = await start({ scenarios })
  await world.addProject('late', project({ maxTokens: 10, answerTimeoutSeconds: 1 }), beads)
  const ended = await world.run('late', 'd-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
  expect(ended.detail).toContain('Nobody answered within 1 s whether it may have more.')
  expect(ended.detail).toContain('"limits.maxTokens" in beadloom.json')
  const saved = git(
    join(world.data, 'hub', 'late.git'),
    'show',
    '--name-only',
    '--format=',
    `refs/beadloom/${ended.id}/session-1`,
  )
  expect(saved.split('\n')).toEqual(expect.arrayContaining(['done.txt', 'more.txt']))
})

test('a restart forgets neither the wait nor the use so far, and nothing is spent twice', async () => {
  const first = await start({ scenarios })
  await first.addProject('again', project({ maxTokensPerBead: 10 }), beads)
  const { id } = await first.queue('again', 'd-1')
  await frozen(first, id)
  const before = await first.execution(id)
  await first.server.stop()

  const again = await start({ data: first.data, host: first.host, scenarios })
  const after = await again.execution(id)
  expect([after.waits, after.tokens]).toEqual([before.waits, before.tokens])
  // Its agent asks again, and is held again, for no longer than before.
  await again.until(async () => (await again.execution(id)).sessions.some(({ state }) => state === 'running'))
  expect((await grant(again, id, { tokens: 1_000_000 })).status).toBe(202)
  expect(await again.ended(id)).toMatchObject({ state: 'COMPLETED' })
  const calls = (await again.events(id)).filter(({ type }) => type === 'usage')
  expect(calls.length).toBe(3)
})

test('a grant before its agent asks again counts for its first call after a restart, and the wait is over', async () => {
  const first = await start({ scenarios })
  await first.addProject('between', project({ maxTokensPerBead: 10 }), beads)
  const { id } = await first.queue('between', 'd-1')
  await frozen(first, id)
  await first.server.stop()
  const db = new Database(join(first.data, 'beadloom.db'))
  db.prepare('INSERT INTO budget_grant (execution, scope, holder, unit, amount, at) VALUES (?, ?, ?, ?, ?, 1)').run(
    id,
    'bead',
    'between/d-1',
    'tokens',
    1_000_000,
  )
  db.close()
  const again = await start({ data: first.data, host: first.host, scenarios })
  expect(await again.ended(id)).toMatchObject({ state: 'COMPLETED' })
  const told = (await again.events(id)).map(({ type }) => type).filter((type) => type.startsWith('budget'))
  expect(told).toEqual(['budget_near', 'budget_waits', 'budget_continues'])
})

test('"Stop" ends it as no answer does, with its work saved; money without a price is mentioned and not counted', async () => {
  const world = await start({ scenarios })
  const limits = { maxTokensPerSession: 10, maxCost: 0.5 }
  await world.addProject('stop', project(limits), beads)
  const { id } = await world.queue('stop', 'd-1')
  await frozen(world, id)
  const { signs } = await world.execution(id)
  expect(signs).toContainEqual(expect.stringMatching(/tokens have no known price, and no limit of money counts them/))
  expect((await world.events(id)).filter(({ type }) => type === 'budget_unpriced')).toHaveLength(1)
  await beadloom(['budget', 'stop', 'd-1', '--data', world.data])
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
  expect(ended.detail).toMatch(/^You stopped it at its limit\. All 10 tokens of this session are used\./)
  expect(ended.detail).toMatch(/Its unsaved work is saved on refs\/beadloom\/ex-/)
  expect((await world.log(workOf(ended))).split('\n')).toContainEqual(expect.stringContaining('waits for budget'))
  // A project may have the name of a command.
  const { stdout } = await beadloom(['budget', '--project', 'stop', '--data', world.data, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ today: { input: ended.tokens.input } })
})

test('others get the slot of a waiting execution, and it continues when a slot is free again', async () => {
  const world = await start({ scenarios, flags: { slots: '1' } })
  const slots = async () => (await world.get<ServerStatus>('/api/status')).slots
  await world.addProject('other', shellProject({ agent: 'sleep 600\n' }), [{ id: 'o-1', title: 'Other' }])
  await world.addProject('ask', project({ maxTokensPerBead: 10 }), beads)
  const { id } = await world.queue('ask', 'd-1')
  await frozen(world, id)
  expect(await slots()).toEqual({ total: 1, used: 0 })
  const other = await world.queue('other', 'o-1')
  await world.until(async () => (await world.execution(other.id)).sessions.some(({ state }) => state === 'running'))
  expect(await slots()).toEqual({ total: 1, used: 1 })

  expect((await grant(world, id, { tokens: 1_000_000 })).status).toBe(202)
  await world.until(() => waitOfKind(stored(world, id)?.waits, 'budget')?.granted === true)
  expect((await world.get<BudgetsView>('/api/budgets')).items).toEqual([])
  // A bead that is queued meanwhile comes after it.
  const last = await world.queue('ask', 'd-2')
  expect((await world.api('POST', `/api/executions/${other.id}/cancel`)).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  await world.until(async () => (await world.execution(last.id)).startedAt !== null)
  const continued = (await world.events(id)).find(({ type }) => type === 'budget_continues')
  expect((await world.execution(last.id)).startedAt).toBeGreaterThan(continued?.at ?? Infinity)
})
