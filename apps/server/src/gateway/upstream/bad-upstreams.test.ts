import { describe, expect, test } from 'vitest'
import { errorOf, json, KEY, openStream, readerOf, sse, startWorld, type Upstream } from '../testing/gateway-world.ts'

/* Repeats the tests of chat completions about endpoints that behave badly, in the APIs of Codex and Claude Code. */

const ANTHROPIC_KEY = 'ak-canary-9876543210'

const apis = [
  {
    path: '/v1/responses',
    key: 'OPENAI_API_KEY',
    url: 'OPENAI_BASE_URL',
    piece: sse({ type: 'response.output_text.delta', output_index: 0, delta: 'hm' }),
    failed: /^event: error\ndata: \{"type":"error","code":"model_silent","message":".*sent nothing for 120 s/,
  },
  {
    path: '/v1/messages',
    key: 'ANTHROPIC_API_KEY',
    url: 'ANTHROPIC_BASE_URL',
    piece: sse({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hm' } }),
    failed: /^event: error\ndata: \{"type":"error","error":\{"message":".*sent nothing for 120 s/,
  },
]

describe.each(apis)('an endpoint for $path that', ({ path, key, url, piece, failed }) => {
  const ask = async (upstream: Upstream) => {
    const behind = await startWorld(upstream)
    const world = await startWorld(() => expect.unreachable('another endpoint was called'), {
      options: {
        upstream: { baseUrl: `${behind.endpoint}/v1`, apiKey: KEY, model: 'gpt-test' },
        anthropic: { baseUrl: behind.endpoint, apiKey: ANTHROPIC_KEY },
      },
    })
    const body = { model: 'a-model', stream: true, input: 'hi', messages: [] }
    return { world, behind, response: await world.post(path, body) }
  }
  const answering =
    (status: number, body: unknown, headers: Record<string, string> = {}): Upstream =>
    (response) =>
      json(response, body, status, headers)

  test.each([
    ['refuses the key', answering(401, { error: { message: 'no' } }), 401, `check ${key}`],
    [
      'does not know the model',
      answering(404, { error: { message: 'no such model' } }),
      404,
      'check "model" in beadloom',
    ],
    ['is a web page', answering(200, '<html>hello</html>'), 502, `check that ${url} is the address of an API`],
    ['is broken for good', answering(500, { error: { message: 'oh' } }), 500, 'gave up after 4 calls'],
  ])('%s is reported in a sentence that says what to do, and not to ask again', async (_, upstream, status, words) => {
    const { world, response } = await ask(upstream)
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([status, 'false'])
    const { message } = await errorOf(response)
    expect(message).toContain(words)
    expect(world.problems.at(-1)).toBe(message)
  })

  test('names a time until which it is overloaded is asked again then', async () => {
    let calls = 0
    const { world, response } = await ask((answer) => {
      calls += 1
      if (calls > 1) return void openStream(answer).end(piece)
      const date = new Date(Date.UTC(2026, 0, 15, 12) + 4000).toUTCString()
      json(answer, { error: { message: 'slowly' } }, 429, { 'retry-after': date })
    })
    expect([response.status, await response.text()]).toEqual([200, piece])
    expect(world.clock.slept).toEqual([4000])
    expect(world.retries).toEqual(['rate_limited'])
  })

  test('breaks off in the middle cuts the answer, so nobody takes it for whole', async () => {
    const { world, response } = await ask((answer) => void openStream(answer).write(piece, () => answer.destroy()))
    const reader = readerOf(response)
    expect(await reader.next()).toBe(piece)
    await expect(reader.next()).rejects.toThrow()
    expect(world.problems).toEqual([expect.stringMatching(/broke off in the middle/)])
  })

  test('falls silent is given up in the words of its API', async () => {
    const { world, response } = await ask((answer) => void openStream(answer).write(piece))
    const reader = readerOf(response)
    expect(await reader.next()).toBe(piece)
    world.clock.advance(120_000)
    expect(await reader.next()).toMatch(failed)
    expect(await reader.next()).toBeNull()
  })
})
