// @suite policy-long
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AnsweringEndpoint, type Answers, type Asked } from '../support/answering-endpoint.ts'
import { answer, issue, reviewed } from '../support/reviewer.ts'
import { commitAndPush } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* The built-in reviewer with a model of its own, through the gateway, against a server with scripted answers. */
let world: World
let endpoint: AnsweringEndpoint
let judge: Answers
beforeAll(async () => {
  endpoint = await AnsweringEndpoint.start((one, response) => {
    if (one.model === 'judge-model') judge(one, response)
    else if (one.messages.some(({ role }) => role === 'tool')) stream(response, { content: 'Done.' })
    else call(response, 'bash', { command: `echo hello > greeting.txt && ${commitAndPush('jm-1', 'Greet')}` })
  })
  world = await World.start({
    engine: 'process',
    env: { OPENAI_API_KEY: 'sk-canary-0123456789abcdef', OPENAI_BASE_URL: endpoint.url },
    flags: { model: 'author-model' },
  })
  const config = { techStack: ['Shell'], test: 'true', setup: null, review: { model: 'judge-model' } }
  await world.addProject('judged', { 'beadloom.json': JSON.stringify(config) }, [{ id: 'jm-1', title: 'Greet' }])
  expect((await world.run('judged', 'jm-1')).state).toBe('COMPLETED')
})
afterAll(async () => {
  await world.stop()
  endpoint.stop()
})

function stream(response: ServerResponse, delta: object, finish = 'stop'): void {
  const chunk = (value: object) =>
    response.write(`data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', created: 1, ...value })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] })
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  chunk({ choices: [], usage: { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 } })
  response.end('data: [DONE]\n\n')
}

const call = (response: ServerResponse, name: string, args: object | string): void =>
  stream(
    response,
    {
      tool_calls: [
        {
          index: 0,
          id: 'c1',
          type: 'function',
          function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
        },
      ],
    },
    'tool_calls',
  )

const isForm = ({ response_format: form }: Asked): boolean => form?.type === 'json_schema'
const review = async () => {
  const before = endpoint.asked.length
  const { view } = await reviewed(world, 'judged', { bead: 'jm-1', again: true })
  return { view, asked: endpoint.asked.slice(before) }
}

test('the reviewer has the model of "review.model", the author that of the project, and its form reaches the server unchanged', async () => {
  judge = (one, response) => stream(response, { content: isForm(one) ? answer([issue('It greets nobody')]) : 'Seen.' })
  const { view, asked: questions } = await review()
  expect(view).toMatchObject({ verdict: 'not_ready', model: 'judge-model', issues: [{ filed: 'new' }] })
  expect(questions.map(({ model }) => model)).toEqual(['judge-model', 'judge-model'])
  expect(endpoint.asked.slice(0, -2).every(({ model }) => model === 'author-model')).toBe(true)
  expect(questions[1]?.response_format).toMatchObject({ json_schema: { strict: true, name: 'review' } })
  const { tokens } = await world.execution(view.id)
  expect(tokens).toEqual({ input: 240, output: 14 })
})

test('a model whose server has no structured output is asked for a tool call in the same session', async () => {
  judge = (one, response) => {
    if (isForm(one)) {
      response.writeHead(400, { 'content-type': 'application/json' })
      return void response.end('{"error":{"message":"response_format.type must be text"}}')
    }
    if (one.messages.at(-1)?.content.includes('submit_review')) return call(response, 'submit_review', answer())
    stream(response, { content: 'Seen.' })
  }
  const { view, asked: questions } = await review()
  expect(view).toMatchObject({ state: 'COMPLETED', verdict: 'ready' })
  expect(questions.map(isForm)).toEqual([false, true, false])
})

test('a model that refuses is asked once more in a fresh session that is told so, and then it is not approved', async () => {
  judge = (one, response) =>
    stream(response, isForm(one) ? { refusal: 'I will not judge this.' } : { content: 'Seen.' })
  const { view, asked: questions } = await review()
  expect(view).toMatchObject({ state: 'COMPLETED', verdict: 'unparseable', pr_ready: false, issues: [] })
  expect(view.detail).toContain('there is no answer: the model refused: I will not judge this.')
  expect(questions.map(({ messages }) => messages.length)).toEqual([2, 4, 2, 4])
  expect(questions[2]?.messages[1]?.content).toContain('An earlier answer could not be used: there is no answer')
})
