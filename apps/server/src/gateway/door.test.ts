import { gzipSync } from 'node:zlib'
import { request as rawRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { AGENT_HEADER } from '@beadloom/core/agents/step-header.ts'
import type { HostedTool } from '@beadloom/core/gateway/hosted-tools.ts'
import { errorOf, json, KEY, openStream, sse, startWorld, type Upstream } from './testing/gateway-world.ts'

/** Answers in the form of any API, as a stream when the request asks for one. */
const answers: Upstream = (response, { url, body }) => {
  const usage = { input_tokens: 5, output_tokens: 6, prompt_tokens: 5, completion_tokens: 6 }
  const whole = url.includes('count_tokens') ? { input_tokens: 7 } : { choices: [], output: [], content: [], usage }
  if ((body as { stream?: boolean }).stream !== true) return json(response, whole)
  openStream(response).end(sse({ type: 'message_delta', choices: [], usage }) + sse('[DONE]'))
}
type Who = { hosted?: readonly HostedTool[]; model?: string; models?: string[] }
async function door(upstream: Upstream = answers, hosted: readonly HostedTool[] = [], who: Who = {}, own = 'gpt-test') {
  const behind = await startWorld(upstream)
  const endpoint = { baseUrl: `${behind.endpoint}/v1`, apiKey: KEY, model: own }
  const anthropic = { baseUrl: behind.endpoint, apiKey: KEY }
  const world = await startWorld(() => expect.unreachable(), {
    who: { hosted, ...who },
    options: { upstream: endpoint, anthropic },
  })
  return { ...world, received: behind.received }
}
const paths = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages', count: '/v1/messages/count_tokens' } // prettier-ignore
const evil = 'https://evil.example/secret'
const streaming = [false, true]

describe('no part of a sandbox’s request leads past its network', () => {
  test.each(streaming)('with tools, stores and tiers of the endpoint (stream: %s)', async (stream) => {
    const world = await door()
    const own = { type: 'function', name: 'run', parameters: { type: 'object' } }
    const body = {
      model: 'x',
      input: 'hello',
      stream,
      tools: [
        { type: 'mcp', server_label: 'a', server_url: evil },
        { type: 'web_search' },
        { type: 'code_interpreter' },
        own,
      ],
      service_tier: 'priority',
      store: true,
      background: true,
      metadata: { to: evil },
    }
    expect((await world.post(paths.responses, body)).status).toBe(200)
    expect(world.received[0]?.body).toEqual({ model: 'gpt-test', input: 'hello', stream, tools: [own], store: false })
    expect(world.keptBack).toEqual([
      {
        dropped: [
          'tool mcp',
          'tool web_search',
          'tool code_interpreter',
          'service_tier',
          'store',
          'background',
          'metadata',
        ],
        refused: null,
      },
    ])
  })

  test('with a store that is the endpoint’s default', async () => {
    const world = await door()
    await world.post(paths.responses, '{"input":"a"}')
    await world.post(paths.responses, '{"input":"a","store":null}')
    await world.post(paths.responses, '{}')
    expect(world.received.map(({ text }) => text)).toEqual([
      '{"input":"a","model":"gpt-test","store":false}',
      '{"input":"a","store":false,"model":"gpt-test"}',
      '{"model":"gpt-test","store":false}',
    ])
  })

  test('with servers, tools and betas of Anthropic’s API', async () => {
    const world = await door()
    const own = { name: 'run', input_schema: { type: 'object' } }
    const headers = { 'anthropic-beta': 'mcp-client-2025-04-04,effort-2025-11-24, files-api-2025-04-14' }
    const tools = [{ type: 'web_fetch_20250910', name: 'web_fetch' }, { type: 'code_execution_20250825', name: 'code_execution' }, own] // prettier-ignore
    for (const path of [`${paths.messages}?beta=true&fetch=${evil}`, paths.count])
      expect((await world.post(path, { model: 'claude-x', tools, service_tier: 'auto' }, { headers })).status).toBe(200)
    for (const { headers: sent, body } of world.received) {
      expect(body).toEqual({ model: 'claude-x', tools: [own] })
      expect(sent['anthropic-beta']).toBe('effort-2025-11-24')
    }
    expect(world.received[0]?.url).toBe('/v1/messages?beta=true')
    expect(world.keptBack[0]?.dropped).toEqual(['query fetch', 'beta mcp-client-2025-04-04', 'beta files-api-2025-04-14', 'tool web_fetch_20250910', 'tool code_execution_20250825', 'service_tier']) // prettier-ignore
    const refused = await world.post(paths.messages, { model: 'claude-x', mcp_servers: [{ type: 'url', url: evil, name: 'a' }] }) // prettier-ignore
    expect(refused.status).toBe(400)
    expect(world.received).toHaveLength(2)
  })

  const image = { type: 'image', source: { type: 'url', url: evil } }
  const says = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })
  test.each([
    ['chat', says({ type: 'image_url', image_url: { url: evil } }), 'messages.content.image_url.url'],
    [
      'responses',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: evil }] }] },
      'input.content.image_url',
    ],
    [
      'responses',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: evil }] }] },
      'input.content.file_url',
    ],
    ['responses', { input: 'x', previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 'item item_reference'],
    ['messages', says(image), 'source url'],
    ['messages', says({ type: 'tool_result', tool_use_id: 't', content: [image] }), 'source url'],
    ['count', says({ type: 'document', source: { type: 'file', file_id: 'file_1' } }), 'source file'],
  ] as const)('%s is refused with %j', async (api, body, name) => {
    for (const stream of streaming) {
      const world = await door()
      const response = await world.post(paths[api], { model: 'claude-x', stream, ...body })
      expect(response.status).toBe(400)
      expect(response.headers.get('x-should-retry')).toBe('false')
      const text = await response.text()
      // Valid in the form of either API.
      expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error', code: 'not_passed_on', message: expect.stringContaining(name) as string } }) // prettier-ignore
      expect(world.received).toEqual([])
      expect(world.keptBack).toEqual([{ dropped: [], refused: name }])
      expect(world.usages).toEqual([])
    }
  })

  test('in disguise', async () => {
    const world = await door()
    const body = JSON.stringify({ model: 'claude-x', mcp_servers: [{ url: evil }] })
    const types = ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'] // prettier-ignore
    for (const type of types) {
      const response = await world.post(paths.messages, body, { headers: { 'content-type': type } })
      expect([type, (await errorOf(response)).code]).toEqual([type, 'not_passed_on'])
    }
    const coats: [string | Uint8Array<ArrayBuffer>, string][] = [
      [new Uint8Array(gzipSync(body)), 'gzip'],
      [new Uint8Array(Buffer.from(body, 'utf16le')), 'identity'],
      [`\ufeff${body}`, 'identity'],
      [`${body}\n${body}`, 'identity'],
      [`--x\r\n\r\n${body}\r\n--x--`, 'identity'],
    ]
    for (const [coat, encoding] of coats) {
      const headers = { 'content-encoding': encoding }
      const response = await fetch(world.url + paths.messages, { method: 'POST', body: coat, headers })
      expect((await errorOf(response)).code).toBe('bad_request')
    }
    expect(world.received).toEqual([])
  })

  test.each([
    ['GET', '/v1/responses/resp_1'],
    ['GET', '/v1/responses'],
    ['DELETE', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/resp_1/cancel'],
    ['POST', '/v1/responses/compact'],
    ['POST', '/v1/responses/'],
    ['POST', '/v1/responses/../files'],
    ['POST', '/v1/responses/..%2ffiles'],
    ['POST', '/v1/responses;x'],
    ['POST', '/v1/files'],
    ['GET', '/v1/files/file-1/content'],
    ['POST', '/v1/messages/batches'],
    ['POST', '/v1/%6dessages'],
    ['POST', 'http://evil.example/v1/messages'],
    ['POST', '/v1/conversations'],
    ['POST', '/v1/vector_stores'],
    ['PUT', '/v1/messages'],
    ['PATCH', '/v1/models'],
  ])('by %s %s', async (method, path) => {
    const world = await door()
    const { port } = new URL(world.url)
    const status = await new Promise((resolve, reject) => {
      const asked = rawRequest({ port, method, path, headers: { 'content-length': 2 } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      asked.on('error', reject)
      asked.end('{}')
    })
    expect([404, 405]).toContain(status)
    expect(world.received).toEqual([])
  })

  test("by a model's name that is more than a name", async () => {
    const world = await door()
    for (const model of ['a model', { id: 'x' }, 'x'.repeat(300)])
      expect((await errorOf(await world.post(paths.messages, { model }))).code).toBe('no_model')
    for (const model of ['claude-x:online', 'claude-x:ONLINE', 'perplexity/sonar', 'groq/compound'])
      for (const path of [paths.messages, paths.count])
        expect((await errorOf(await world.post(path, { model }))).code).toBe('not_passed_on')
    for (const model of ['claude-opus-5-5[1m]', 'maker/model:free', 'eu.anthropic.claude-v1:0'])
      expect((await world.post(paths.messages, { model })).status).toBe(200)
    expect(world.received).toHaveLength(3)
  })

  test('by a model that a repository names, unless the server has it too', async () => {
    const who = { model: 'gpt-5-search-api', models: ['maker/small:online'] }
    const world = await door(answers, [], who)
    for (const path of [paths.chat, paths.responses, paths.messages]) {
      const { code, message } = await errorOf(await world.post(path, { model: 'x' }))
      expect([code, message]).toEqual(['not_passed_on', expect.stringContaining('has not opened')])
      const asHelper = { headers: { [AGENT_HEADER]: 'helper' } }
      await world.post(path, { model: 'maker/small:online' }, asHelper)
      const refused = (name: string) => ({ dropped: [], refused: `model ${name}` })
      expect(world.keptBack.splice(0)).toEqual([refused('gpt-5-search-api'), refused('maker/small:online')])
    }
    expect(world.received).toEqual([])
    const asServer = await door(answers, [], who, 'gpt-5-search-api')
    expect((await asServer.post(paths.chat, { model: 'x' })).status).toBe(200)
  })

  test('by any header', async () => {
    const world = await door()
    const headers = {
      'openai-beta': 'assistants=v2',
      'x-beta': 'y',
      'anthropic-beta': 'mcp-client-2025-04-04',
      'openai-project': 'p',
    }
    await world.post(paths.chat, { messages: [] }, { headers })
    for (const name of Object.keys(headers)) expect(world.received[0]?.headers).not.toHaveProperty(name)
    expect(world.keptBack).toEqual([{ dropped: ['beta assistants=v2'], refused: null }])
  })
})

describe('a tool of the endpoint', () => {
  const usage = { input_tokens: 5, output_tokens: 6 }
  test('may be a model that has it built in, and each of its calls counts as at least one use', async () => {
    const chatUsage = { prompt_tokens: 5, completion_tokens: 6 }
    const who = { model: 'perplexity/sonar-pro' }
    let reports = {}
    const upstream: Upstream = (response) => json(response, { choices: [], usage: { ...chatUsage, ...reports } })
    const world = await door(upstream, ['web_search'], who)
    await world.post(paths.chat, { messages: [] })
    reports = { num_search_queries: 4 }
    await world.post(paths.chat, { messages: [] })
    expect(world.usages.map(({ hosted }) => hosted)).toEqual([{ web_search: 1 }, { web_search: 4 }])
    expect(world.keptBack).toEqual([])
    const runsCode = await door(upstream, ['web_search'], { model: 'groq/compound' })
    expect((await errorOf(await runsCode.post(paths.chat, { messages: [] }))).message).toContain('code_execution')
  })

  test('is passed on if it was opened, and its uses are counted', async () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 }
    const ran = { ...usage, server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 } }
    const world = await door((response) => json(response, { content: [], usage: ran }), ['web_search'])
    await world.post(paths.messages, { model: 'claude-x', tools: [search] })
    expect(world.received[0]?.body).toEqual({ model: 'claude-x', tools: [search] })
    expect(world.usages[0]).toMatchObject({ input: 5, output: 6, hosted: { web_search: 2 } })
    expect(world.keptBack).toEqual([])
  })

  test('is counted as the answer shows it, even if nobody opened it', async () => {
    const streams: [keyof typeof paths, object[], object][] = [
      ['messages', [
        { type: 'message_start', message: { usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', name: 'web_search' } },
        { type: 'message_delta', usage: { ...usage, server_tool_use: { web_search_requests: 3 } } },
      ], { web_search: 3 }],
      ['messages', [
        { type: 'content_block_start', content_block: { type: 'server_tool_use', name: 'code_execution' } },
        { type: 'content_block_start', content_block: { type: 'server_tool_use', name: 'tool_search_tool_regex' } },
        { type: 'message_delta', usage },
      ], { code_execution: 1 }],
      ['responses', [
        { type: 'response.output_item.done', item: { type: 'web_search_call' } },
        { type: 'response.output_item.done', item: { type: 'function_call' } },
        { type: 'response.output_item.done', item: { type: 'web_search_call' } },
        { type: 'response.completed', response: { usage, output: [{ type: 'web_search_call' }, { type: 'web_search_call' }] } },
      ], { web_search: 2 }],
      ['chat', [
        { choices: [{ delta: { content: 'a', annotations: [{ type: 'url_citation' }] } }] },
        { choices: [], usage: { prompt_tokens: 5, completion_tokens: 6 } },
      ], { web_search: 1 }],
    ] // prettier-ignore
    for (const [api, events, hosted] of streams) {
      const world = await door((response) => void openStream(response).end(events.map(sse).join('')))
      await (await world.post(paths[api], { model: 'claude-x', stream: true })).text()
      expect(world.usages[0]).toMatchObject({ input: 5, output: 6, hosted })
    }
    const whole = await door((response) => json(response, { output: [{ type: 'image_generation_call' }], usage }))
    await whole.post(paths.responses, { input: 'x' })
    expect(whole.usages[0]).toMatchObject({ hosted: { image_generation: 1 } })
    const none = await door()
    await none.post(paths.messages, { model: 'claude-x' })
    expect(none.usages[0]).not.toHaveProperty('hosted')
  })
})
