// @suite policy-long
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { afterEach, expect, test } from 'vitest'
import { World } from '../support/world.ts'

/* A model that is busy for a while is parked for every session, and everything continues by itself afterwards. */

const BUSY_SECONDS = 12

let world: World | undefined
let model: Server | undefined
afterEach(async () => {
  await world?.stop()
  model?.closeAllConnections()
  model?.close()
})

/** Answers each call by its number, from 1. */
async function startModel(answer: (response: ServerResponse, call: number) => void): Promise<string> {
  let calls = 0
  model = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(response, ++calls))
  })
  await new Promise<void>((resolve) => model?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
}

function busy(response: ServerResponse): void {
  response.writeHead(429, { 'content-type': 'application/json', 'retry-after': `${BUSY_SECONDS}` })
  response.end('{"error":{"message":"too many requests of yours"}}')
}

function say(response: ServerResponse, delta: object, finish: string): void {
  const chunk = { id: 'r', object: 'chat.completion.chunk', created: 1, model: 'test-model' }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const choice of [
    { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finish },
  ]) {
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

const write = {
  tool_calls: [
    {
      index: 0,
      id: 'c1',
      type: 'function',
      function: { name: 'bash', arguments: JSON.stringify({ command: 'echo done > "work-$RANDOM$RANDOM.txt"' }) },
    },
  ],
}

test('Beadloom waits for a model that asks to wait, new starts wait in the queue and say so, and all beads complete by themselves', async () => {
  const asked: number[] = []
  const address = await startModel((response, call) => {
    asked.push(call)
    if (call === 1) busy(response)
    // After the wait: two calls for each bead, one that works and one that ends.
    else if (call % 2 === 0) say(response, write, 'tool_calls')
    else say(response, { content: 'It is done.' }, 'stop')
  })
  const started = await World.start({
    engine: 'process',
    env: { OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: address },
    flags: { model: 'test-model', slots: '2' },
  })
  world = started
  const verification = { proveBase: false } // there are no files for the test command before the first bead
  const config = { techStack: ['Shell'], test: 'ls work-*.txt', verification, limits: { inactivityTimeoutSeconds: 10 } }
  await started.addProject('p', { 'beadloom.json': JSON.stringify(config) }, [
    { id: 'p-1', title: 'First' },
    { id: 'p-2', title: 'Second' },
  ])

  const first = await started.queue('p', 'p-1')
  await started.until(async () => (await started.events(first.id)).some(({ type }) => type === 'model_parked'))
  const second = await started.queue('p', 'p-2')
  const card = async () => (await started.get<{ items: BeadCard[] }>('/api/projects/p/beads')).items
  await started.until(async () => (await card()).some(({ reason }) => reason?.code === 'model_parked'))
  const waiting = (await card()).find(({ id }) => id === 'p-2')?.reason
  expect(waiting?.text).toMatch(/^the model asked to wait until \d\d:\d\d:\d\d UTC \(too many requests\)$/)
  const status = await started.get<ServerStatus>('/api/status')
  expect(status.queue).toEqual([expect.objectContaining({ execution: second.id, reason: waiting })])
  expect(status.slots).toEqual({ total: 2, used: 1 })
  await started.until(async () =>
    /asks to wait until/.test((await started.get<ServerStatus>('/api/status')).model.text),
  )
  expect(asked).toEqual([1])

  for (const { id } of [first, second])
    expect(await started.ended(id)).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  const { figures } = await started.get<ServerStatus>('/api/status')
  expect(figures).toMatchObject({
    ended: [{ kind: 'work', state: 'COMPLETED', reason: null, count: 2 }],
    retries: [{ kind: 'work', layer: 'api_call', reason: 'rate_limited', count: 1 }],
    averageRetries: { apiCall: 0.5, execution: 0, attempt: 0, followUp: 0 },
    successRate: 1,
    firstEvent: { count: 2 },
    queue: { count: 2 },
  })
  const metrics = await fetch(`${started.server.url}/metrics`, {
    headers: { authorization: `Bearer ${started.server.token}` },
  }).then((response) => response.text())
  expect(metrics).toContain(
    'beadloom_retries_total{kind="work",layer="api_call",reason="rate_limited",complex="false"} 1\n',
  )
})
