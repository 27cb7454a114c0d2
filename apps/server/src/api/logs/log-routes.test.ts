import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parseSessionId, type SessionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { EXECUTION } from '../../compose/testing/api-world.ts'
import type { Store } from '../../ports/store.ts'
import { startHttp } from '../../compose/testing/start-http.ts'

const SESSION = parseSessionId('ex-0000000001.1')
const LOG = `/api/sessions/${SESSION}/log`
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} ü\n`).join('')

function addSessions(store: Store, ...ids: SessionId[]): void {
  for (const [at, id] of ids.entries())
    store.startSession({ id, execution: EXECUTION, number: at + 1, kind: 'work', attempt: at + 1 })
}

async function startWithLog(text: string) {
  const world = await startHttp()
  world.logs.append(SESSION, text)
  return world
}

test('meta says how much there is, and in which portions', async () => {
  const { ask, api, logs } = await startWithLog('one\ntwo\nthr')
  expect((await ask(`${LOG}/meta`)).json()).toEqual({
    epoch: api.store.epoch,
    lines: 2,
    bytes: 8,
    complete: false,
    blockLines: 512,
    sections: [],
  })
  logs.complete(SESSION, 0)
  expect((await ask(`${LOG}/meta`)).json()).toMatchObject({ complete: true })
})

test('a full block is cached for ever, the growing one never', async () => {
  const { ask } = await startWithLog(numbered(0, 700))
  const full = await ask(`${LOG}/blocks/0`)
  expect(full.text).toBe(numbered(0, 512))
  expect(full.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'private, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  const growing = await ask(`${LOG}/blocks/1`)
  expect(growing.text).toBe(numbered(512, 700))
  expect(growing.headers['cache-control']).toBe('no-store')
})

test('blocks put together are the log, whatever its length', async () => {
  const text = numbered(0, 512 * 3)
  const { ask } = await startWithLog(text)
  const blocks = await Promise.all([0, 1, 2, 3].map((n) => ask(`${LOG}/blocks/${n}`)))
  expect(blocks.map((block) => block.text).join('')).toBe(text)
  expect(await ask(`${LOG}/blocks/4`)).toMatchObject({ status: 404, text: expect.stringMatching(/1536 lines/) })
  expect(await ask(`${LOG}/blocks/-1`)).toMatchObject({ status: 404 })
  expect(await ask(`${LOG}/blocks/1e3`)).toMatchObject({ status: 404 })
})

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['identity', undefined, (bytes: Buffer) => bytes],
])('a client that takes %s gets a block in that form', async (accept, encoding, decode) => {
  const { open } = await startWithLog(numbered(0, 512))
  const request = open(`${LOG}/blocks/0`, { headers: { 'Accept-Encoding': accept } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  expect(response.headers['content-encoding']).toBe(encoding)
  expect(decode(Buffer.concat(parts)).toString()).toBe(numbered(0, 512))
})

test('the raw log is the text, sandboxed, byte for byte', async () => {
  const text = numbered(0, 40_000)
  const { ask } = await startWithLog(text)
  const got = await ask(`${LOG}/raw`)
  expect(got.text).toBe(text)
  expect(got.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'content-disposition': `inline; filename="${SESSION}.log"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
  })
  expect((await ask(`${LOG}/raw?download=1`)).headers['content-disposition']).toMatch(/^attachment/)
})

test('the raw log can be cut by lines, with and without escape sequences', async () => {
  const { ask } = await startWithLog('a\n\x1b[31mred\x1b[0m\nb\nc\n')
  expect((await ask(`${LOG}/raw?from=1&to=3`)).text).toBe('\x1b[31mred\x1b[0m\nb\n')
  expect((await ask(`${LOG}/raw?from=1&to=3&ansi=0`)).text).toBe('red\nb\n')
  expect((await ask(`${LOG}/raw?from=3`)).text).toBe('c\n')
  expect((await ask(`${LOG}/raw?from=9`)).text).toBe('')
  expect((await ask(`${LOG}/raw?ansi=0`)).text).toBe('a\nred\nb\nc\n')
  expect((await ask(`${LOG}/raw?from=3&to=1`)).text).toBe('')
})

