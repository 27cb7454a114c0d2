import { afterEach, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { ChatModel, textOf, type ChatAnswer, type Said } from '../support/chat-model.ts'
import { beadloom } from '../support/command-line.ts'
import { git } from '../support/repository.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { World } from '../support/world.ts'

/* A person says something to an agent that works, and the agent does it. */
let world: World | undefined
let model: ChatModel
afterEach(() => world?.stop())

const toldIn = (conversation: Said[]) => conversation.filter((one) => textOf(one).includes('Message from a person'))

const untilLetGo = 'until [ -e /tmp/go ]; do sleep 0.1; done'
const commit = 'git add -A; git commit -qm done; git push -q; echo committed'

/**
 * A model that runs a command until it is let go, writes the words that a person has asked for with "write WORD" into
 * files, commits and is done.
 */
function answerTo(conversation: Said[]): ChatAnswer {
  const results = conversation.filter(({ role }) => role === 'tool')
  const words = [
    ...conversation
      .map(textOf)
      .join('\n')
      .matchAll(/write (\w+)/g),
  ].map(([, word]) => word!)
  const open = words.filter((word) => !results.some((one) => textOf(one).includes(`wrote ${word}`)))
  if (results.length === 0) return { text: 'I work.', command: `${untilLetGo}; echo done > done.txt` }
  if (open.length > 0) return { text: 'As you say.', command: `echo x > ${open[0]}.txt; echo wrote ${open[0]}` }
  const isCommitted = textOf(results.at(-1)!).includes('committed')
  return isCommitted ? { text: 'It is done.' } : { text: 'I commit.', command: commit }
}

async function start(config: object = {}, more: Parameters<typeof World.start>[0] = {}): Promise<World> {
  model = await ChatModel.start(answerTo)
  const { env } = model
  world = await World.start({ engine: 'process', env, flags: { model: 'test-model' }, ...more })
  const settings = { techStack: ['Shell'], test: 'true', setup: null, verification: { proveBase: false }, ...config }
  await world.addProject('m', { 'beadloom.json': JSON.stringify(settings) }, [{ id: 'm-1', title: 'Work' }])
  return world
}

type Answer = Message & { error?: { code: string; message: string } }
const say = (world: World, id: string, body: object) =>
  world.api<Answer>('POST', `/api/executions/${id}/messages`, body)
const messages = async (world: World, id: string) =>
  (await world.get<{ items: Message[] }>(`/api/executions/${id}/messages`)).items
const atWork = (world: World, id: string) =>
  world.until(async () => (await world.events(id)).some(({ type }) => type === 'tool_call'))
const letGo = async (world: World, id: string) => {
  for (const container of await world.containers.of(id)) await world.containers.write(container, '/tmp/go')
}
const files = (world: World, { branch }: ExecutionView) =>
  git(`${world.data}/hub/m.git`, 'ls-tree', '--name-only', branch).split('\n')
const told = async (world: World, id: string) =>
  (await world.events(id)).map(({ type }) => type).filter((type) => type.startsWith('message_'))

test('an agent is told in the middle of a command, reads it behind the result, once, and does it', async () => {
  const world = await start()
  const { id } = await world.queue('m', 'm-1')
  await atWork(world, id)
  const first = await say(world, id, { text: 'Please write one, too.' })
  expect(first).toMatchObject({ status: 202, body: { state: 'waiting', when: 'step', by: '' } })
  await say(world, id, { text: 'And write two.' })
  await letGo(world, id)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(files(world, ended)).toEqual(expect.arrayContaining(['done.txt', 'one.txt', 'two.txt']))
  // In the request after the command, behind its result, and at the same place in each later one.
  const [, ...later] = model.asked
  expect(toldIn(model.asked[0]!)).toEqual([])
  for (const conversation of later) {
    expect(toldIn(conversation).map(textOf)).toEqual([
      expect.stringMatching(/^Message from a person, .*\n\n```text\nPlease write one, too\.\n```$/s),
      expect.stringContaining('And write two.'),
    ])
    const index = conversation.indexOf(toldIn(conversation)[0]!)
    expect(conversation.slice(index - 1, index + 2).map(({ role }) => role)).toEqual(['tool', 'user', 'user'])
    expect(index).toBe(later[0]!.indexOf(toldIn(later[0]!)[0]!))
  }
  expect(await messages(world, id)).toMatchObject([
    { text: 'Please write one, too.', state: 'delivered', delivered: { through: 'gateway' } },
    { text: 'And write two.', state: 'delivered', delivered: { session: expect.stringContaining(id) } },
  ])
  expect(await told(world, id)).toEqual(['message_said', 'message_said', 'message_delivered', 'message_delivered'])
  await world.printed(id, 'A person says: Please write one, too.')
  expect(await say(world, id, { text: 'too late' })).toMatchObject({
    status: 409,
    body: { error: { code: 'ended', message: expect.stringContaining('run its bead again') } },
  })
})

longTest(
  'a message while its checks run makes the work incomplete: an agent reads it first, at no attempt',
  async () => {
    const world = await start({
      test: `echo checking; ${untilLetGo}`,
      verification: { proveBase: false, maxAttempts: 1 },
    })
    const { id } = await world.queue('m', 'm-1')
    await atWork(world, id)
    await letGo(world, id)
    const checks = () => world.execution(id).then(({ sessions }) => sessions.filter(({ kind }) => kind === 'verify'))
    await world.until(async () => (await checks()).some(({ state }) => state === 'running'))
    await say(world, id, { text: 'Also write three.' })
    await letGo(world, id)
    await world.until(
      async () =>
        (await checks()).filter(({ state }) => state === 'running').length > 0 &&
        (await messages(world, id))[0]?.state === 'delivered',
    )
    await letGo(world, id)
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
    expect(files(world, ended)).toContain('three.txt')
    expect(await messages(world, id)).toMatchObject([{ state: 'delivered', delivered: { through: 'prompt' } }])
  },
)

longTest('a message while checks fail leaves its agent the failures', async () => {
  // The agent writes what the check asks for, if it reads that.
  const test = `${untilLetGo}; [ -e wanted.txt ] || { echo 'error: wri''te wanted'; exit 1; }`
  const world = await start({ test, verification: { proveBase: false, maxAttempts: 1 } })
  const { id } = await world.queue('m', 'm-1')
  await atWork(world, id)
  await letGo(world, id)
  const checks = () => world.execution(id).then(({ sessions }) => sessions.filter(({ kind }) => kind === 'verify'))
  await world.until(async () => (await checks()).some(({ state }) => state === 'running'))
  await say(world, id, { text: 'Also write three.' })
  await world.until(async () => {
    await letGo(world, id).catch(() => {}) // its container may just have gone
    return (await world.execution(id)).endedAt !== null
  })
  const ended = await world.ended(id)
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', attempt: 2 })
  expect(files(world, ended)).toEqual(expect.arrayContaining(['three.txt', 'wanted.txt']))
  const [next] = model.asked.filter((one) => toldIn(one).length > 0)
  expect(textOf(next!.at(-1)!)).toMatch(
    /FAILED VERIFICATION:.*Message from a person.*three\..*commit and push as before/s,
  )
})

longTest('messages that are too long for one prompt are all read, in order, once', async () => {
  const world = await start()
  const { id } = await world.queue('m', 'm-1')
  await atWork(world, id)
  const texts = ['a', 'b', 'c', 'd'].map((one) => one.repeat(12_000))
  for (const text of texts) await say(world, id, { text, when: 'turn' })
  await letGo(world, id)
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
  const last = model.asked.at(-1)!.map(textOf).join('\n')
  const places = texts.map((text) => last.indexOf(text))
  expect(places.every((at) => at > 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  for (const text of texts) expect(last.split(text)).toHaveLength(2)
})

longTest('a message for after the turn is the next prompt of its agent', async () => {
  const world = await start()
  const { id } = await world.queue('m', 'm-1')
  await atWork(world, id)
  const run = (...args: string[]) => beadloom([...args, '--data', world.data])
  expect((await run('tell', 'm-1', 'Then write four.', '--when', 'turn')).stdout).toBe(
    `Stored for ${id}: its agent gets it once it has ended its turn.\n`,
  )
  await letGo(world, id)
  // The next session's workspace is the same, so nothing has to let it go.
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(files(world, ended)).toContain('four.txt')
  // It knows what it has done: its conversation continues.
  const [next] = model.asked.filter((one) => toldIn(one).length > 0)
  expect(model.asked.indexOf(next!)).toBe(3)
  expect(next!.filter(({ role }) => role === 'tool')).toHaveLength(2)
  expect(textOf(next!.at(-1)!)).toMatch(/^Message from a person, .*Then write four\./s)
  for (const nothing of ['  ', '\u200b', '\u0007'])
    expect(await run('tell', 'm-1', nothing)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing to say'),
    })
})

longTest('a waiting message outlives a restart of the server, and its agent has it once', async () => {
  const first = await start()
  const { id } = await first.queue('m', 'm-1')
  await atWork(first, id)
  await say(first, id, { text: 'Please write five.' })
  const { data, host } = first
  await first.server.stop()
  world = await World.start({ engine: 'process', data, host, env: model.env, flags: { model: 'test-model' } })
  await letGo(world, id)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(files(world, ended)).toContain('five.txt')
  expect(model.asked.slice(1).every((one) => toldIn(one).length === 1)).toBe(true)
})

longTest('what cannot be said is refused with a reason', async () => {
  const world = await start()
  const { id } = await world.queue('m', 'm-1')
  await atWork(world, id)
  for (const body of [
    {},
    { text: '' },
    { text: ' \n\t' },
    { text: '\u200b\u202e' },
    { text: '\u0000' },
    { text: 'x'.repeat(20_001) },
    { text: 'x', when: 'soon' },
    { text: 'x', to: 1 },
  ])
    expect((await say(world, id, body)).status).toBe(400)
  expect(await say(world, 'ex-0000000000', { text: 'x' })).toMatchObject({ status: 404 })
  for (let n = 0; n < 100; n += 1) expect((await say(world, id, { text: `no ${n}` })).status).toBe(202)
  expect(await say(world, id, { text: 'one more' })).toMatchObject({ status: 409 })
  await world.api('POST', `/api/executions/${id}/cancel`)
  await world.ended(id)
  expect((await messages(world, id)).every(({ state }) => state === 'refused')).toBe(true)
})
