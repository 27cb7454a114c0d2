import { InvalidInput } from '@beadloom/core/records/ids.ts'
import { describe, expect, test } from 'vitest'
import { createGateway } from './create-gateway.ts'
import { completion, errorOf, json, KEY, startWorld, type Upstream } from './testing/gateway-world.ts'
import { TestClock } from './testing/test-clock.ts'

const answers: Upstream = (response) => json(response, completion('hi', { prompt_tokens: 9, completion_tokens: 2 }))
const never: Upstream = () => expect.unreachable('the endpoint was called')

describe('a request to the endpoint', () => {
  test('is the caller’s request with the server’s key and model, and nothing else of the caller’s own', async () => {
    const world = await startWorld(answers)
    const headers = {
      authorization: 'Bearer caller',
      'x-api-key': 'caller',
      cookie: 'beadloom=1',
      'x-forwarded-for': '10.0.0.1',
      'openai-organization': 'org-x',
      'openai-beta': 'responses=experimental',
    }
    const response = await world.ask({ model: 'gpt-expensive', temperature: 0 }, { headers })
    expect(response.status).toBe(200)
    const [sent] = world.received
    expect(sent).toMatchObject({
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'gpt-test', temperature: 0, messages: [{ role: 'user', content: 'hello' }] },
      headers: { authorization: `Bearer ${KEY}`, 'openai-beta': 'responses=experimental', 'user-agent': 'beadloom' },
    })
    for (const name of ['x-api-key', 'cookie', 'x-forwarded-for', 'openai-organization']) {
      expect(sent?.headers).not.toHaveProperty(name)
    }
    expect(world.usages).toEqual([{ model: 'gpt-test', input: 9, output: 2, known: true }])
  })

  test('names another model only if it is a sub-agent’s, and the project’s base branch does', async () => {
    const world = await startWorld(answers, { who: { model: 'gpt-project', models: ['gpt-small', 'scripted-not'] } })
    const headers = { 'content-type': 'application/json', 'x-beadloom-agent': 'small' }
    for (const model of ['gpt-small', 'gpt-expensive', 'gpt-project']) await world.ask({ model }, { headers })
    await world.ask({ model: 'gpt-small' })
    const names = world.received.map(({ body }) => (body as { model: string }).model)
    expect(names).toEqual(['gpt-small', 'gpt-project', 'gpt-project', 'gpt-project'])
    expect(world.gateway.nameOf('gpt-small')).toBe('gpt-small')
    expect(world.gateway.nameOf(null)).toBe('gpt-test')
  })

  test('names the project’s model rather than the server’s', async () => {
    const world = await startWorld(answers, { who: { model: 'gpt-project' } })
    await world.ask()
    expect(world.received[0]?.body).toMatchObject({ model: 'gpt-project' })
  })

  test('carries no key if a local server wants none', async () => {
    const behind = await startWorld(answers)
    const upstream = { baseUrl: `${behind.endpoint}/v1`, apiKey: null, model: 'llama' }
    const world = await startWorld(never, { options: { upstream } })
    expect((await world.ask()).status).toBe(200)
    expect(behind.received[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is passed on for Responses and, with its own key, for Anthropic’s API', async () => {
    const behind = await startWorld((response, { url }) => {
      const usage = { input_tokens: 5, output_tokens: 6 }
      if (url.includes('count_tokens')) json(response, { input_tokens: 77 })
      else json(response, url.includes('messages') ? { content: [], usage } : { output: [], usage })
    })
    const upstream = { baseUrl: `${behind.endpoint}/v1`, apiKey: KEY, model: 'gpt-test' }
    const anthropic = { baseUrl: behind.endpoint, apiKey: 'ak-canary-9876543210' }
    const world = await startWorld(never, { options: { upstream, anthropic } })
    expect((await world.post('/v1/responses', { input: 'hi' })).status).toBe(200)
    const headers = { 'x-api-key': 'caller', 'anthropic-beta': 'effort-2025-11-24' }
    expect((await world.post('/v1/messages?beta=true&x=1', { model: 'claude-x' }, { headers })).status).toBe(200)
    expect(await (await world.post('/v1/messages/count_tokens', { model: 'claude-x' })).json()).toEqual({
      input_tokens: 77,
    })
    expect(behind.received.map(({ url }) => url)).toEqual([
      '/v1/responses',
      '/v1/messages?beta=true',
      '/v1/messages/count_tokens',
    ])
    expect(behind.received[1]).toMatchObject({
      headers: {
        'x-api-key': anthropic.apiKey,
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'effort-2025-11-24',
      },
      body: { model: 'claude-x' },
    })
    expect(behind.received[1]?.headers).not.toHaveProperty('authorization')
    expect(world.usages.map(({ model, input, output }) => [model, input, output])).toEqual([
      ['gpt-test', 5, 6],
      ['claude-x', 5, 6],
    ])
  })
})

describe('the gateway itself refuses', () => {
  test('a model that is not configured, with the setting to change', async () => {
    const world = await startWorld(never, { options: { upstream: null } })
    const response = await world.ask()
    expect(response.status).toBe(404)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await errorOf(response)).toMatchObject({
      code: 'no_model',
      message: expect.stringMatching(/set OPENAI_API_KEY .*scripted/),
    })
    expect(await errorOf(await world.post('/v1/messages', {}))).toMatchObject({ code: 'no_anthropic' })
    expect(world.problems).toHaveLength(2)
  })

  test('a call without a budget, in a way that its client does not retry', async () => {
    const world = await startWorld(never, { who: { usedUp: () => ({ scope: 'execution', limit: 5000 }) } })
    const response = await world.ask()
    expect(response.status).toBe(400)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await errorOf(response)).toMatchObject({ code: 'budget_exhausted', type: 'insufficient_quota' })
    expect(world.problems).toEqual([expect.stringContaining('limits.maxTokens')])
    expect(world.refusals).toEqual([{ scope: 'execution', limit: 5000 }])
  })

  test('a body that is too large, announced or not', async () => {
    const world = await startWorld(never, { options: { bounds: { requestBytes: 1000 } } })
    const large = JSON.stringify({ messages: 'x'.repeat(2000) })
    const announced = await world.post('/v1/chat/completions', large)
    expect([announced.status, (await errorOf(announced)).code]).toEqual([413, 'request_too_large'])
    const body = new Blob([large]).stream()
    const streamed = await fetch(`${world.url}/v1/chat/completions`, { method: 'POST', body, duplex: 'half' })
    expect([streamed.status, (await errorOf(streamed)).code]).toEqual([413, 'request_too_large'])
  })

  test.each(['', 'not json', '[]', 'null', '"text"'])('the body %j', async (body) => {
    const world = await startWorld(never)
    expect((await world.post('/v1/chat/completions', body)).status).toBe(400)
  })

  test.each([
    ['POST', '/v1/embeddings', 404],
    ['POST', '/v1/chat/completions/../../admin', 404],
    ['POST', '//v1/chat/completions', 404],
    ['POST', '/v1/__proto__', 404],
    ['GET', '/v1/chat/completions', 405],
    ['POST', '/v1/models', 405],
  ])('%s %s', async (method, path, status) => {
    const world = await startWorld(never)
    const response = await fetch(world.url + path, { method })
    expect(response.status).toBe(status)
    expect((await errorOf(response)).message).not.toBe('')
  })
})

