import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgeKinds } from '../ports/forge.ts'
import type { Reply } from './testing/fake-forge.ts'
import { allOf, CANARY, errorOf, forgeKit, work, type Kit } from './testing/forge-kit.ts'

const json = (status: number, said: unknown, headers = {}): Reply => ({ status, json: said, headers })

describe.each(forgeKinds)('%s', (kind) => {
  let kit: Kit
  let printed: string[]
  beforeEach(async () => {
    kit = await forgeKit(kind)
    printed = []
    for (const name of ['log', 'warn', 'error', 'info', 'debug'] as const)
      vi.spyOn(console, name).mockImplementation((...words: unknown[]) => void printed.push(words.join(' ')))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await kit.end()
  })
  const failure = () => errorOf(kit.forges.open(kit.repository, work))
  const always = (reply: Reply) => void (kit.fake.instead = () => reply)
  const whenOpening = (reply: Reply) => {
    kit.fake.instead = ({ method }) => (method === 'GET' ? undefined : reply)
  }

  test.each([
    [401, 'unauthorized', /does not accept the token.*Make a new one.*beadloom forge add/],
    [403, 'forbidden', /does not let the token.*Make one that may.*beadloom forge add/],
    [404, 'not-found', /has no repository ada.*Correct the project's remote/],
    [410, 'not-found', /has no repository/],
    [400, 'refused', /refuses the (?:pull|merge) request from work into main \(400\)/],
    [418, 'refused', /refuses/],
    [408, 'unavailable', /try again later/],
    [500, 'unavailable', /has a problem \(500\): try again later/],
    [503, 'unavailable', /has a problem \(503\)/],
  ] as const)(
    'answering %i to a question leads to advice, and nothing is changed',
    async (status, expected, sentence) => {
      always(json(status, { message: 'No.' }))
      const error = await failure()
      expect(error).toMatchObject({ kind: expected, message: expect.stringMatching(sentence) })
      expect(error.message).toContain(kit.fake.host)
      expect(error.message).toContain('It says: "No."')
      expect(kit.fake.asked.filter(({ method }) => method !== 'GET')).toEqual([])
    },
  )

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [422, 'refused'],
    [500, 'unavailable'],
  ] as const)('answering %i to an opening leads to a sentence too', async (status, expected) => {
    whenOpening(json(status, { message: ['No commits between main and work'] }))
    const error = await failure()
    expect(error).toMatchObject({
      kind: expected,
      message: expect.stringContaining('No commits between main and work'),
    })
    if (status === 404) expect(error.message).toMatch(/branches work and main/)
    expect(kit.fake.pulls).toEqual([])
  })

  test.each([401, 403, 404, 422, 500])('answering %i to a change leaves the text as it was', async (status) => {
    kit.fake.add({ title: 'Old' })
    whenOpening(json(status, { message: 'No.' }))
    expect((await failure()).message).not.toBe('')
    expect(kit.fake.pulls).toMatchObject([{ title: 'Old' }])
  })

  test('that is over its rate limit names the time to ask again', async () => {
    const now = kit.clock.now()
    const seconds = Math.floor(now / 1000) + 90
    const limits: [Reply, number | null][] = [
      [json(429, { message: 'slow down' }, { 'retry-after': '60' }), now + 60_000],
      [json(429, { message: 'slow down' }, { 'retry-after': new Date(now + 30_000).toUTCString() }), now + 30_000],
      [json(403, { message: 'slow down' }, { 'retry-after': '7' }), now + 7000],
      [json(403, {}, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${seconds}` }), seconds * 1000],
      [json(429, {}, { 'ratelimit-remaining': '0', 'ratelimit-reset': `${seconds}` }), seconds * 1000],
      [json(403, { message: 'You have exceeded a secondary rate limit.' }), null],
      [json(503, {}, { 'retry-after': '5' }), now + 5000],
      [json(429, {}, { 'retry-after': '999999999' }), now + 24 * 3_600_000],
      [json(429, {}, { 'retry-after': 'soon' }), null],
    ]
    for (const [reply, retryAt] of limits) {
      always(reply)
      expect(await failure()).toMatchObject({ kind: 'unavailable', retryAt })
    }
  })

  test('answering with a web page instead of JSON is not taken for a forge', async () => {
    always({ status: 200, text: '<!doctype html><h1>Sign in</h1>', headers: { 'content-type': 'text/html' } })
    const error = await failure()
    expect(error).toMatchObject({
      kind: 'bad-answer',
      message: expect.stringMatching(/not JSON \(text\/html\).*--kind/),
    })
    always({ status: 404, text: '<h1>No</h1>', headers: { 'content-type': 'text/html' } })
    expect(await failure()).toMatchObject({
      kind: 'not-found',
      message: expect.stringMatching(/The answer was a web page/),
    })
    always({ status: 502, text: '<h1>No</h1>', headers: { 'content-type': 'text/html' } })
    expect((await failure()).kind).toBe('unavailable')
  })

  test.each([
    ['half of it', '[{"number":1,'],
    ['of another form', '{"items":[]}'],
    ['with a wrong number', '[{"number":"1; rm","iid":-1}]'],
    ['nothing at all', ''],
    ['of more values than are made', `[${'{},'.repeat(100_000)}{}]`],
  ])('answering JSON that is %s gives no answer', async (_, text) => {
    always({ status: 200, text, headers: { 'content-type': 'application/json' } })
    expect((await failure()).kind).toBe('bad-answer')
  })

  test('answering a success without a body, or an unreadable type, gives no answer', async () => {
    always({ status: 204, text: '', headers: {} })
    expect((await failure()).kind).toBe('bad-answer')
    always({ status: 200, text: '[]', headers: { 'content-type': ';;;' } })
    expect((await failure()).kind).toBe('bad-answer')
    always({ status: 304, text: '', headers: {} })
    expect((await failure()).kind).toBe('bad-answer')
  })

  test('answering without end is read only up to a limit', async () => {
    let sent = 0
    always((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const piece = ' '.repeat(65_536)
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length
      }
      response.on('drain', more).on('error', () => {})
      more()
    })
    const error = await failure()
    expect(error).toMatchObject({ kind: 'bad-answer', message: expect.stringContaining('more than 8 MiB') })
    expect(sent).toBeLessThan(64 * 1024 ** 2)
  })

  test('answering half gives no answer', async () => {
    always((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('[', () => response.destroy())
    })
    expect(await failure()).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('broke') })
  })

  test('that does not answer is given up after half a minute', async () => {
    const arrived = new Promise<void>((resolve) => always(() => resolve()))
    const error = failure()
    await arrived
    kit.clock.advance(30_000)
    expect(await error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('did not answer in time'),
    })
    expect(kit.clock.sleepers).toBe(0)
  })

  test('answering in drips, or page after page, is given up', async () => {
    let asked = 0
    kit.fake.instead = () => (response) => {
      asked += 1
      response.writeHead(200, { 'content-type': 'application/json' }).write('[')
    }
    let error: unknown = null
    const ended = failure().then((reason) => (error = reason))
    await expect.poll(() => asked).toBe(1)
    await vi.waitFor(() => {
      kit.clock.advance(10_000)
      expect(error).not.toBeNull()
    }, 20_000)
    await ended
    expect(error).toMatchObject({ kind: 'unavailable' })
  })

  test('that cannot be reached can be asked later', async () => {
    await kit.fake.stop()
    const error = await failure()
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('connection refused') })
    // for the kit's own end
    kit = await forgeKit(kind)
  })

  test("returns to a caller that gives up the caller's own reason", async () => {
    const stop = new AbortController()
    const arrived = new Promise<void>((resolve) => always(() => resolve()))
    const call = kit.forges.open(kit.repository, work, stop.signal)
    await arrived
    const reason = new Error('the server goes down')
    stop.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect(kit.forges.open(kit.repository, work, stop.signal)).rejects.toBe(reason)
  })

  test('has its token in no error, however it repeats the token', async () => {
    const base64 = Buffer.from(CANARY).toString('base64')
    const turned = [...CANARY].reverse().join('')
    const split = (by: string) => `${CANARY.slice(0, 9)}${by}${CANARY.slice(9)}`
    const repeats = [
      CANARY,
      encodeURIComponent(CANARY),
      base64,
      turned,
      `token=${CANARY}&x`,
      `\u001b[31m${CANARY}`,
      split('\u001b[0m'),
      split('\u200b'),
    ]
    const replies = repeats.flatMap((text): Reply[] => [
      json(401, { message: text }),
      json(422, { message: 'Validation Failed', errors: [{ message: text }] }, { 'x-echo': 'y' }),
      json(400, { error: 'invalid', error_description: text }),
      json(500, { message: { base: [text] } }),
      json(200, { number: text }),
      { status: 200, text, headers: { 'content-type': `text/${encodeURIComponent(text)}` } },
      {
        status: 302,
        text: '',
        headers: { location: `https://${encodeURIComponent(text)}.example/${encodeURIComponent(text)}` },
      },
      json(200, [], { deprecation: 'true', link: `<${encodeURIComponent(text)}>; rel="deprecation"` }),
    ])
    for (const reply of replies) {
      always(reply)
      const error = await kit.forges.open(kit.repository, work).catch((reason: unknown) => reason)
      for (const form of [CANARY, encodeURIComponent(CANARY), base64.replace(/=+$/, ''), turned])
        expect(allOf(error).toLowerCase()).not.toContain(form.toLowerCase())
    }
    expect(printed).toEqual([])
  })

  test('has its words bounded, on one line, without control characters', async () => {
    const words = `a\n\u001b]0;title\u0007b\u202e${'c'.repeat(100_000)}`
    always(json(422, { message: words, errors: Array.from({ length: 20 }, () => ({ message: words })) }))
    const { message } = await failure()
    expect(message.length).toBeLessThan(1300)
    expect(message).toMatch(/^[^\p{Cc}\u202a-\u202e]+$/u)
    expect(message).toContain('"a b')
  })
})

