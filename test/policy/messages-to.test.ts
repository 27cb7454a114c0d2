// @suite policy-long
import { expect, test } from 'vitest'
import type { Message } from '@beadloom/core/records/message.ts'
import { ready } from '../support/blog.ts'
import { ChatModel, textOf, type Said } from '../support/chat-model.ts'
import { beadloom } from '../support/command-line.ts'
import { planText, print, subtask } from '../support/planned.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Two subtasks work side by side, and a person speaks to one of them, or to both. */
const open = worldsOfATest()
const plan = ['Users', 'Posts'].map((title) =>
  subtask(title.toLowerCase(), { title, type: 'refactor', filesTouched: [`${title}.txt`] }),
)
const subtaskIn = (conversation: Said[]) => /\*\*Subtask:\*\* (\w+)/.exec(conversation.map(textOf).join('\n'))?.[1]
const untilLetGo = 'until [ -e /tmp/go ]; do sleep 0.1; done'

function answerTo(conversation: Said[]) {
  const results = conversation.filter(({ role }) => role === 'tool').length
  if (results === 0) return { text: 'I wait.', command: untilLetGo }
  if (results > 1) return { text: 'It is done.' }
  const file = `${subtaskIn(conversation)}.txt`
  return { text: 'I write.', command: `echo x > ${file}; git add -A; git commit -qm done; git push -q` }
}

test('a message to one session is for its agent alone, and one to all for each of them', async () => {
  const model = await ChatModel.start(answerTo)
  const world = await open({ env: model.env, flags: { model: 'test-model' } })
  const settings = { techStack: ['Shell'], test: 'true', setup: null, verification: { proveBase: false } }
  const files = { 'beadloom.json': JSON.stringify({ ...settings, review: { command: 'sh reviewer.sh' } }) }
  await world.addProject('t', { ...files, 'reviewer.sh': print(ready) }, [{ id: 't-1', title: 'Two' }])
  await world.api('PUT', '/api/projects/t/beads/t-1/plan', JSON.parse(planText(plan)))
  const { id } = await world.queue('t', 't-1')
  const working = async () =>
    (await world.execution(id)).sessions.filter(({ kind, state }) => kind === 'work' && state === 'running')
  const begun = async () => (await world.events(id)).filter(({ type }) => type === 'tool_call').length
  await world.until(async () => (await working()).length === 2 && (await begun()) === 2)
  const [, second] = await working()
  const say = (body: object) => world.api<Message>('POST', `/api/executions/${id}/messages`, body)
  expect(await say({ text: 'Only you.', to: second!.id })).toMatchObject({ status: 202, body: { to: second!.id } })
  expect((await beadloom(['tell', 't-1', 'Both of you.', '--to', 'all', '--data', world.data])).code).toBe(0)
  expect((await say({ text: 'Who?', to: `${id}.77` })).status).toBe(409)
  for (const container of await world.containers.of(id)) await world.containers.write(container, '/tmp/go')
  const ended = await world.ended(id)
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
  const heard = (subtask: string, text: string) =>
    model.asked.some((one) => subtaskIn(one) === subtask && one.some((said) => textOf(said).includes(text)))
  const each = ['Users', 'Posts']
  expect(each.map((one) => heard(one, 'Both of you.'))).toEqual([true, true])
  expect(each.filter((one) => heard(one, 'Only you.'))).toHaveLength(1)
  const { items } = await world.get<{ items: Message[] }>(`/api/executions/${id}/messages`)
  expect(items.map(({ state, to, delivered }) => [state, delivered!.session === to])).toEqual([
    ['delivered', true],
    ['delivered', true],
    ['delivered', true],
  ])
})
