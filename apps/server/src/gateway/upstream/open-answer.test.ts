import { createServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { completion, errorOf, json, KEY, startWorld, type Upstream } from '../testing/gateway-world.ts'

const good = completion('hi', { prompt_tokens: 1, completion_tokens: 1 })

/** An endpoint that fails in these ways, one after the other, and then answers. */
const failing =
  (...failures: Upstream[]): Upstream =>
  (response, received, call) =>
    (failures[call - 1] ?? ((answer) => json(answer, good)))(response, received, call)

const status =
  (
    code: number,
    headers: Record<string, string> = {},
    body: unknown = { error: { message: `no ${code}` } },
  ): Upstream =>
  (response) =>
    json(response, body, code, headers)
const broken: Upstream = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"cho', () => response.destroy())
}
const cut: Upstream = (response) => void response.destroy()
const switching: Upstream = (response) =>
  void response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')

describe('a transient error before the first byte', () => {
  test.each([
    ['429', status(429)],
    ['500', status(500)],
    ['503', status(503)],
    ['529', status(529)],
    ['a connection that breaks', cut],
    ['an empty answer', ((response) => void response.end()) satisfies Upstream],
    ['a broken answer', broken],
    ['another protocol', switching],
    ['an error within a 200', status(200, {}, { error: { message: 'busy', code: 503 } })],
  ])('is retried without the caller noticing: %s', async (_name, failure) => {
    const world = await startWorld(failing(failure, failure))
    const response = await world.ask()
    expect(await response.json()).toEqual(good)
    expect(world.clock.slept).toEqual([500, 1000])
    expect(world.usages).toHaveLength(1)
    expect(world.problems).toEqual([
      expect.stringContaining('trying again in 1 s (call 2 of 4)'),
      expect.stringContaining('trying again in 1 s (call 3 of 4)'),
    ])
  })

  test('is given up after three more calls', async () => {
    const world = await startWorld(failing(...Array.from({ length: 9 }, () => status(500))))
    const response = await world.ask()
    expect(response.status).toBe(500)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(world.received).toHaveLength(4)
    const error = await errorOf(response)
    expect(error).toMatchObject({ code: 'model_failed', type: 'server_error' })
    expect(error.message).toBe(`the model endpoint ${world.endpoint} answered 500: no 500; gave up after 4 calls`)
    expect(world.problems.at(-1)).toBe(error.message)
    expect(world.usages).toEqual([])
  })

  test('waits as long as Retry-After asks, in seconds or as a date', async () => {
    const date = new Date(Date.UTC(2026, 0, 15, 12) + 3000 + 4000).toUTCString()
    const world = await startWorld(failing(status(429, { 'retry-after': '3' }), status(503, { 'retry-after': date })))
    expect((await world.ask()).status).toBe(200)
    expect(world.clock.slept).toEqual([3000, 4000])
    expect(world.retries).toEqual(['rate_limited', 'model_failed'])
  })

  test('is not tried again if a broken endpoint asks for more time than a caller waits', async () => {
    const world = await startWorld(failing(status(500, { 'retry-after': '3600' })))
    const response = await world.ask()
    expect(response.status).toBe(500)
    expect(world.received).toHaveLength(1)
  })
})

