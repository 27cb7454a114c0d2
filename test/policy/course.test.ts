// @suite policy-long
import { expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { ChatModel } from '../support/chat-model.ts'
import { beadloom } from '../support/command-line.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* A person changes a running execution: the model of its next calls, and its time limit. */
const open = worldsOfATest()
const WORK = 'echo done > done.txt; git add -A; git commit -qm done; git push -q; echo committed'

const FOREVER = 'echo begun; until [ -e /nowhere ]; do sleep 0.1; done'

/** Runs commands one after the other, and ends. */
const model = (...commands: string[]) =>
  ChatModel.start((conversation) => {
    const results = conversation.filter(({ role }) => role === 'tool').length
    return results < commands.length ? { text: 'Next.', command: commands[results]! } : { text: 'It is done.' }
  })

async function start({ env }: ChatModel, limits = {}): Promise<World> {
  const world = await open({ env, flags: { model: 'slow-model' } })
  const settings = { techStack: ['Shell'], test: 'true', setup: null, verification: { proveBase: false }, limits }
  await world.addProject('c', { 'beadloom.json': JSON.stringify(settings) }, [{ id: 'c-1', title: 'Work' }])
  return world
}

type Answer = ExecutionView & { error?: { code: string; message: string } }
const change = (world: World, id: string, body: object) => world.api<Answer>('PATCH', `/api/executions/${id}`, body)
const paused = (world: World, id: string) =>
  world.until(async () => (await world.execution(id)).waits?.kind === 'pause')

test('its next call goes to the new model, also one that waited for it, and the one before did not', async () => {
  const chat = await model(FOREVER, WORK)
  const world = await start(chat)
  const { id } = await world.queue('c', 'c-1')
  await world.printed(id, 'begun')
  expect((await world.api('POST', `/api/executions/${id}/pause`, { at: 'now' })).status).toBe(202)
  await paused(world, id)
  const before = chat.models.length
  const run = (...args: string[]) => beadloom([...args, '--data', world.data])
  const told = await run('change', 'c-1', '--model', 'quick-model', '--time', '9h')
  expect(told.stdout).toMatch(/has the model quick-model and a time limit of 9 h now\.\n$/)
  expect((await run('resume', 'c-1')).code).toBe(0)
  const view = await world.ended(id)
  expect(view, view.detail).toMatchObject({ state: 'COMPLETED', course: { model: 'quick-model' } })
  expect(new Set(chat.models.slice(0, before))).toEqual(new Set(['slow-model']))
  expect(new Set(chat.models.slice(before))).toEqual(new Set(['quick-model']))
})

test('a shorter time limit ends it, and its sentence names that limit', async () => {
  const chat = await model(FOREVER)
  const world = await start(chat)
  const { id } = await world.queue('c', 'c-1')
  await world.until(() => chat.asked.length > 0)
  const { startedAt } = await world.execution(id)
  const seconds = Math.ceil((Date.now() - startedAt!) / 1000) + 5
  expect((await change(world, id, { executionTimeoutSeconds: seconds })).status).toBe(200)
  const view = await world.ended(id)
  expect(view).toMatchObject({ state: 'TIMEOUT', reason: 'wall_clock' })
  expect(view.detail).toContain(`${seconds} s`)
})

test('nonsense, a model that it cannot use and an execution that does not run are refused, each with its sentence', async () => {
  const chat = await model(WORK)
  const world = await start(chat)
  const { id } = await world.queue('c', 'c-1')
  expect((await change(world, id, {})).status).toBe(400)
  expect((await change(world, id, { executionTimeoutSeconds: 0 })).status).toBe(400)
  expect((await change(world, id, { model: 'scripted' })).body).toMatchObject({ error: { code: 'model_unusable' } })
  expect((await change(world, id, { model: 'gpt:online' })).body).toMatchObject({ error: { code: 'model_unusable' } })
  await world.ended(id)
  expect(await change(world, id, { model: 'quick-model' })).toMatchObject({
    status: 409,
    body: { error: { code: 'not_now', message: expect.stringContaining('has already ended') } },
  })
  expect((await change(world, 'ex-0000000000', { model: 'quick-model' })).status).toBe(404)
  const nothing = await beadloom(['change', 'c-1', '--data', world.data])
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('give --model or --time')])
})
