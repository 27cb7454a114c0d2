import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { HostedTool } from './hosted-tools.ts'
import { passedHeaders, passRequest, type RequestApi } from './pass-request.ts'

function passText(api: RequestApi, text: string, open: readonly HostedTool[] = [], set: Record<string, string> = {}) {
  const { edits, dropped, refused } = passRequest(api, text, { open, set })
  let [out, at] = ['', 0]
  for (const edit of edits) {
    expect(edit.from).toBeGreaterThanOrEqual(at)
    out += text.slice(at, edit.from) + edit.text
    at = edit.to
  }
  return { out: out + text.slice(at), dropped, refused: refused?.what ?? null }
}
const pass = (api: RequestApi, body: object, open: readonly HostedTool[] = []) => {
  const { out, ...rest } = passText(api, JSON.stringify(body), open)
  return { body: JSON.parse(out) as Record<string, unknown>, ...rest }
}
const refusedOf = (api: RequestApi, body: object) => pass(api, body).refused

const says = (part: object) => ({ messages: [{ role: 'user', content: [part] }] })
const asks = (part: object) => ({ input: [{ role: 'user', content: [part] }] })

describe("an agent's request", () => {
  type Sent = { url: string; headers: Record<string, string>; body: Record<string, unknown> }
  const sent = (name: string): Sent =>
    JSON.parse(readFileSync(new URL(`../../../../test/samples/agent-requests/${name}.json`, import.meta.url), 'utf8')) as Sent // prettier-ignore

  test.each([
    ['codex-unknown', 'responses', ['tool web_search', 'client_metadata']],
    ['codex-gpt-5.5', 'responses', ['tool web_search', 'client_metadata']],
    ['codex-gpt-6-sol', 'responses', ['client_metadata']],
    ['claude', 'messages', ['metadata']],
    ['opencode', 'chat', []],
    ['opencode-title', 'chat', []],
    ['pi', 'chat', []],
  ] as const)('of %s arrives whole except for %3$j', (name, api, dropped) => {
    const { headers, body } = sent(name)
    const passed = pass(api, body)
    expect(passed).toMatchObject({ refused: null, dropped })
    const { client_metadata: _, metadata: __, ...wanted } = body
    const tools = body['tools'] as { type?: string }[] | undefined
    if (tools) wanted['tools'] = tools.filter(({ type }) => type !== 'web_search')
    expect(passed.body).toEqual(wanted)
    const { headers: given, dropped: none } = passedHeaders(api, headers, [])
    expect(none).toEqual([])
    expect(given['anthropic-beta']).toBe(headers['anthropic-beta'])
  })

  test('is byte for byte the same if nothing has to be removed', () => {
    const text =
      '{ "model" : "m",\n"messages":[ {"role":"user","content":"\\u00e9 é \\/"} ] ,"temperature":1.0,"stream":false}'
    expect(passText('chat', text).out).toBe(text)
    expect(passText('messages', text).out).toBe(text)
  })
})

