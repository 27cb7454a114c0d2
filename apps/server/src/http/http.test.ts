import { expect, test } from 'vitest'
import { StoreError } from '../ports/store/errors.ts'
import { ASKED, EXECUTION } from '../compose/testing/api-world.ts'
import { startHttp, TOKEN } from '../compose/testing/start-http.ts'

const BEADS = '/api/projects/demo/beads'
const QUEUE = '/api/projects/demo/beads/bl-1/executions'
const PAUSE = '/api/projects/demo/pause'
const CANCEL = '/api/executions/ex-0000000001/cancel'

test('lists come in pages, and every filter reaches the query', async () => {
  const { ask } = await startHttp()
  const ids = async (path: string) =>
    ((await ask(path)).json() as { items: { id: string }[] }).items.map(({ id }) => id)
  expect((await ask(`${BEADS}?status=open&limit=1&cursor=1`)).json()).toMatchObject({
    items: [{ id: 'bl-2' }],
  })
  expect(await ids(BEADS)).toHaveLength(4)
  expect(await ids(`${BEADS}?status=blocked`)).toEqual(['bl-4'])
  expect(await ids(`${BEADS}?ready=true`)).toEqual(['bl-1', 'bl-2', 'bl-3'])
  expect(await ids(`${BEADS}?ready=false`)).toEqual(['bl-4'])
  expect(await ids('/api/executions?project=demo&bead=bl-3&state=QUEUED')).toEqual([EXECUTION])
  expect(await ids('/api/executions?project=demo&bead=bl-1')).toEqual([])
  expect(await ids('/api/executions?state=BLOCKED')).toEqual([ASKED])
})

