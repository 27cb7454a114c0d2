import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { World } from '../support/world.ts'

/* The built-in agent against a model that behaves badly; the key never leaves the server. */
const KEY = 'sk-canary-0123456789abcdef'
let world: World | undefined
let model: Server | undefined
afterEach(async () => {
  await world?.stop()
  model?.closeAllConnections()
  model?.close()
})

async function worldWith(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<World> {
  model = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => model?.listen(0, '127.0.0.1', resolve))
  const { port } = model.address() as AddressInfo
  const started = await World.start({
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    flags: { model: 'test-model' },
  })
  world = started
  await started.addProject(
    'm',
    {
      'beadloom.json': JSON.stringify({ techStack: ['Shell'], test: 'true', limits: { executionTimeoutSeconds: 120 } }),
    },
    [{ id: 'm-1', title: 'Ask' }],
  )
  return started
}

const status =
  (code: number, body = '{"error":{"message":"as told"}}') =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(code, { 'content-type': 'application/json', 'retry-after': '0' }).end(body)

const cases: [string, (request: IncomingMessage, response: ServerResponse) => void, RegExp][] = [
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

test('a model that works gets the key from the server, the prompt as the user message, and its tokens are counted', async () => {
  const seen: { authorization: string | undefined }[] = []
  const reply = { id: 'r', object: 'chat.completion.chunk', created: 1, model: 'test-model' }
  const started = await worldWith((request, response) => {
    seen.push({ authorization: request.headers.authorization })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const chunk = (value: object) => response.write(`data: ${JSON.stringify({ ...reply, ...value })}\n\n`)
    chunk({
      choices: [
        { index: 0, delta: { role: 'assistant', content: 'BLOCKED: I was told nothing.' }, finish_reason: null },
      ],
    })
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    chunk({ choices: [], usage: { prompt_tokens: 120, completion_tokens: 7, total_tokens: 127 } })
    response.end('data: [DONE]\n\n')
  })
  const ended = await started.run('m', 'm-1')
  expect(ended).toMatchObject({
    state: 'BLOCKED',
    blockedReason: 'I was told nothing.',
    tokens: { input: 120, output: 7 },
  })
  expect(seen).toEqual([{ authorization: `Bearer ${KEY}` }])
})