test('the list of models names the one that will be used', async () => {
  const list = async (world: Awaited<ReturnType<typeof startWorld>>) => (await fetch(`${world.url}/v1/models`)).json()
  expect(await list(await startWorld(never))).toMatchObject({ object: 'list', data: [{ id: 'gpt-test' }] })
  const scripted = await startWorld(never, { who: { model: 'scripted' } })
  expect(await list(scripted)).toMatchObject({
    data: [{ id: 'scripted', note: 'recorded run, no AI' }],
  })
  expect(await list(await startWorld(never, { options: { upstream: null } }))).toMatchObject({ data: [] })
})

describe('check', () => {
  const gatewayWith = (
    upstream: { baseUrl: string; apiKey: string; model: string | null } | null,
    anthropic: { baseUrl: string; apiKey: string; keyVariable: string } | null = null,
  ) =>
    createGateway({
      upstream,
      anthropic,
      scenariosFolder: '/nonexistent',
      clock: new TestClock(0),
      random: () => 0,
      log: { info() {}, warn() {}, error() {} },
    })
  const real = { baseUrl: 'https://models.example/v1', apiKey: KEY, model: null }

  test('says which model is used where, without the key and without a call', async () => {
    const check = await gatewayWith({ ...real, model: 'gpt-test' }).check(null, null)
    expect(check).toEqual({ ok: true, name: 'gpt-test', text: 'gpt-test at https://models.example', note: null })
  })

  test('says that only command lines of one API can use a model', async () => {
    const anthropic = { baseUrl: 'https://claude.example', apiKey: KEY, keyVariable: 'ANTHROPIC_API_KEY' }
    const only = gatewayWith(null, anthropic)
    expect((await only.check('claude-x', null)).text).toBe(
      "claude-x at https://claude.example, for command lines that speak Anthropic's API; OPENAI_API_KEY is not set",
    )
    expect(await only.check('claude-x:online', null, 'messages')).toMatchObject({
      ok: false,
      name: 'claude-x:online',
      text: expect.stringContaining('web_search'),
    })
  })

  test('says what is missing', async () => {
    expect(await gatewayWith(null).check('gpt-x', null)).toMatchObject({ ok: false, name: 'gpt-x' })
    expect((await gatewayWith(null).check(null, null)).text).toContain('OPENAI_API_KEY')
    expect(await gatewayWith(real).check(null, null)).toMatchObject({
      ok: false,
      text: expect.stringContaining('--model'),
    })
    expect(await gatewayWith(null).check('scripted', null)).toMatchObject({
      ok: false,
      text: expect.stringContaining('"scenario"'),
    })
    expect(await gatewayWith(null).check('scripted', 'nothing')).toMatchObject({
      ok: false,
      text: expect.stringContaining('nothing.json'),
    })
  })

  test.each([
    [{ ...real, baseUrl: 'models.example' }, 'OPENAI_BASE_URL'],
    [{ ...real, baseUrl: 'file:///etc/passwd' }, 'OPENAI_BASE_URL'],
    [{ ...real, baseUrl: `https://me:${KEY}@models.example` }, 'OPENAI_BASE_URL'],
    [{ ...real, apiKey: `${KEY}\nx: y` }, 'OPENAI_API_KEY'],
  ])('is never reached with settings that cannot be right (%#), and the key is not quoted', (upstream, variable) => {
    const error = (() => {
      try {
        return gatewayWith(upstream)
      } catch (caught) {
        return caught
      }
    })()
    expect(error).toBeInstanceOf(InvalidInput)
    expect(String(error)).toContain(variable)
    expect(String(error)).not.toContain(KEY)
  })
})