describe('a redirect', () => {
  let other: Server
  const seen: string[] = []
  beforeEach(async () => {
    seen.length = 0
    other = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
  })
  afterEach(() => {
    other.closeAllConnections()
    other.close()
  })

  test.each(forgeKinds)('of %s to another host is not followed: the token goes nowhere else', async (kind) => {
    const { fake, forges, repository, end } = await forgeKit(kind)
    const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    for (const status of [301, 302, 303, 307, 308]) {
      fake.instead = () => ({ status, text: '', headers: { location: `${origin}/api` } })
      const error = await errorOf(forges.open(repository, work))
      expect(error).toMatchObject({ kind: 'bad-answer', message: expect.stringContaining(`redirects to ${origin}`) })
    }
    expect(seen).toEqual([])
    await end()
  })

  test('within the forge is followed, but not in a circle, and a POST never becomes a GET', async () => {
    const { fake, forges, repository, end } = await forgeKit('gitea')
    fake.instead = ({ path, query }) => ({ status: 302, text: '', headers: { location: `${path}?${query}` } })
    expect((await errorOf(forges.open(repository, work))).kind).toBe('bad-answer')
    expect(fake.asked).toHaveLength(4)
    fake.instead = ({ method, path }) =>
      method === 'POST' ? { status: 302, text: '', headers: { location: path } } : undefined
    expect((await errorOf(forges.open(repository, work))).kind).toBe('bad-answer')
    expect(fake.asked.slice(4).map(({ method }) => method)).toEqual(['GET', 'POST'])
    await end()
  })
})
