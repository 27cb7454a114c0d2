// @suite policy-long
import { expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { ChatModel, textOf, type ChatAnswer, type Said } from '../support/chat-model.ts'
import { beadloom } from '../support/command-line.ts'
import { git } from '../support/repository.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* A person ends what an agent does at the moment. The agent keeps what it knows, and does as it is told. */
const open = worldsOfATest()
const FOREVER = 'echo begun; until [ -e /nowhere ]; do sleep 0.1; done'
const WORK = 'echo done > done.txt'
const COMMIT = 'git add -A; git commit -qm done; git push -q; echo committed'

const resultsOf = (conversation: Said[]) => conversation.filter(({ role }) => role === 'tool')
const isTold = (conversation: Said[]) => conversation.some((one) => textOf(one).includes('Message from a person'))

/** Runs commands one after the other, then `stuck` for as long as nobody has said anything, and commits. */
const model = (first: string[], stuck: ChatAnswer = { text: 'I wait.', command: FOREVER }) =>
  ChatModel.start((conversation) => {
    const results = resultsOf(conversation)
    if (results.length < first.length) return { text: 'I begin.', command: first[results.length]! }
    if (!isTold(conversation)) return stuck
    if (!results.some((one) => textOf(one).includes('committed'))) return { text: 'I commit.', command: COMMIT }
    return { text: 'It is done.' }
  })

async function start({ env }: ChatModel): Promise<World> {
  const world = await open({ env, flags: { model: 'test-model' } })
  const settings = { techStack: ['Shell'], test: 'true', setup: null, verification: { proveBase: false } }
  await world.addProject('m', { 'beadloom.json': JSON.stringify(settings) }, [{ id: 'm-1', title: 'Work' }])
  return world
}

type Answer<T> = T & { error?: { code: string; message: string } }
const say = (world: World, id: string, when: string, text = 'Another way, please.') =>
  world.api<Answer<Message>>('POST', `/api/executions/${id}/messages`, { text, when })
const stopTurn = (world: World, id: string, body: object = {}) =>
  world.api<Answer<ExecutionView>>('POST', `/api/executions/${id}/stop-turn`, body)
const waiting = (world: World, id: string) =>
  world.until(async () => (await world.execution(id)).waits?.kind === 'pause')
const begun = (world: World, id: string) => world.printed(id, 'begun')
const files = (world: World, { branch }: ExecutionView) =>
  git(`${world.data}/hub/m.git`, 'ls-tree', '--name-only', branch).split('\n')

async function ended(world: World, id: string): Promise<ExecutionView> {
  const view = await world.ended(id)
  expect(view, view.detail).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(view.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
  return view
}

test('a message for now ends the command of its agent, and is next', async () => {
  const chat = await model([WORK])
  const world = await start(chat)
  const { id } = await world.queue('m', 'm-1')
  await begun(world, id)
  expect(await say(world, id, 'now')).toMatchObject({ status: 202, body: { state: 'waiting', when: 'now' } })
  expect(files(world, await ended(world, id))).toContain('done.txt')
  const told = chat.asked.find(isTold)!
  expect(resultsOf(told)).toHaveLength(2)
  expect(told.at(-1)).toMatchObject({
    role: 'user',
    content: expect.stringContaining('has stopped what you were doing'),
  })
  await world.printed(id, 'A person has stopped what the agent did')
})

test('a turn that was stopped waits for a message, which resumes it', async () => {
  const chat = await model([WORK])
  const world = await start(chat)
  const { id } = await world.queue('m', 'm-1')
  await begun(world, id)
  const run = (...args: string[]) => beadloom([...args, '--data', world.data])
  expect((await run('stop-turn', 'm-1')).stdout).toMatch(/^ex-\w+: stop(?:ping|ped).*\.\n$/)
  await waiting(world, id)
  expect((await world.execution(id)).waits).toMatchObject({ kind: 'pause', forWord: true })
  expect(chat.asked).toHaveLength(2)
  await say(world, id, 'turn', 'Later.') // for later, so it resumes nothing
  expect((await world.execution(id)).waits).toMatchObject({ kind: 'pause', forWord: true })
  expect((await run('tell', 'm-1', 'Another way, please.')).code).toBe(0)
  const view = await world.ended(id)
  expect(view).toMatchObject({ state: 'COMPLETED' })
  expect(resultsOf(chat.asked[2]!)).toHaveLength(2)
  expect(isTold(chat.asked[2]!)).toBe(true)
})

test.each([
  ['before its answer has begun', 'before-it'],
  ['in the middle of its answer', 'in-it'],
] as const)('a model is stopped %s, and asked again with the message', async (_, hold) => {
  const chat = await model([WORK], { text: 'Hm.', hold })
  const world = await start(chat)
  const { id } = await world.queue('m', 'm-1')
  await world.until(() => chat.asked.length === 2)
  await say(world, id, 'now')
  expect(files(world, await ended(world, id))).toContain('done.txt')
  expect(isTold(chat.asked[2]!)).toBe(true)
  expect(resultsOf(chat.asked[2]!)).toHaveLength(1)
  expect((await world.events(id)).filter(({ type }) => type === 'model_problem')).toEqual([])
})

test('commands that its agent left in the background before stay', async () => {
  const beat = 'while :; do date +%s%N > /tmp/beat; sleep 0.1; done'
  const chat = await ChatModel.start((conversation) => {
    const results = resultsOf(conversation)
    if (results.length === 0) return { text: 'I serve.', command: `setsid sh -c '${beat}' > /dev/null 2>&1 & echo up` }
    if (results.length === 1) return { text: 'I wait.', command: FOREVER }
    const look = 'cat /tmp/beat > one.txt; sleep 1; cmp -s one.txt /tmp/beat || echo beats'
    if (results.length === 2) return { text: 'I look.', command: look }
    if (results.length === 3) return { text: 'I commit.', command: COMMIT }
    return { text: 'It is done.' }
  })
  const world = await start(chat)
  const { id } = await world.queue('m', 'm-1')
  await begun(world, id)
  await say(world, id, 'now')
  await ended(world, id)
  expect(textOf(resultsOf(chat.asked.at(-1)!)[2]!)).toContain('beats')
})

test('a command is stopped also by a server that has begun after it', async () => {
  const chat = await model([WORK])
  const first = await start(chat)
  const { id } = await first.queue('m', 'm-1')
  await begun(first, id)
  const { data, host } = first
  await first.server.stop()
  const world = await open({ data, host, env: chat.env, flags: { model: 'test-model' } })
  await world.until(async () => (await world.execution(id)).sessions.some(({ state }) => state === 'running'))
  expect((await world.api('POST', `/api/executions/${id}/pause`, { at: 'now' })).status).toBe(202)
  await waiting(world, id)
  await say(world, id, 'step') // a pause that is none for a word waits for its end
  expect((await world.execution(id)).waits).toMatchObject({ kind: 'pause' })
  expect((await world.api('POST', `/api/executions/${id}/resume`)).status).toBe(202)
  await ended(world, id)
})

test('an execution without a turn has none to stop, and says why', async () => {
  const chat = await model([WORK])
  const world = await start(chat)
  const { id } = await world.queue('m', 'm-1')
  await begun(world, id)
  expect((await stopTurn(world, id, { seconds: 0 })).status).toBe(400)
  await say(world, id, 'now')
  await ended(world, id)
  expect(await stopTurn(world, id)).toMatchObject({ status: 409, body: { error: { code: 'not_now' } } })
  expect((await stopTurn(world, 'ex-0000000000')).status).toBe(404)
})