test.each([
  ['bytes=0-1', 206, 'ab', 'bytes 0-1/8'],
  ['bytes=6-', 206, 'h\n', 'bytes 6-7/8'],
  ['bytes=-3', 206, 'gh\n', 'bytes 5-7/8'],
  ['bytes=6-900', 206, 'h\n', 'bytes 6-7/8'],
  ['bytes=0-1,3-4', 200, 'abc\nfgh\n', undefined],
  ['lines=0-1', 200, 'abc\nfgh\n', undefined],
  ['bytes=5-2', 200, 'abc\nfgh\n', undefined],
])('the range %s', async (range, status, text, contentRange) => {
  const { ask } = await startWithLog('abc\nfgh\n')
  const got = await ask(`${LOG}/raw`, { headers: { Range: range } })
  expect(got.status).toBe(status)
  expect(got.text).toBe(text)
  expect(got.headers['content-range']).toBe(contentRange)
})

test('a range beyond the end is refused with the size', async () => {
  const { ask } = await startWithLog('abc\n')
  const got = await ask(`${LOG}/raw`, { headers: { Range: 'bytes=4-' } })
  expect(got.status).toBe(416)
  expect(got.json()).toMatchObject({ error: { details: { size: 4 } } })
})

const found = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

test('a literal search finds each place in the text without escape sequences', async () => {
  const { ask } = await startWithLog('an Error\n\x1b[31mERR\x1b[0mor (x.y)\nterror error\n')
  const search = async (query: string) => found((await ask(`${LOG}/search?${query}`)).text)
  expect(await search('q=error')).toEqual([
    [0, 3, 5],
    [1, 0, 5],
    [2, 1, 5],
    [2, 7, 5],
    { done: true, hits: 4, lines: 3, more: false },
  ])
  expect(await search('q=Error&case=1')).toEqual([[0, 3, 5], expect.objectContaining({ hits: 1 })])
  expect(await search('q=error&word=1')).toMatchObject([[0, 3, 5], [1, 0, 5], [2, 7, 5], { hits: 3 }])
  expect(await search('q=(x.y)')).toMatchObject([[1, 6, 5], { hits: 1 }])
  expect(await search('q=nothing')).toEqual([{ done: true, hits: 0, lines: 3, more: false }])
})

test('a search by regular expression knows lines, and cannot be caught by an empty match', async () => {
  const { ask } = await startWithLog('ab1\nab22\n')
  const search = async (query: string) => found((await ask(`${LOG}/search?re=1&${query}`)).text)
  expect(await search('q=%5Eab(%5Cd%2B)%24')).toMatchObject([[0, 0, 3], [1, 0, 4], { hits: 2 }])
  expect(await search('q=z*')).toMatchObject([
    [0, 0, 0],
    [0, 1, 0],
    [0, 2, 0],
    [0, 3, 0],
    [1, 0, 0],
    {},
    {},
    {},
    {},
    { hits: 9 },
  ])
})

test('an invalid pattern is refused before anything is read', async () => {
  const { ask, logs } = await startWithLog('x\n')
  const got = await ask(`${LOG}/search?re=1&q=%28`)
  expect(got.status).toBe(400)
  expect(got.json()).toMatchObject({ error: { code: 'invalid_pattern', message: expect.stringMatching(/group/i) } })
  expect(logs.reads).toBe(0)
})

test('a search goes through the whole log, and stops at 100,000 hits', async () => {
  const { ask } = await startWithLog(numbered(0, 120_000))
  expect(found((await ask(`${LOG}/search?q=line%20119999`)).text)).toMatchObject([[119_999, 0, 11], { hits: 1 }])
  const many = found((await ask(`${LOG}/search?q=line`)).text)
  expect(many).toHaveLength(100_001)
  expect(many.at(-1)).toMatchObject({ done: true, hits: 100_000, more: true })
})

test('a search finds text in a line of any length, and knows the lines behind it', async () => {
  const { ask } = await startWithLog(`one\n${'ü'.repeat(700_000)}needle\n${'b'.repeat(600_000)}\nneedle\n`)
  expect(found((await ask(`${LOG}/search?q=needle`)).text)).toMatchObject([[1, 700_000, 6], [3, 0, 6], { lines: 4 }])
})