test('a created or queued thing is answered with its status and the seq that shows it', async () => {
  const { api, post, ask } = await startHttp()
  expect(await post(BEADS, { title: 'New' })).toMatchObject({ status: 201 })
  const queued = await post(QUEUE, {})
  expect(queued).toMatchObject({ status: 202, headers: { 'beadloom-seq': String(api.store.seq()) } })
  expect(await ask(`${BEADS}/bl-2/executions`, { method: 'POST' })).toMatchObject({ status: 202 })
  expect(await ask('/api/projects/empty', { method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
})

test('use is a spreadsheet file on request, and never a page that a browser shows', async () => {
  const { ask } = await startHttp()
  expect(await ask('/api/projects/demo/budget?format=csv&days=30')).toMatchObject({
    status: 200,
    text: expect.stringMatching(/^day,/),
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="demo-budget-30d.csv"',
    },
  })
  expect((await ask('/api/projects/other/budget?format=csv')).status).toBe(404)
})

const mistakes: [string, string, string, unknown, number, RegExp][] = [
  ['a missing field', 'POST', '/api/projects', {}, 400, /source/],
  ['an unknown field', 'POST', '/api/projects', { source: 'x', sauce: 1 }, 400, /sauce/],
  ['a wrong type', 'POST', BEADS, { title: 5 }, 400, /title/],
  ['two wrong fields', 'POST', BEADS, { title: '', priority: 9 }, 400, /title.*priority/],
  ['an array', 'POST', BEADS, [], 400, /object/],
  ['a wrong query', 'GET', `${BEADS}?status=odd&limit=none`, undefined, 400, /status.*limit/],
  ['more days than a year', 'GET', '/api/projects/demo/budget?days=367', undefined, 400, /days/],
  ['a form that there is none of', 'GET', '/api/projects/demo/budget?format=xlsx', undefined, 400, /format/],
  ['a limit out of bounds', 'GET', `${BEADS}?limit=1001`, undefined, 400, /limit/],
  ['an unknown query', 'GET', `${BEADS}?color=red`, undefined, 400, /color/],
  ['a query that is there twice', 'GET', `${BEADS}?status=open&status=done`, undefined, 400, /status/],
  ['an id that cannot be, as a filter', 'GET', '/api/executions?project=..%2f', undefined, 400, /project/],
  ['an unknown project', 'GET', '/api/projects/other', undefined, 404, /other/],
  ['an unknown bead', 'GET', `${BEADS}/bl-9`, undefined, 404, /bl-9/],
  ['an unknown execution', 'GET', '/api/executions/ex-0000000009', undefined, 404, /ex-0000000009/],
  ['events of an unknown execution', 'GET', '/api/executions/ex-0000000009/events?wait=60', undefined, 404, /ex-0/],
  ['an id that cannot be', 'GET', '/api/executions/%2e%2e%2fetc', undefined, 404, /not an execution id/],
  ['an unknown session', 'GET', '/api/sessions/ex-0000000001.7/log/meta', undefined, 404, /ex-0000000001.7/],
  ['an unknown path', 'GET', '/api/nothing', undefined, 404, /openapi/],
  ['broken percent-encoding', 'GET', '/api/projects/%ff', undefined, 400, /percent/],
  ['a method that is not there', 'DELETE', BEADS, undefined, 405, /GET, POST/],
  ['what is there already', 'POST', '/api/projects', { source: '/repos/demo' }, 409, /already/],
]

test.each(mistakes)('%s is refused with a sentence', async (_, method, path, body, status, message) => {
  const { ask } = await startHttp()
  const got = await ask(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  expect(got.status).toBe(status)
  const { error } = got.json() as { error: { code: string; message: string } }
  expect(error.code).toMatch(/^[a-z_]+$/)
  expect(error.message).toMatch(message)
})

test('every problem of a request is named at once, each with its field', async () => {
  const { post } = await startHttp()
  const got = await post(`${BEADS}?odd=1`, { priority: -1, labels: [''] })
  const { error } = got.json() as { error: { details: { field: string }[] } }
  expect(error.details.map(({ field }) => field)).toEqual(['query', 'title', 'priority', 'labels.0'])
})

const bodies: [string, string, Record<string, string>, number, string][] = [
  ['broken JSON', '{"source":', {}, 400, 'malformed_json'],
  ['no JSON at all', 'source=x', {}, 400, 'malformed_json'],
  ['a lone value', '"x"', {}, 400, 'malformed_json'],
  ['plain text', '{"source":"x"}', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['a form', 'source=x', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
  ['no type', '{"source":"x"}', { 'Content-Type': '' }, 415, 'unsupported_media_type'],
  ['a type that only starts so', '{}', { 'Content-Type': 'application/json5' }, 415, 'unsupported_media_type'],
  ['another charset', '{}', { 'Content-Type': 'application/json; charset=utf-7' }, 415, 'unsupported_media_type'],
  ['an unknown encoding', '{}', { 'Content-Encoding': 'odd' }, 415, 'unsupported_media_type'],
  ['said to be packed, and is not', '{}', { 'Content-Encoding': 'gzip' }, 415, 'unsupported_media_type'],
  ['more than fits', JSON.stringify({ source: 'x'.repeat(700_000) }), {}, 413, 'too_large'],
]

test.each(bodies)('a body that is %s', async (_, body, headers, status, code) => {
  const { ask } = await startHttp()
  const got = await ask('/api/projects', { method: 'POST', body, headers })
  expect(got.status).toBe(status)
  expect(got.json()).toMatchObject({ error: { code } })
})

test('a body that is not valid UTF-8 is refused: its wrong bytes would be stored as other characters', async () => {
  const { ask } = await startHttp()
  const body = Buffer.from('{"title":"caf\xE9"}', 'latin1')
  const got = await ask(BEADS, { method: 'POST', body })
  expect(got.status).toBe(400)
  expect(got.json()).toMatchObject({ error: { code: 'bad_request', message: 'The body is not valid UTF-8.' } })
})

test('the longest description that is allowed fits, however it is escaped', async () => {
  const { ask } = await startHttp()
  const body = `{"title":"x","description":"${'\\u20ac'.repeat(19_900)}"}`
  expect(await ask(BEADS, { method: 'POST', body })).toMatchObject({ status: 201 })
})

test('a bug of ours is reported to us, and the client learns nothing about it', async () => {
  const { post, reported } = await startHttp()
  const got = await post('/api/projects', { source: '/bug' })
  expect(got.status).toBe(500)
  expect(got.text).not.toMatch(/SECRET|home|\.ts/)
  expect(reported).toMatchObject([{ message: /SECRET/ }])
})

test('a request that a stop interrupts is no bug of ours', async () => {
  const { post, reported } = await startHttp()
  const got = await post('/api/projects', { source: '/stopping' })
  expect(got.status).toBe(503)
  expect(got.json()).toMatchObject({ error: { code: 'stopping' } })
  expect(reported).toEqual([])
})

test.each([['/healthz'], ['/api/projects'], ['/api/nothing'], ['/'], ['/metrics'], ['/api/projects/%ff']])(
  '%s comes with the security headers',
  async (path) => {
    const { ask } = await startHttp()
    const { headers } = await ask(path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(headers['content-security-policy']).not.toMatch(/unsafe/)
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  },
)

test('a refusal by Host has the security headers too', async () => {
  const { ask } = await startHttp()
  const { headers } = await ask('/', { headers: { Host: 'evil.example' } })
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
})

test('figures come as Prometheus reads them', async () => {
  const { ask } = await startHttp()
  const got = await ask('/metrics')
  expect(got).toMatchObject({
    text: expect.stringMatching(/^beadloom_\w+[ {]/m),
    headers: { 'content-type': expect.stringMatching(/0\.0\.4/) },
  })
})

test('the same Idempotency-Key acts once and gets the same answer', async () => {
  const { post } = await startHttp()
  const key = { 'Idempotency-Key': 'press-1' }
  const [first, again] = await Promise.all([post(QUEUE, { context: 'a' }, key), post(QUEUE, { context: 'a' }, key)])
  expect(again.json()).toEqual(first.json())
  expect(again.headers['beadloom-seq']).toBe(first.headers['beadloom-seq'])

  const other = await post(QUEUE, { context: 'a' }, { 'Idempotency-Key': 'press-2' })
  expect(other.json()).toMatchObject({ error: { code: 'already_live' } })
  expect(await post(QUEUE, { context: 'b' }, key)).toMatchObject({ status: 422 })
  expect(await post(QUEUE, {}, { 'Idempotency-Key': 'with space' })).toMatchObject({ status: 400 })
})

test('a request whose twin is still running is told to come again, and gets the one answer then', async () => {
  const { api, post, clock } = await startHttp()
  const { promise, resolve } = Promise.withResolvers<void>()
  let acted = 0
  api.hub.placeOf = async () => {
    acted++
    await promise
    return null
  }
  const key = { 'Idempotency-Key': 'press-1' }
  const first = post('/api/projects', { source: '/new' }, key)
  await expect.poll(() => acted).toBe(1)
  const twin = post('/api/projects', { source: '/new' }, key)
  await expect.poll(() => clock.sleepers).toBe(1)
  expect(await post('/api/projects', { source: '/another' }, key)).toMatchObject({ status: 422 })
  clock.advance(20_000)
  const told = await twin
  expect(told).toMatchObject({ status: 409, headers: { 'retry-after': '5' } })
  expect(told.text).toContain('still in work')
  resolve()
  const { status, text } = await first
  expect(status).toBe(201)
  expect((await post('/api/projects', { source: '/new' }, key)).text).toBe(text)
  expect(acted).toBe(1)
})

test('cancelling twice under one key cancels once; the key means nothing for another execution', async () => {
  const { api, post } = await startHttp()
  const key = { 'Idempotency-Key': 'press-1' }
  await post(CANCEL, {}, key)
  await post(CANCEL, {}, key)
  expect(await post('/api/executions/ex-0000000009/cancel', {}, key)).toMatchObject({ status: 404 })
  expect(api.cancelled).toEqual([EXECUTION])
})

test('a request that failed inside the server is tried again under the same key', async () => {
  const { post, reported } = await startHttp()
  const key = { 'Idempotency-Key': 'press-1' }
  await post('/api/projects', { source: '/bug' }, key)
  expect(await post('/api/projects', { source: '/bug' }, key)).toMatchObject({ status: 500 })
  expect(reported).toHaveLength(2)
})

test('a command that meets a locked database is answered with 503, and acts when it is repeated under its key', async () => {
  const { api, post, reported } = await startHttp()
  const { queueExecution } = api.store
  let locked = true
  api.store.queueExecution = (...args) => {
    if (locked) throw new StoreError('busy', 'another program holds the lock')
    return queueExecution(...args)
  }
  const key = { 'Idempotency-Key': 'press-1' }
  const busy = { status: 503, headers: { 'retry-after': '2' } }
  const [one, twin] = await Promise.all([post(QUEUE, {}, key), post(QUEUE, {}, key)])
  expect(one).toMatchObject(busy)
  expect(twin).toMatchObject(busy)
  locked = false
  expect((await post(QUEUE, {}, key)).status).toBeLessThan(300)
  expect(reported).toEqual([])
})

test('no change begins while the database cannot be written, and none is answered before it is on the disk', async () => {
  const onDisk = Promise.withResolvers<void>()
  let [writable, waits] = [false, 0]
  const { api, ask, post } = await startHttp({
    database: { writable: async () => writable, onDisk: () => (waits++, onDisk.promise) },
  })
  const key = { 'Idempotency-Key': 'press-1' }
  expect(await post(QUEUE, {}, key)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  expect(await post(PAUSE, {})).toMatchObject({ status: 503 })
  expect([api.changes(), waits]).toEqual([0, 0])
  writable = true
  let answered = 0
  const all = [post(QUEUE, {}, key), post(QUEUE, {}, key), post(PAUSE, {})].map((answer) =>
    answer.finally(() => answered++),
  )
  await expect.poll(() => waits).toBe(3)
  expect(await ask('/api/status')).toMatchObject({ status: 200 })
  expect(answered).toBe(0)
  onDisk.resolve()
  for (const { status } of await Promise.all(all)) expect(status).toBeLessThan(300)
})

test('a header that is too long is refused by the server itself', async () => {
  const { ask } = await startHttp()
  expect(await ask('/healthz', { headers: { 'X-Long': 'x'.repeat(20_000) } })).toMatchObject({ status: 431 })
})

test('the token opens everything that a program may ask', async () => {
  const { ask } = await startHttp()
  expect(await ask('/api/status', { headers: { Authorization: `Bearer ${TOKEN}` } })).toMatchObject({ status: 200 })
})

test('a link with a wrong token is told apart from a missing sign-in, and nothing of the address is repeated', async () => {
  const { ask } = await startHttp()
  const out = await ask('/', { bearer: false })
  expect(out).toMatchObject({ status: 401, text: expect.stringContaining('You’re not signed in') })
  const wrong = await ask('/?token=%3Cb%3Enot-it', { bearer: false })
  expect(wrong).toMatchObject({ status: 401, text: expect.stringContaining('The token in this link is wrong.') })
  expect(wrong.headers['set-cookie']).toBeUndefined()
  expect(wrong.text).not.toContain('not-it')
})
