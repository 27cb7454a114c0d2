// @suite policy-long
import { expect, test } from 'vitest'
import { ChatModel, textOf, type Said } from '../support/chat-model.ts'
import { beadloom } from '../support/command-line.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* With `"onBlocked": "wait"` an agent that has a question keeps its container, and continues with the answer. */
const open = worldsOfATest()
const QUESTION = 'Which of the two licences may be shipped?'
const WORK = 'echo done > done.txt; git add -A; git commit -qm done; git push -q; echo committed'
const ANSWER = 'The GPL one.'
const BUSY = 'Take a long time'
const knows = (conversation: Said[], text: string) => conversation.some((one) => textOf(one).includes(text))

/** Looks around, asks, and commits once it has the answer. */
const model = () =>
  ChatModel.start((conversation) => {
    const results = conversation.filter(({ role }) => role === 'tool')
    if (knows(conversation, BUSY)) return { text: 'I am busy.', command: 'sleep 600' }
    if (results.length === 0) return { text: 'I look.', command: 'echo looked' }
    if (!knows(conversation, ANSWER)) return { text: `BLOCKED: ${QUESTION}` }
    return knows(results, 'committed') ? { text: 'It is done.' } : { text: 'I commit.', command: WORK }
  })

async function start({ env }: ChatModel, more: object = {}): Promise<World> {
  const world = await open({ env, flags: { model: 'test-model' } })
  const settings = { techStack: ['Shell'], test: 'true', setup: null, verification: { proveBase: false } }
  await world.addProject('q', { 'beadloom.json': JSON.stringify({ ...settings, onBlocked: 'wait', ...more }) }, [
    { id: 'q-1', title: 'Ship it' },
    { id: 'q-2', title: 'Another one' },
    { id: 'q-3', title: BUSY },
  ])
  return world
}

const asks = (world: World, id: string) => world.until(async () => (await world.execution(id)).waits?.kind === 'pause')
const answer = (world: World, id: string, body: object) => world.api('POST', `/api/executions/${id}/messages`, body)

test('an answer continues the same conversation in the same container, as no attempt', async () => {
  const chat = await model()
  const world = await start(chat)
  const { id } = await world.queue('q', 'q-1')
  await asks(world, id)
  const waiting = await world.execution(id)
  expect(waiting).toMatchObject({ state: 'RUNNING', waits: { question: QUESTION, atEnd: 'resume' } })
  const run = (...args: string[]) => beadloom([...args, '--data', world.data])
  expect((await run('beads', 'show', 'q-1')).stdout).toContain('beadloom tell q-1')
  expect((await world.api('POST', `/api/executions/${id}/pause`, {})).status).toBe(409)
  const { since } = waiting.waits as { since: number }
  const late = await answer(world, id, { text: 'The MIT one.', answers: since - 1 })
  expect(late).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('any more') } } })
  expect((await run('tell', 'q-1', ANSWER)).code).toBe(0)
  const view = await world.ended(id)
  expect(view, view.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 0 })
  const answered = chat.asked.find((conversation) => knows(conversation, ANSWER))!
  expect(knows(answered, 'looked')).toBe(true)
  expect(knows(answered, QUESTION)).toBe(true)
  // Its task is not done yet, so it does not end its turn after the answer alone.
  expect(textOf(answered.at(-1)!)).toContain('then continue your task')
  const [first, second] = view.sessions.filter(({ kind }) => kind === 'work')
  expect(second!.container).toBe(first!.container)
})

test('the question outlives a restart of the server', async () => {
  const chat = await model()
  const first = await start(chat)
  const { id } = await first.queue('q', 'q-1')
  await asks(first, id)
  const { data, host } = first
  await first.server.stop()
  const world = await open({ data, host, env: chat.env, flags: { model: 'test-model' } })
  expect(await world.execution(id)).toMatchObject({ state: 'RUNNING', waits: { question: QUESTION } })
  expect((await answer(world, id, { text: ANSWER, when: 'turn' })).status).toBe(202)
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
})

test('it lends its slot meanwhile', async () => {
  const chat = await model()
  const world = await start(chat, { slots: { limit: 1 } })
  const { id } = await world.queue('q', 'q-1')
  await asks(world, id)
  const other = await world.queue('q', 'q-2')
  await asks(world, other.id)
  await answer(world, other.id, { text: ANSWER })
  expect(await world.ended(other.id)).toMatchObject({ state: 'COMPLETED' })
  await answer(world, id, { text: ANSWER })
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
})

test('without an answer it ends although every slot is in use', async () => {
  const chat = await model()
  const world = await start(chat, { slots: { limit: 1 } })
  const { id } = await world.queue('q', 'q-1')
  await asks(world, id)
  const busy = await world.queue('q', 'q-3')
  await world.until(() => chat.asked.some((conversation) => knows(conversation, BUSY)))
  expect((await world.api('POST', `/api/executions/${id}/resume`)).status).toBe(202)
  expect(await world.ended(id)).toMatchObject({ state: 'BLOCKED', blockedReason: QUESTION })
  expect(await world.execution(busy.id)).toMatchObject({ state: 'RUNNING' })
})

test('without an answer in time, or resumed without one, it ends as BLOCKED with its question', async () => {
  const chat = await model()
  const world = await start(chat, { limits: { answerTimeoutSeconds: 1 } })
  const late = await world.run('q', 'q-1')
  expect(late).toMatchObject({ state: 'BLOCKED', blockedReason: QUESTION })
  const other = await start(chat)
  const { id } = await other.queue('q', 'q-1')
  await asks(other, id)
  expect((await other.api('POST', `/api/executions/${id}/resume`)).status).toBe(202)
  expect(await other.ended(id)).toMatchObject({ state: 'BLOCKED', blockedReason: QUESTION })
})

test('a cancel ends it while it waits', async () => {
  const chat = await model()
  const world = await start(chat)
  const { id } = await world.queue('q', 'q-1')
  await asks(world, id)
  expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(202)
  expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED' })
})
