// @suite policy-long
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { author, blog, ready } from '../support/blog.ts'
import { ChatModel, textOf, type ChatAnswer, type Said } from '../support/chat-model.ts'
import { plannedProject, planText } from '../support/planned.ts'
import { git } from '../support/repository.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* With `"onBlocked": "wait"` the agents of subtasks that have a question wait for the answer, too. */
const open = worldsOfATest()
const ANSWER = 'Those of this year.'
const plan = blog.slice(0, 3)
const FIRST = 'echo looked; echo early >> early-$(date +%s%N).txt'
const knows = (conversation: Said[], text: string) => conversation.some((one) => textOf(one).includes(text))

const files: Record<string, string> = {
  'Test users and posts': "printf 'test -f users.txt && test -f posts.txt\\n' > test.sh",
  Users: 'echo users > users.txt',
  Posts: 'echo posts > posts.txt',
}

const titleIn = (conversation: Said[]): string =>
  Object.keys(files).find((one) => knows(conversation, `**Subtask:** ${one}\n`)) ?? ''

/** Writes the file of its subtask. `asking`: the subtasks that look around, and ask first. */
const answering =
  (...asking: string[]) =>
  (conversation: Said[]): ChatAnswer => {
    const title = titleIn(conversation)
    const results = conversation.filter(({ role }) => role === 'tool')
    if (results.length === 0) return { text: 'I look.', command: FIRST }
    if (asking.includes(title) && !knows(conversation, ANSWER)) return { text: `BLOCKED: Which ${title}?` }
    return results.length > 1 ? { text: 'It is done.' } : { text: 'I write.', command: files[title] ?? 'true' }
  }

const model = (...asking: string[]) => ChatModel.start(answering(...asking))

const remotes = new Map<World, string>()

async function start({ env }: ChatModel, more: object = {}): Promise<World> {
  const world = await open({ env, flags: { model: 'test-model' } })
  const settings = { techStack: ['Shell'], test: 'sh test.sh', setup: null, verification: { proveBase: false } }
  const review = { agent: 'command', command: 'sh reviewer.sh' }
  const { remote } = await world.addProject(
    'q',
    {
      'test.sh': 'true\n',
      'reviewer.sh': `cat > /dev/null\ncat <<'END'\n${ready}\nEND\n`,
      'beadloom.json': JSON.stringify({ ...settings, review, onBlocked: 'wait', autopilot: false, ...more }),
    },
    [{ id: 'q-1', title: 'A blog' }],
  )
  const put = await world.api('PUT', '/api/projects/q/beads/q-1/plan', JSON.parse(planText(plan)))
  expect(put.status).toBe(200)
  remotes.set(world, remote)
  return world
}

const asks = (world: World, id: string) => world.until(async () => (await world.execution(id)).waits?.kind === 'pause')
const answer = (world: World, id: string, body: object) => world.api('POST', `/api/executions/${id}/messages`, body)

