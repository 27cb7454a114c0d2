import type { ServerResponse } from 'node:http'
import { defaultGatewayBounds } from '../bounds.ts'
import { describe, expect, test } from 'vitest'
import {
  completion,
  delta,
  errorOf,
  json,
  KEY,
  openStream,
  readerOf,
  sse,
  startWorld,
  type Upstream,
} from '../testing/gateway-world.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const usage = sse({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } })
const stream = { stream: true }

describe('a streamed answer', () => {
  test('arrives byte for byte, as it comes, and its tokens are counted', async () => {
    const parts = [
      ': ping\r\n\r\n',
      delta('Hé'),
      delta('llo').slice(0, 20),
      delta('llo').slice(20),
      usage,
      sse('[DONE]'),
    ]
    const steps = parts.map(() => Promise.withResolvers<void>())
    const world = await startWorld(async (response) => {
      openStream(response)
      for (const [index, part] of parts.entries()) {
        await steps[index]?.promise
        response.write(part)
      }
      response.end()
    })
    steps[0]?.resolve()
    const response = await world.ask(stream)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = readerOf(response)
    for (const [index, part] of parts.entries()) {
      expect(await reader.next()).toBe(part) // the next part is not sent before this one has arrived
      steps[index + 1]?.resolve()
    }
    expect(await reader.next()).toBeNull()
    expect(world.usages).toEqual([{ model: 'gpt-test', input: 12, output: 3, known: true }])
    expect(world.received[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
    expect(world.problems).toEqual([])
  })

  test('keeps the caller’s other stream options', async () => {
    const world = await startWorld((response) => void openStream(response).end(usage))
    await (await world.ask({ ...stream, stream_options: { include_usage: false, include_obfuscation: false } })).text()
    expect(world.received[0]?.body).toMatchObject({
      stream_options: { include_usage: true, include_obfuscation: false },
    })
  })

  test('has its tokens estimated if the endpoint does not count them', async () => {
    const world = await startWorld((response) => void openStream(response).end(delta('x'.repeat(400))))
    await (await world.ask(stream)).text()
    expect(world.usages).toEqual([{ model: 'gpt-test', input: expect.any(Number), output: 100, known: false }])
  })

  test.each([delta('so far'), 'data: {"cho'])(
    'that breaks off after %j is cut, so an agent asks again',
    async (part) => {
      const world = await startWorld((response) => {
        openStream(response).write(part, () => response.destroy())
      })
      const reader = readerOf(await world.ask(stream))
      expect(await reader.next()).toBe(part)
      await expect(reader.next()).rejects.toThrow()
      expect(world.problems).toEqual([expect.stringMatching(/broke off in the middle.*connection closed/)])
      expect(world.received).toHaveLength(1)
      const output = part.startsWith('data: {"id') ? 2 : 0
      expect(world.usages).toEqual([{ model: 'gpt-test', input: expect.any(Number), output, known: false }])
    },
  )

  test("that is no model's stream is reported", async () => {
    const world = await startWorld((response) => void openStream(response).end('what is this'))
    expect(await (await world.ask(stream)).text()).toBe('what is this')
    expect(world.problems).toEqual([expect.stringContaining("not a model's answer")])
  })

  test('with an error of the endpoint inside is reported', async () => {
    const world = await startWorld(
      (response) => void openStream(response).end(sse({ error: { message: 'overloaded' } })),
    )
    await (await world.ask(stream)).text()
    expect(world.problems).toEqual([expect.stringMatching(/ended its answer with an error: overloaded$/)])
  })

  test('that falls silent is given up, by default after a minute', async () => {
    expect(defaultGatewayBounds.idleMs).toBe(60_000)
    const world = await startWorld((response) => void openStream(response).write(delta('hm')))
    const reader = readerOf(await world.ask(stream))
    expect(await reader.next()).toBe(delta('hm'))
    world.clock.advance(119_999)
    world.clock.advance(1)
    expect(await reader.next()).toContain('sent nothing for 120 s')
    expect(await reader.next()).toBeNull()
  })

  test('may begin late: a model that thinks has sent its headers already', async () => {
    const begun = Promise.withResolvers<ServerResponse>()
    const world = await startWorld((response) => {
      openStream(response).flushHeaders()
      begun.resolve(response)
    })
    const pending = world.ask(stream)
    const upstream = await begun.promise
    world.clock.advance(200_000)
    upstream.end(usage)
    expect(await (await pending).text()).toBe(usage)
  })

  test('that drips for ever is given up after twenty minutes', async () => {
    let drip = () => {}
    const world = await startWorld((response) => {
      openStream(response)
      drip = () => void response.write(delta('.'))
      drip()
    })
    const reader = readerOf(await world.ask(stream))
    for (let minutes = 0; minutes < 19; minutes++) {
      expect(await reader.next()).toBe(delta('.'))
      world.clock.advance(60_000)
      drip()
    }
    expect(await reader.next()).toBe(delta('.'))
    world.clock.advance(60_000)
    expect(await reader.next()).toContain('took longer than 1200 s')
    expect(world.usages).toEqual([{ model: 'gpt-test', input: expect.any(Number), output: 5, known: false }])
  })
})

describe('an answer without end', () => {
  const flood: Upstream = async (response) => {
    response.setMaxListeners(0)
    const chunk = Buffer.alloc(1024 ** 2, 'x')
    for (let sent = 0; sent < 100 && !response.destroyed; sent++) {
      if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
    }
    response.end()
  }

  test('is refused at 64 MiB when it comes in one piece', async () => {
    const world = await startWorld((response, ...rest) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      return flood(response, ...rest)
    })
    const response = await world.ask()
    expect([response.status, await errorOf(response)]).toMatchObject([502, { code: 'answer_too_large' }])
    expect(world.received).toHaveLength(1)
  })

  test('is cut at the limit when it is streamed, and the endpoint’s connection closed', async () => {
    const closed = Promise.withResolvers<void>()
    const world = await startWorld(
      (response, ...rest) => {
        response.on('close', closed.resolve)
        return flood(openStream(response), ...rest)
      },
      { options: { bounds: { answerBytes: 4 * 1024 ** 2 } } },
    )
    await expect(world.ask(stream).then((response) => response.text())).rejects.toThrow()
    await closed.promise
    expect(world.problems).toEqual(["the model's answer is longer than 4 MiB and was cut off"])
  })

  longTest('waits for a caller that reads slowly, instead of piling up', async () => {
    const full = Promise.withResolvers<void>()
    let piledUp = 0
    const countWrites = (response: ServerResponse) => {
      const write = response.write.bind(response)
      const counting = (chunk: Buffer) => {
        if (response.writableNeedDrain) piledUp++
        const more = write(chunk)
        if (!more) full.resolve()
        return more
      }
      response.write = counting as typeof response.write
    }
    const world = await startWorld((response, ...rest) => flood(openStream(response), ...rest), {
      options: { bounds: { answerBytes: 200 * 1024 ** 2 } },
      seen: countWrites,
    })
    const response = await world.ask(stream)
    await full.promise // the buffers between are full, and no byte has been read
    expect((await response.arrayBuffer()).byteLength).toBe(100 * 1024 ** 2)
    expect(piledUp).toBe(0)
  })
})

test('a caller that hangs up ends the call to the endpoint, and the tokens so far are counted', async () => {
  const closed = Promise.withResolvers<void>()
  const world = await startWorld((response) => {
    response.on('close', closed.resolve)
    openStream(response).write(delta('x'.repeat(40)))
  })
  const hangUp = new AbortController()
  const response = await world.ask(stream, { signal: hangUp.signal })
  await readerOf(response).next()
  hangUp.abort()
  await closed.promise
  await expect
    .poll(() => world.usages)
    .toEqual([{ model: 'gpt-test', input: expect.any(Number), output: 10, known: false }])
  expect(world.problems).toEqual([])
})

describe('the key', () => {
  const echo: Upstream = (response, { headers }) =>
    json(response, completion(`you sent ${headers.authorization}`), 200, { 'x-echo': String(headers.authorization) })
  const echoes: [string, Upstream, object][] = [
    ['in a whole answer', echo, {}],
    [
      'in a stream',
      (response, { headers }) => void openStream(response).end(delta(`${headers.authorization}`)),
      stream,
    ],
    [
      'in an error',
      (response, { headers }) => json(response, { error: { message: headers.authorization, code: KEY } }, 400),
      {},
    ],
    ['in a 500', (response, { headers }) => json(response, { error: { message: headers.authorization } }, 500), {}],
    [
      'in an event that is an error',
      (response) => void openStream(response).end(sse({ error: { message: KEY } })),
      stream,
    ],
    ['in a redirect', (response) => json(response, KEY, 307, { location: `https://x.example/${KEY}` }), {}],
    ['in an error, escaped', (response) => json(response, `{"error":{"message":"\\u0073${KEY.slice(1)}"}}`, 400), {}],
    ['in a 401', (response) => json(response, { error: { message: `bad key ${KEY}` } }, 401), {}],
  ]

  test.each(echoes)('stays on the server even if the endpoint sends it back: %s', async (_name, upstream, more) => {
    const world = await startWorld(upstream)
    const response = await world.ask(more)
    const seen = [await response.text(), JSON.stringify([...response.headers]), ...world.problems, ...world.logged]
    expect(world.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(seen.join('\n')).not.toContain(KEY)
  })
})

test('headers of the endpoint do not reach the caller', async () => {
  const world = await startWorld((response) =>
    json(response, completion('hi'), 200, { 'set-cookie': 'a=b', 'x-internal': '1', 'content-encoding': 'identity' }),
  )
  const response = await world.ask()
  expect([...response.headers.keys()].toSorted()).toEqual(
    ['cache-control', 'connection', 'content-length', 'content-type', 'date', 'keep-alive'].toSorted(),
  )
})