test('a pattern that never ends is stopped by the clock, and the server answers meanwhile', async () => {
  const { ask, clock } = await startWithLog(`${'a'.repeat(60)}\n`)
  const answer = ask(`${LOG}/search?re=1&q=(a%2B)%2Bb`)
  await expect.poll(() => clock.sleepers).toBe(1)
  expect(await ask('/healthz')).toMatchObject({ status: 200 })
  clock.advance(3000)
  expect(found((await answer).text)).toMatchObject([{ error: { code: 'search_stopped' } }])
})

test('closing the connection ends a search, and makes room for others', async () => {
  const { ask, open, clock } = await startWithLog(`${'a'.repeat(60)}\n`)
  const hopeless = Array.from({ length: 4 }, () => open(`${LOG}/search?re=1&q=(a%2B)%2Bb`).on('error', () => {}))
  await expect.poll(() => clock.sleepers).toBe(4)
  expect(await ask(`${LOG}/search?q=a`)).toMatchObject({ status: 429 })
  for (const request of hopeless) request.destroy()
  await expect.poll(() => clock.sleepers).toBe(0)
  expect(await ask(`${LOG}/search?q=aaa`)).toMatchObject({ status: 200 })
})

test('a HEAD request gets no text', async () => {
  const { ask } = await startWithLog('abc\n')
  expect(await ask(`${LOG}/raw`, { method: 'HEAD' })).toMatchObject({
    status: 200,
    text: '',
    headers: { 'content-length': '4' },
  })
})

test('a search continues from a line, for a log that has grown since', async () => {
  const { ask } = await startWithLog(numbered(0, 2000))
  const search = async (query: string) => found((await ask(`${LOG}/search?${query}`)).text)
  expect(await search('q=line&from=1998')).toEqual([
    [1998, 0, 4],
    [1999, 0, 4],
    { done: true, hits: 2, lines: 2000, more: false },
  ])
  expect(await search('q=line&from=9000')).toMatchObject([{ hits: 0 }])
})

test('a search counts lines as the log does, whatever an open escape sequence would swallow', async () => {
  const { ask } = await startWithLog('\x1b]0;open\nneedle \x07\nneedle\n')
  expect(found((await ask(`${LOG}/search?q=needle`)).text)).toMatchObject([[1, 0, 6], [2, 0, 6], { hits: 2, lines: 3 }])
})

test('a search of an execution says how many hits each of its sessions has, in their order', async () => {
  const { ask, api, logs } = await startWithLog('needle\nneedle needle\n')
  const [second, third, silent] = [2, 3, 4].map((n) => parseSessionId(`ex-0000000001.${n}`))
  addSessions(api.store, SESSION, second!, third!, silent!)
  logs.append(second!, 'nothing\n')
  logs.append(third!, `${'needle\n'.repeat(100_001)}`)
  const search = async (query: string) => found((await ask(`/api/executions/ex-0000000001/log/search?${query}`)).text)
  expect(await search('q=NEEDLE')).toEqual([
    { session: SESSION, hits: 3, more: false },
    { session: second, hits: 0, more: false },
    { session: third, hits: 100_000, more: true },
    { done: true },
  ])
  expect(await search(`q=needle&case=1&except=${third}`)).toHaveLength(3)
  expect(await search('q=%5En.%2Be%24&re=1&except=nonsense')).toMatchObject([{ error: {} }])
  expect((await ask('/api/executions/ex-0000000009/log/search?q=x')).status).toBe(404)
  expect((await ask('/api/executions/ex-0000000001/log/search?q=%28&re=1')).status).toBe(400)
})

test('a search of an execution is stopped by the same clock', async () => {
  const { ask, api, clock } = await startWithLog(`${'a'.repeat(60)}\n`)
  addSessions(api.store, SESSION)
  const answer = ask('/api/executions/ex-0000000001/log/search?re=1&q=(a%2B)%2Bb')
  await expect.poll(() => clock.sleepers).toBe(1)
  clock.advance(3000)
  expect(found((await answer).text)).toMatchObject([{ error: { code: 'search_stopped' } }])
})