test('one answer is for all questions of a phase, and each agent continues in its container', async () => {
  const chat = await model('Users', 'Posts')
  const world = await start(chat)
  const { id } = await world.queue('q', 'q-1')
  await asks(world, id)
  const { waits, sessions } = await world.execution(id)
  expect(waits).toMatchObject({ question: expect.stringMatching(/Users.*Which Users\?[^]*Posts.*Which Posts\?/) })
  const events = await world.events(id)
  expect(events.filter(({ type }) => type === 'subtask_failed')).toEqual([])
  expect(events.filter(({ type }) => type === 'asked').map(({ data }) => data)).toMatchObject([
    { question: 'Which Users?' },
    { question: 'Which Posts?' },
  ])
  expect((await answer(world, id, { text: ANSWER })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED', retryAttempt: 0 })
  for (const title of ['Users', 'Posts']) {
    const continues = chat.asked.filter((one) => knows(one, `**Subtask:** ${title}\n`) && knows(one, ANSWER))
    expect(continues.length, title).toBeGreaterThan(0)
    // It knows what it has seen.
    for (const one of continues) expect(knows(one, `Which ${title}?`)).toBe(true)
  }
  const containers = (before: boolean) =>
    ended.sessions
      .filter(({ kind, id: session }) => kind === 'work' && sessions.some((one) => one.id === session) === before)
      .map(({ container }) => container)
  for (const container of containers(false).slice(0, 2)) expect(containers(true)).toContain(container)
  expect(await world.containers.of(id)).toEqual([])
  // So are the files that they wrote before they asked.
  const names = git(remotes.get(world)!, 'ls-tree', '-r', '--name-only', 'beadloom/work').split('\n')
  expect(names.filter((one) => one.startsWith('early-'))).toHaveLength(plan.length)
})

test('a restart while they wait keeps their containers and conversations', async () => {
  const chat = await model('Users', 'Posts')
  const first = await start(chat)
  const { id } = await first.queue('q', 'q-1')
  await asks(first, id)
  const { data, host } = first
  await first.server.stop()
  const world = await open({ data, host, env: chat.env, flags: { model: 'test-model' } })
  const waiting = await world.execution(id)
  expect(waiting).toMatchObject({ state: 'RUNNING', waits: { kind: 'pause' } })
  const before = chat.asked.length
  expect((await answer(world, id, { text: ANSWER })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  for (const title of ['Users', 'Posts']) {
    const told = chat.asked.slice(before).find((one) => knows(one, ANSWER) && knows(one, `Which ${title}?`))!
    expect(told.some((one) => one.role === 'tool' && textOf(one).includes('looked'))).toBe(true)
  }
  const asked = waiting.sessions.filter(({ outcome }) => outcome === 'blocked').map(({ container }) => container)
  const next = ended.sessions.filter(({ kind }) => kind === 'work').slice(asked.length + 1, 2 * asked.length + 1)
  expect(next.map(({ container }) => container).toSorted()).toEqual(asked.toSorted())
  expect(await world.containers.of(id)).toEqual([])
})

test('an agent that asks after a restart keeps its container, too', async () => {
  let hangs = true
  const answers = answering('Posts')
  const chat = await ChatModel.start((conversation) =>
    hangs && titleIn(conversation) === 'Posts' ? { text: '', hold: 'before-it' } : answers(conversation),
  )
  const first = await start(chat)
  const { id } = await first.queue('q', 'q-1')
  await first.until(async () => chat.asked.some((one) => titleIn(one) === 'Posts'))
  await first.until(async () => (await first.execution(id)).sessions.at(-1)?.state === 'running')
  const { data, host } = first
  await first.server.stop()
  hangs = false
  const world = await open({ data, host, env: chat.env, flags: { model: 'test-model' } })
  await asks(world, id)
  expect((await answer(world, id, { text: ANSWER })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  const { container } = ended.sessions.find(({ outcome }) => outcome === 'blocked')!
  expect(ended.sessions.filter((one) => one.container === container)).toHaveLength(2)
})

test('a server that is killed as it continues an answered agent continues it once more, in its container', async () => {
  const chat = await model('Posts')
  const first = await start(chat)
  const { id } = await first.queue('q', 'q-1', { retryCount: 0 })
  await asks(first, id)
  const { data, host } = first
  expect((await first.execution(id)).sessions.filter(({ outcome }) => outcome === 'blocked')).toHaveLength(1)
  await first.server.stop()
  // The state that a kill leaves between the next session's row and its start.
  const db = new Database(join(data, 'beadloom.db'))
  const before = "FROM session WHERE execution = @id AND outcome = 'blocked'"
  db.prepare(
    `INSERT INTO session (id, execution, number, kind, attempt, state, started_at)
     SELECT @next, execution, 90, kind, attempt, 'starting', started_at + 1 ${before}`,
  ).run({ id, next: `${id}.90` })
  db.prepare("INSERT INTO phase_session (session, role, subtask) VALUES (?, 'subtask', '2b')").run(`${id}.90`)
  db.close()
  const world = await open({ data, host, env: chat.env, flags: { model: 'test-model' } })
  expect((await answer(world, id, { text: ANSWER })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  const { container } = ended.sessions.find(({ outcome }) => outcome === 'blocked')!
  expect(ended.sessions.filter((one) => one.container === container)).toHaveLength(2)
})

test('after a restart without its container an agent starts over with its question and the answer', async () => {
  const chat = await model('Posts')
  const first = await start(chat)
  const { id } = await first.queue('q', 'q-1')
  await asks(first, id)
  const { data, host } = first
  await first.server.stop()
  await first.containers.remove(...(await first.containers.of(id)))
  const world = await open({ data, host, env: chat.env, flags: { model: 'test-model' } })
  const before = chat.asked.length
  expect((await answer(world, id, { text: ANSWER })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  const told = chat.asked.slice(before).find((one) => knows(one, ANSWER))!
  expect(knows(told, 'Which Posts?')).toBe(true)
})

/** Users hangs at its first call, while Posts asks; then Users' container is taken away. */
async function breaksBeside(retryCount: number) {
  let hangs = true
  const answers = answering('Posts')
  const chat = await ChatModel.start((conversation) => {
    if (!hangs || titleIn(conversation) !== 'Users') return answers(conversation)
    return { text: '', hold: 'before-it' }
  })
  const world = await start(chat)
  const { id } = await world.queue('q', 'q-1', { retryCount, retryDelay: 1, retryOn: ['container lost'] })
  const sessions = async () => (await world.execution(id)).sessions.filter(({ kind }) => kind === 'work')
  await world.until(async () => (await sessions()).some(({ outcome }) => outcome === 'blocked'))
  const [users] = (await sessions()).filter(({ state }) => state !== 'ended')
  await world.until(async () => chat.asked.some((one) => titleIn(one) === 'Users'))
  hangs = false
  await world.host?.giveUp(users!.container ?? '', 'it was taken away')
  return { world, chat, id, sessions }
}

test('a retry of another subtask comes before the question, and keeps the container of the agent that asked', async () => {
  const { world, id, sessions } = await breaksBeside(1)
  await asks(world, id)
  const asking = await sessions()
  // The first phase, its review, and the subtask again.
  const outcomes = ['blocked', 'infra_error', 'success', 'success', 'success']
  expect(asking.map(({ outcome }) => outcome).toSorted()).toEqual(outcomes)
  const phases = await world.get<{ items: PhaseView[] }>(`/api/executions/${id}/phases`)
  const statuses = phases.items.flatMap(({ subtasks }) => subtasks.map((one) => [one.title, one.status]))
  expect(Object.fromEntries(statuses)).toMatchObject({ Users: 'completed', Posts: 'asking' })
  expect((await answer(world, id, { text: ANSWER })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
  const { container } = asking.find(({ outcome }) => outcome === 'blocked')!
  expect((await sessions()).at(asking.length)).toMatchObject({ container, outcome: 'success' })
  expect(await world.containers.of(id)).toEqual([])
})

test('if another subtask ends the execution, the question that nobody will answer is reported with it', async () => {
  const { world, id } = await breaksBeside(0)
  expect(await world.ended(id)).toMatchObject({ state: 'FAILED', detail: expect.stringContaining('Not done: ') })
  const failed = (await world.events(id)).filter(({ type }) => type === 'subtask_failed')
  expect(failed.map(({ data }) => data)).toMatchObject([
    { title: 'Users' },
    { title: 'Posts', why: expect.stringContaining('Which Posts?') },
  ])
  expect(await world.containers.of(id)).toEqual([])
})

test('without an answer it ends as BLOCKED with the question, and the subtask is named', async () => {
  const chat = await model('Posts')
  const world = await start(chat)
  const { id } = await world.queue('q', 'q-1')
  await asks(world, id)
  expect((await world.api('POST', `/api/executions/${id}/resume`)).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'BLOCKED', detail: expect.stringContaining('Which Posts?') })
  const failed = (await world.events(id)).filter(({ type }) => type === 'subtask_failed')
  expect(failed).toMatchObject([{ data: { subtask: '2b', title: 'Posts' } }])
  expect(await world.containers.of(id)).toEqual([])
})

test('a cancel while it waits saves the work and leaves no container', async () => {
  const chat = await model('Posts')
  const world = await start(chat)
  const { id } = await world.queue('q', 'q-1')
  await asks(world, id)
  expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(202)
  expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED' })
  expect(await world.containers.of(id)).toEqual([])
})

test('a message that came before a question is read by the agent that asked, by default, too', async () => {
  const chat = await model('Posts')
  const world = await start(chat, { onBlocked: 'end' })
  const { id } = await world.queue('q', 'q-1')
  await world.until(async () => (await world.execution(id)).sessions.some(({ kind }) => kind === 'work'))
  expect((await answer(world, id, { text: ANSWER, when: 'turn' })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
})

/** Asks, and prints its document once the answer is in its prompt. */
const askingFirst = (question: string, given: string, document: string) => `cat > /tmp/prompt; cat /tmp/prompt >&2
if ! grep -q '${given}' /tmp/prompt; then echo 'BLOCKED: ${question}'; exit 0; fi
cat <<'END'
${document}
END
`

test('an architect and a reviewer are answered, too: each starts over with its question and the answer', async () => {
  const world = await open({})
  const files = plannedProject({
    agent: author,
    architect: askingFirst('Which year?', ANSWER, planText(plan)),
    planning: { when: 'always' },
    config: { onBlocked: 'wait', autopilot: false, review: { command: 'sh reviewer.sh' } },
    files: { 'reviewer.sh': askingFirst('Which rules?', 'The usual ones.', ready) },
  })
  await world.addProject('p', files, [{ id: 'p-1', title: 'A blog' }])
  const newest = async (kind: string) =>
    (await world.get<{ items: ExecutionView[] }>('/api/executions?project=p')).items.find((one) => one.kind === kind)

  const planning = await world.queue('p', 'p-1')
  await asks(world, planning.id)
  expect(await world.execution(planning.id)).toMatchObject({ kind: 'plan', waits: { question: 'Which year?' } })
  expect((await answer(world, planning.id, { text: ANSWER })).status).toBe(202)
  const planned = await world.ended(planning.id)
  expect(planned, planned.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  expect(await world.log(planned.sessions.at(-1)!.id)).toContain('Which year?')

  await world.until(async () => (await newest('work')) !== undefined)
  const { id } = (await newest('work'))!
  await asks(world, id)
  expect((await world.execution(id)).waits).toMatchObject({ question: 'Which rules?' })
  expect((await answer(world, id, { text: 'The usual ones.' })).status).toBe(202)
  const ended = await world.ended(id)
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED', retryAttempt: 0 })
  const { items } = await world.get<{ items: Message[] }>(`/api/executions/${id}/messages`)
  expect(items).toMatchObject([{ state: 'delivered', delivered: { through: 'prompt' } }])
})