describe('a final error is passed on at once and says what to do', () => {
  test.each([
    ['401', status(401), 401, 'model_unauthorized', /check OPENAI_API_KEY/],
    ['403', status(403), 403, 'model_unauthorized', /check OPENAI_API_KEY/],
    ['404', status(404), 404, 'model_not_found', /no 404; check "model" in beadloom.json \(now "gpt-test"\)/],
    [
      'a used-up plan',
      status(429, {}, { error: { message: 'quota', code: 'insufficient_quota' } }),
      429,
      'insufficient_quota',
      /billing/,
    ],
    [
      '400 in the words of the endpoint',
      status(400, {}, { error: { message: 'too long', code: 'context_length_exceeded' } }),
      400,
      'context_length_exceeded',
      /too long/,
    ],
    ['a redirect', status(302, { location: 'http://169.254.169.254/' }), 502, 'model_redirects', /OPENAI_BASE_URL/],
    ['a web page', status(200, {}, '<html>hello</html>'), 502, 'model_garbage', /not of a web page/],
    ['other JSON', status(200, {}, { hello: 1 }), 502, 'model_garbage', /not a model's answer/],
    ['no object', status(200, {}, 'null'), 502, 'model_garbage', /not a model's answer/],
  ])('%s', async (_name, failure, code, word, message) => {
    const world = await startWorld(failing(failure))
    const response = await world.ask()
    expect(response.status).toBe(code)
    const error = await errorOf(response)
    expect(error.code).toBe(word)
    expect(error.message).toMatch(message)
    expect(world.received).toHaveLength(1)
    expect(world.problems).toEqual([error.message])
    expect(world.usages).toEqual([])
  })
})

test('a missing endpoint is reported, with the variable to check', async () => {
  const upstream = { baseUrl: `http://127.0.0.1:${await freePort()}/v1`, apiKey: KEY, model: 'gpt-test' }
  const world = await startWorld(() => {}, { options: { upstream } })
  const response = await world.ask()
  expect(response.status).toBe(502)
  const error = await errorOf(response)
  expect(error.code).toBe('model_unreachable')
  expect(error.message).toMatch(/^cannot reach .*connection refused.*check OPENAI_BASE_URL.*gave up after 4 calls$/)
})

test('an answer in one piece that breaks off is asked for again, and reported as incomplete', async () => {
  const world = await startWorld((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"id":"an-answ', () => response.destroy())
  })
  const error = await errorOf(await world.ask())
  expect(error.message).toBe(
    `the model's answer broke off in the middle (connection closed): check ${world.endpoint} and the network; gave up after 4 calls`,
  )
})

test('an endpoint that never answers is given up, and its connection closed', async () => {
  const arrived = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const world = await startWorld((response) => {
    response.on('close', closed.resolve)
    arrived.resolve()
  })
  const pending = world.ask()
  await arrived.promise
  world.clock.advance(290_000)
  const response = await pending
  expect([response.status, (await errorOf(response)).message]).toEqual([
    504,
    `the model endpoint ${world.endpoint} did not answer within 290 s`,
  ])
  await closed.promise
  expect(world.received).toHaveLength(1)
  expect(world.usages).toEqual([{ model: 'gpt-test', input: expect.any(Number), output: 0, known: false }])
})

test('a caller that hangs up while the gateway waits ends the calls', async () => {
  const world = await startWorld(failing(status(500, { 'retry-after': '120' })))
  const hangUp = new AbortController()
  const pending = world.ask({}, { signal: hangUp.signal })
  await expect.poll(() => world.problems).toHaveLength(1)
  hangUp.abort()
  await expect(pending).rejects.toThrow()
  world.clock.advance(120_000)
  expect(world.received).toHaveLength(1)
  expect(world.problems).toHaveLength(1)
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
])('an answer that is compressed with %s unasked arrives as text', async (coding, compress) => {
  const text = JSON.stringify(good)
  const world = await startWorld((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(compress(text))
  })
  const response = await world.ask()
  expect([response.headers.get('content-encoding'), await response.text()]).toEqual([null, text])
  expect(world.received[0]?.headers['accept-encoding']).toBe('identity')
})

test('successive calls use the same connection to the endpoint, and a broken one is not used again', async () => {
  const ports: (number | undefined)[] = []
  const world = await startWorld((response, _received, call) => {
    ports.push(response.socket?.remotePort)
    if (call === 3) response.destroy()
    else json(response, good)
  })
  for (let call = 0; call < 3; call++) expect(await (await world.ask()).json()).toEqual(good)
  expect(ports).toHaveLength(4)
  expect(new Set(ports.slice(0, 3)).size).toBe(1)
  expect(ports[3]).not.toBe(ports[2])
})

async function freePort(): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return typeof address === 'object' && address ? address.port : 1
}