describe('a field is left out and named', () => {
  test.each([
    ['chat', { service_tier: 'priority' }, 'service_tier'],
    ['chat', { store: true }, 'store'],
    ['chat', { metadata: { a: 'b' } }, 'metadata'],
    ['chat', { user: 'somebody' }, 'user'],
    ['chat', { web_search_options: {}, search_parameters: { mode: 'on' } }, 'web_search_options'],
    ['chat', { plugins: [{ id: 'web' }] }, 'plugins'],
    ['chat', { api_base: 'https://evil.example', extra_headers: { a: 'b' } }, 'api_base'],
    ['chat', { models: ['dear'], route: 'fallback' }, 'models'],
    ['chat', { modalities: ['audio'], audio: { voice: 'x' } }, 'modalities'],
    ['responses', { background: true }, 'background'],
    ['responses', { service_tier: 'priority' }, 'service_tier'],
    ['responses', { store: true }, 'store'],
    ['responses', { include: ['web_search_call.results'] }, 'include web_search_call.results'],
    ['responses', { context_management: [{ type: 'compaction' }] }, 'context_management'],
    ['responses', { tool_choice: { type: 'mcp', server_label: 'x' } }, 'tool choice mcp'],
    ['messages', { service_tier: 'auto' }, 'service_tier'],
    ['messages', { speed: 'fast' }, 'speed'],
    ['messages', { fallbacks: [{ model: 'dear' }] }, 'fallbacks'],
    ['messages', { container: 'c' }, 'container'],
    ['messages', { betas: ['mcp-client-2025-04-04'] }, 'beta mcp-client-2025-04-04'],
    ['messages', { context_management: { edits: [{ type: 'compact_20260112' }] } }, 'context edit compact_20260112'],
    ['count', { metadata: { user_id: 'x' } }, 'metadata'],
  ] as const)('in a request of %s: %j', (api, more, name) => {
    const passed = pass(api, { model: 'm', ...more })
    expect(passed.dropped).toContain(name)
    expect(passed.refused).toBe(null)
    const { context_management: edits, ...rest } = passed.body
    expect(rest).toEqual({ model: 'm', ...(api === 'responses' && { store: false }) })
    expect(edits ?? {}).toEqual({})
  })

  test('or, if it is an empty option, left out silently', () => {
    const none = { model: 'm', background: false, metadata: null, previous_response_id: null, service_tier: '' }
    expect(pass('responses', none)).toEqual({ body: { model: 'm', store: false }, dropped: [], refused: null })
    expect(pass('messages', { model: 'm', mcp_servers: [] })).toEqual({
      body: { model: 'm' },
      dropped: [],
      refused: null,
    })
  })

  test('if it is a tool that the endpoint runs, or has an unknown name', () => {
    const own = { type: 'function', name: 'run', parameters: {} }
    const tools = [
      { type: 'mcp', server_url: 'https://evil.example', server_label: 'x' }, own, { type: 'web_search' },
      { type: 'web_search_preview_2025_03_11' }, { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'file_search', vector_store_ids: ['x'] }, { type: 'image_generation' }, { type: 'shell' },
      { type: 'computer_use_preview' }, { type: 'programmatic_tool_calling' }, { type: 'Web_Search' }, { type: ['function'] },
      { name: 'untyped' }, 'web_search', { type: 'custom', name: 'patch', format: { type: 'text' } }, { type: '__proto__' },
      { type: 'namespace', name: 'n', description: '', tools: [{ type: 'mcp', server_url: 'https://evil.example' }, own] },
    ] // prettier-ignore
    const passed = pass('responses', { tools, input: [{ type: 'additional_tools', role: 'developer', tools }] })
    const left = [own, tools[14], { type: 'namespace', name: 'n', description: '', tools: [own] }]
    expect(passed.body).toEqual({ tools: left, input: [{ type: 'additional_tools', role: 'developer', tools: left }], store: false }) // prettier-ignore
    expect(passed.dropped).toEqual(expect.arrayContaining(['tool mcp', 'tool web_search', 'tool code_interpreter', 'tool with name', 'tool __proto__'])) // prettier-ignore
  })

  test('together with fields that need it', () => {
    const chat = {
      tools: [{ type: 'web_search' }, { google_search: {} }],
      tool_choice: 'required',
      parallel_tool_calls: true,
      n: 1,
    }
    expect(pass('chat', chat).body).toEqual({ n: 1 })
    const messages = {
      tool_choice: { type: 'tool', name: 'web_search' },
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    }
    expect(pass('messages', messages)).toEqual({ body: {}, dropped: ['tool web_search_20250305'], refused: null })
  })

  test('if it is in a message and unknown', () => {
    const passed = pass('chat', { messages: [{ role: 'user', content: 'x', fetch: 'http://evil.example' }] })
    expect(passed).toEqual({
      body: { messages: [{ role: 'user', content: 'x' }] },
      dropped: ['messages.fetch'],
      refused: null,
    })
  })

  test('and if two members have one name the last stays, wherever they are', () => {
    const url = '"https://evil.example/x.png"'
    const twice = `{"tools":[{"type":"mcp","type":"function","function":{"name":"a"}}],"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":${url},"url":"data:,"},"type":"text","text":"x"}],"content":[]}],"tools":[]}`
    const passed = passText('chat', twice)
    expect(passed.out).toBe('{"messages":[{"role":"user","content":[]}],"tools":[]}')
    expect(passed.dropped).toEqual(['tools twice', 'messages.content twice'])
    const inside = passText(
      'chat',
      `{"messages":[{"content":[{"type":"image_url","image_url":{"url":${url},"url":"data:,"}}]}]}`,
    )
    expect(inside.out).not.toContain('evil')
    const escaped = passText('messages', '{"mcp\\u005fservers":[{"url":"https://evil.example"}]}')
    expect(escaped.refused).toBe('mcp_servers')
  })
})

