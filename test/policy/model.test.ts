// @suite policy-long
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { World } from '../support/world.ts'

/* The built-in agent against a model that behaves badly; the key never leaves the server. */
const KEY = 'sk-canary-0123456789abcdef'
let world: World | undefined
let model: Server | undefined

type Reply = (request: IncomingMessage, response: ServerResponse, body: string) => void
afterEach(async () => {
  await world?.stop()
  model?.closeAllConnections()
  model?.close()
})

async function worldWith(answer: Reply, test = 'true'): Promise<World> {
  model = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => answer(request, response, body))
  })
  await new Promise<void>((resolve) => model?.listen(0, '127.0.0.1', resolve))
  const { port } = model.address() as AddressInfo
  const started = await World.start({
    engine: 'process',
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    flags: { model: 'test-model' },
  })
  world = started
  await started.addProject(
    'm',
    {
      'beadloom.json': JSON.stringify({
        techStack: ['Shell'],
        test,
        verification: { proveBase: false },
        limits: { executionTimeoutSeconds: 120 },
      }),
    },
    [{ id: 'm-1', title: 'Ask' }],
  )
  return started
}

const status =
  (code: number, body = '{"error":{"message":"as told"}}') =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(code, { 'content-type': 'application/json', 'retry-after': '0' }).end(body)

const cases: [string, Reply, RegExp][] = [
  ['401', status(401), /OPENAI_API_KEY/],
  ['429 for ever', status(429), /429|rate|busy/i],
  ['500 for ever', status(500), /500|server error/i],
  [
    'garbage',
    (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>not a model</html>'),
    /not|understand|garbage|JSON/i,
  ],
  ['nothing', (_, response) => void response.destroy(), /connection|answer|reach/i],
]

for (const [what, answer, sentence] of cases) {
  test(`a model that answers ${what} ends the execution with a sentence that says so`, async () => {
    const started = await worldWith(answer)
    const ended = await started.run('m', 'm-1')
    expect(ended).toMatchObject({ state: 'FAILED' })
    expect(ended.detail).toMatch(sentence)
    const session = ended.sessions.find(({ kind }) => kind === 'work')
    const everything = JSON.stringify([ended, await started.events(ended.id)]) + (await started.log(session?.id ?? ''))
    expect(everything).not.toContain(KEY)
  })
}

test('a model whose every answer is cut off is asked six times for a step, whoever tries again, and the count is reported', async () => {
  let asked = 0
  const started = await worldWith((_, response) => {
    asked++
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const half = {
      id: 'r',
      choices: [{ index: 0, delta: { role: 'assistant', content: 'I am' }, finish_reason: null }],
    }
    response.write(`data: ${JSON.stringify(half)}\n\n`, () => response.destroy())
  })
  const ended = await started.run('m', 'm-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'agent_failed' })
  expect(ended.detail).toMatch(/broke off in the middle .*; this step was asked 6 times and no answer arrived whole/)
  expect(asked).toBe(6)
  const told = (await started.events(ended.id)).filter(({ type }) => type === 'model_problem')
  expect(told.map(({ data }) => /call \d of at most 6/.exec(JSON.stringify(data))?.[0] ?? 'asked 6 times')).toEqual([
    ...[1, 2, 3, 4, 5, 6].map((call) => `call ${call} of at most 6`),
    'asked 6 times',
  ])
})

/** Sends one streamed answer: text, a tool call, or both. */
function stream(response: ServerResponse, delta: object, finish: 'stop' | 'tool_calls'): void {
  const reply = { id: 'r', object: 'chat.completion.chunk', created: 1, model: 'test-model' }
  const chunk = (value: object) => response.write(`data: ${JSON.stringify({ ...reply, ...value })}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] })
  chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  chunk({ choices: [], usage: { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 } })
  response.end('data: [DONE]\n\n')
}

test('a retry is a new conversation, with the same system prompt and one message that begins with the same task; a call that failed for a moment is none', async () => {
  type Message = { role: string; content: string }
  const asked: Message[][] = []
  let failedOnce = false
  const started = await worldWith((_, response, body) => {
    if (!failedOnce) {
      failedOnce = true
      return status(503)(_, response)
    }
    const { messages } = JSON.parse(body) as { messages: Message[] }
    asked.push(messages)
    if (messages.length > 2) return stream(response, { content: 'It is written.' }, 'stop')
    const content = messages[1]?.content.includes('PREVIOUS ATTEMPT') ? 'right' : 'wrong'
    const call = { name: 'write_file', arguments: JSON.stringify({ path: 'answer.txt', content }) }
    stream(response, { tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: call }] }, 'tool_calls')
  }, 'grep -q right answer.txt || { echo "Error: the answer is $(cat answer.txt)"; exit 1; }')
  const ended = await started.run('m', 'm-1', { retryCount: 3, retryDelay: 60_000 })
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', attempt: 2, retryAttempt: 0, retryCount: 3 })
  expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(2)

  const openings = asked.filter(({ length }) => length === 2)
  expect(openings.map((messages) => messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user'],
  ])
  const [[system, task], [systemAgain, taskAgain]] = openings as [[Message, Message], [Message, Message]]
  expect(systemAgain).toEqual(system)
  const [original = ''] = task.content.split('=== BEGIN WORK ===')
  expect(taskAgain.content.startsWith(original.trimEnd())).toBe(true)
  expect(taskAgain.content).toContain('Error: the answer is wrong')
  expect(task.content).not.toContain('PREVIOUS ATTEMPT')
  // A token is about four characters.
  expect(taskAgain.content.length).toBeLessThan(4 * 1000)
})

test('a model that works gets the key from the server, the prompt as the user message, and its tokens are counted', async () => {
  const seen: { authorization: string | undefined }[] = []
  const started = await worldWith((request, response) => {
    seen.push({ authorization: request.headers.authorization })
    stream(response, { content: 'BLOCKED: I was told nothing.' }, 'stop')
  })
  const ended = await started.run('m', 'm-1')
  expect(ended).toMatchObject({
    state: 'BLOCKED',
    blockedReason: 'I was told nothing.',
    tokens: { input: 120, output: 7 },
  })
  expect(seen).toEqual([{ authorization: `Bearer ${KEY}` }])
})