describe('a request is refused for', () => {
  const url = 'https://evil.example/secret'
  const source = (given: object) => ({ type: 'image', source: given })
  test.each([
    ['chat', says({ type: 'image_url', image_url: { url } })],
    ['chat', says({ type: 'image_url', image_url: url })],
    ['chat', says({ type: 'image_url', image_url: { url: ` \n${url}` } })],
    ['chat', says({ type: 'image_url', image_url: { url: 'HTTP://evil.example' } })],
    ['chat', says({ type: 'image_url', image_url: { url: '//evil.example' } })],
    ['chat', says({ type: 'image_url', image_url: { url: 'file:///etc/passwd' } })],
    ['chat', says({ type: 'image_url', image_url: [url] })],
    ['chat', says({ type: 'video_url', video_url: { url } })],
    ['chat', says({ type: 'file', file: { file_id: 'file-1' } })],
    ['chat', says({ type: 'file', file: { file_data: url } })],
    ['chat', says({ type: 'file', file: { file_data: `${' '.repeat(600)}${url}` } })],
    ['chat', says({ image_url: { url } })],
    ['chat', { messages: [{ role: 'user', content: { type: 'image_url', image_url: { url } } }] }],
    ['chat', { messages: [{ role: 'user', content: [[{ type: 'image_url', image_url: { url } }]] }] }],
    ['chat', { messages: [{ role: 'tool', content: [{ type: 'image_url', image_url: { url } }] }] }],
    ['chat', { messages: { role: 'user', content: url } }],
    ['responses', asks({ type: 'input_image', image_url: url })],
    ['responses', asks({ type: 'input_image', file_id: 'file-1' })],
    ['responses', asks({ type: 'input_file', file_url: url })],
    ['responses', asks({ type: 'input_file', file_data: url })],
    ['responses', asks({ type: 'input_file', file_id: 'file-1' })],
    [
      'responses',
      { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: url }] }] },
    ],
    [
      'responses',
      { input: [{ type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_file', file_url: url }] }] },
    ],
    ['responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['responses', { input: [{ id: 'msg_1' }] }],
    ['responses', { input: [{ type: null, id: 'msg_1' }] }],
    ['responses', { input: [{ type: 'mcp_approval_response', approval_request_id: 'x', approve: true }] }],
    ['responses', { input: [{ type: 'web_search_call', id: 'x' }] }],
    ['responses', { instructions: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] }],
    ['responses', { previous_response_id: 'resp_1' }],
    ['responses', { conversation: { id: 'conv_1' } }],
    ['responses', { prompt: { id: 'pmpt_1' } }],
    ['messages', says(source({ type: 'url', url }))],
    ['messages', says(source({ type: 'file', file_id: 'file_1' }))],
    ['messages', says(source({ url }))],
    ['messages', says({ type: 'document', source: { type: 'url', url } })],
    ['messages', says({ type: 'document', source: { type: 'content', content: [source({ type: 'url', url })] } })],
    ['messages', says({ type: 'tool_result', tool_use_id: 't', content: [source({ type: 'url', url })] })],
    ['messages', says({ type: 'tool_result', tool_use_id: 't', content: [{ type: 'tool_result', content: [] }] })],
    ['messages', says({ type: 'container_upload', file_id: 'file_1' })],
    ['messages', says({ type: 'tool_addition', tool: { type: 'mcp_toolset_reference', server_name: 'x' } })],
    ['messages', { system: [source({ type: 'url', url })] }],
    ['messages', { mcp_servers: [{ type: 'url', url, name: 'x' }] }],
    ['count', says(source({ type: 'url', url }))],
  ] as const)('%s %j', (api, body) => expect(refusedOf(api, body)).not.toBe(null))

  test.each([
    ['chat', { response_format: { type: 'json_schema', json_schema: { schema: { $ref: url } } } }],
    [
      'chat',
      { tools: [{ type: 'function', function: { name: 'a', parameters: { properties: { b: { $ref: url } } } } }] },
    ],
    ['responses', { text: { format: { type: 'json_schema', schema: { allOf: [{ $dynamicRef: url }] } } } }],
    ['messages', { tools: [{ name: 'a', input_schema: { $id: url, items: { $ref: 'other.json' } } }] }],
  ] as const)('a schema that is elsewhere: %s %j', (api, body) => expect(refusedOf(api, body)).toContain('reference'))

  test('no address of a schema is passed on, and the schema is otherwise unchanged', () => {
    const tool = (id: object) => ({ tools: [{ name: 'a', input_schema: { ...id, items: { $ref: '#/$defs/b' } } }] })
    const addresses = [url, 'HTTP:evil.example', ' \t//evil.example/a', 'ht\ntp://evil.example', 'file:/etc/passwd', 'x-y://a'] // prettier-ignore
    for (const address of addresses)
      for (const key of ['$id', 'id', '$schema'])
        expect(pass('messages', tool({ type: 'object', [key]: address }))).toEqual({
          body: tool({ type: 'object', [key]: '' }),
          dropped: [`tools.input_schema with an ${key} elsewhere`],
          refused: null,
        })
    const within = tool({ properties: { id: { $id: url }, $ref: { type: 'string' } }, enum: ['id', url, '$ref', url] })
    expect(pass('messages', within).body).toEqual(
      tool({ properties: { id: { $id: '' }, $ref: { type: 'string' } }, enum: ['id', url, '$ref', url] }),
    )
    for (const named of [{ $id: 'a' }, { id: '7' }, { $id: 'urn:a:b' }, { id: { type: 'string' } }])
      expect(pass('messages', tool(named))).toEqual({ body: tool(named), dropped: [], refused: null })
  })

  test('nothing of the kind if the value is the content itself', () => {
    const data = 'data:image/png;base64,iVBORw0KGgo='
    const good: [RequestApi, object][] = [
      ['chat', says({ type: 'image_url', image_url: { url: data, detail: 'low' } })],
      ['chat', says({ type: 'file', file: { file_data: 'JVBERi0xLjQ=', filename: 'https://a.pdf' } })],
      ['chat', says({ type: 'text', text: `see ${url}` })],
      ['responses', asks({ type: 'input_image', image_url: data })],
      ['responses', asks({ type: 'input_file', file_data: data, filename: 'a.pdf' })],
      ['responses', { input: 'https://example.org/ is text' }],
      ['messages', says(source({ type: 'base64', media_type: 'image/png', data: 'iVBO' }))],
      ['messages', says({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: url } })],
      ['messages', says({ type: 'search_result', source: url, title: 't', content: [{ type: 'text', text: 'x' }] })],
      ['messages', says({ type: 'tool_use', id: 't', name: 'WebFetch', input: { url } })],
      ['messages', { tools: [{ name: 'a', input_schema: { $schema: 'http://json-schema.org/draft-07/schema#', $ref: '#/$defs/a' } }] }],
    ] // prettier-ignore
    for (const [api, body] of good) {
      const passed = pass(api, body)
      expect(passed).toMatchObject({ dropped: [], refused: null })
      expect(passed.body).toEqual({ ...body, ...(api === 'responses' && { store: false }) })
    }
  })
})

test('a chat has one answer, and the values for a template that are known', () => {
  expect(pass('chat', { n: 1 })).toEqual({ body: { n: 1 }, dropped: [], refused: null })
  for (const n of [2, 128, '1', [1]]) expect(pass('chat', { n })).toEqual({ body: {}, dropped: ['n'], refused: null })
  const known = { enable_thinking: false, thinking: true, reasoning_effort: 'low' }
  for (const key of ['chat_template_kwargs', 'chat_template_args']) {
    const all = { ...known, chat_template: '{{ x }}', builtin_tools: ['browser'], tools: [] }
    expect(pass('chat', { [key]: all })).toMatchObject({
      body: { [key]: known },
      dropped: [`${key}.chat_template`, `${key}.builtin_tools`],
    })
    expect(pass('chat', { [key]: '{"chat_template":"x"}' })).toMatchObject({ body: {}, dropped: [key] })
  }
})

describe('a tool that the server’s owner has opened', () => {
  test('is passed on with its allowed options, and no other tool is', () => {
    const search = { type: 'web_search', search_context_size: 'low', user_location: { type: 'approximate' } }
    expect(pass('responses', { tools: [search, { type: 'image_generation' }] }, ['web_search'])).toEqual({
      body: { tools: [search], store: false },
      dropped: ['tool image_generation'],
      refused: null,
    })
    const ofAnthropic = { type: 'web_search_20250305', name: 'web_search', max_uses: 5, allowed_domains: ['a.example'] }
    expect(pass('messages', { tools: [ofAnthropic] }, ['web_search'])).toMatchObject({ body: { tools: [ofAnthropic] }, dropped: [] }) // prettier-ignore
    expect(pass('chat', { web_search_options: {} }, ['web_search']).body).toEqual({ web_search_options: {} })
  })

  test('does not bring files, networks or other models along', () => {
    const code = (container: unknown) => ({ tools: [{ type: 'code_interpreter', container }] })
    const passed = pass('responses', code({ type: 'auto', network_policy: { type: 'allowlist' } }), ['code_execution'])
    expect(passed.body['tools']).toEqual(code({ type: 'auto' }).tools)
    expect(pass('responses', code({ type: 'auto', file_ids: ['file-1'] }), ['code_execution']).refused).not.toBe(null)
    expect(pass('responses', code('cntr_1'), ['code_execution']).refused).not.toBe(null)
    const image = { tools: [{ type: 'image_generation', model: 'dear', input_image_mask: { image_url: 'http://x' } }] }
    expect(pass('responses', image, ['image_generation'])).toMatchObject({ dropped: ['tools.model'] })
    expect(pass('responses', image, ['image_generation']).refused).not.toBe(null)
  })

  test('has its beta, and every other name is left out', () => {
    const from = {
      'anthropic-beta': 'web-fetch-2025-09-10, effort-2025-11-24,fast-mode-2026-02-01,files-api-2025-04-14',
    }
    expect(passedHeaders('messages', from, [])).toEqual({
      headers: { 'anthropic-beta': 'effort-2025-11-24' },
      dropped: ['beta web-fetch-2025-09-10', 'beta fast-mode-2026-02-01', 'beta files-api-2025-04-14'],
    })
    expect(passedHeaders('messages', from, ['web_fetch']).headers).toEqual({ 'anthropic-beta': 'web-fetch-2025-09-10,effort-2025-11-24' }) // prettier-ignore
    expect(passedHeaders('messages', { 'anthropic-version': '2023-06-01', 'openai-beta': 'x' }, []).headers).toEqual({ 'anthropic-version': '2023-06-01' }) // prettier-ignore
    expect(passedHeaders('responses', { 'openai-beta': 'assistants=v2', 'anthropic-beta': 'x' }, [])).toEqual({ headers: {}, dropped: ['beta assistants=v2'] }) // prettier-ignore
  })
})
