import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { PAGE_HEADER } from '@beadloom/core/api/people/sign-ins-api.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { memorySignIns } from '../testing/memory-sign-ins.ts'
import { signedIn, startHttp, TOKEN } from '../../compose/testing/start-http.ts'
import { createAccess } from './access.ts'
import { BrowserSignIns } from './browser-sign-ins.ts'
import { Tickets } from './tickets.ts'

const hosts: [string, (port: number) => string, number][] = [
  ['127.0.0.1 with the port', (port) => `127.0.0.1:${port}`, 200],
  ['localhost with the port', (port) => `localhost:${port}`, 200],
  ['IPv6 loopback with the port', (port) => `[::1]:${port}`, 200],
  ['upper case', (port) => `LOCALHOST:${port}`, 200],
  ['a name that is rebound to us', (port) => `evil.example:${port}`, 421],
  ['a name that starts like ours', (port) => `localhost.evil.example:${port}`, 421],
  ['a name that ends like ours', (port) => `evil.localhost:${port}`, 421],
  ['a trailing dot', (port) => `localhost.:${port}`, 421],
  ['another port', (port) => `localhost:${port + 1}`, 421],
  ['no port', () => 'localhost', 421],
  ['a port trick', (port) => `localhost:${port}@evil.example`, 421],
  ['another way to write the address', (port) => `2130706433:${port}`, 421],
  ['the unspecified address', (port) => `0.0.0.0:${port}`, 421],
]

test.each(hosts)('a Host that is %s', async (_, host, status) => {
  const { ask, port } = await startHttp()
  expect(await ask('/healthz', { headers: { Host: host(port) } })).toMatchObject({ status })
  expect(await ask('/api/projects', { headers: { Host: host(port) } })).toMatchObject({ status })
})

test('two Hosts, no Host and an absolute target are refused', async () => {
  const { port } = await startHttp()
  const ours = `Host: 127.0.0.1:${port}`
  expect(await raw(port, `GET /healthz HTTP/1.1\r\n${ours}\r\nHost: evil.example\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 4(00|21)/,
  )
  expect(await raw(port, `GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 421/)
  expect(await raw(port, `GET /healthz HTTP/1.1\r\nHost:\r\n\r\n`)).toMatch(/^HTTP\/1.1 421/)
  expect(await raw(port, `GET /healthz HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1.1 421/)
  expect(await raw(port, `GET http://evil.example/healthz HTTP/1.1\r\n${ours}\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/)
})

const origins: [string, (port: number) => string, number][] = [
  ['our own', (port) => `http://127.0.0.1:${port}`, 200],
  ['our other name', (port) => `http://localhost:${port}`, 200],
  ['foreign', () => 'https://evil.example', 403],
  ['null', () => 'null', 403],
  ['empty', () => '', 403],
  ['of another local port', (port) => `http://localhost:${port + 1}`, 403],
  ['of another scheme', (port) => `https://localhost:${port}`, 403],
  ['with our name in front', (port) => `http://localhost:${port}.evil.example`, 403],
]

test.each(origins)('an Origin that is %s', async (_, origin, status) => {
  const { ask, port } = await startHttp()
  expect(await ask('/api/projects', { headers: { Origin: origin(port) } })).toMatchObject({ status })
})

test.each([
  ['same-origin', 202],
  ['none', 202],
  ['same-site', 403],
  ['cross-site', 403],
])('a change that the browser calls %s', async (site, status) => {
  const { ask } = await startHttp()
  const headers = { 'Sec-Fetch-Site': site }
  expect(await ask('/api/executions/ex-0000000001/cancel', { method: 'POST', headers })).toMatchObject({ status })
})

const credentials: [string, Record<string, string>, string, number][] = [
  ['nothing', {}, '/api/projects', 401],
  ['the token', { Authorization: `Bearer ${TOKEN}` }, '/api/projects', 200],
  ['the token, scheme in lower case', { Authorization: `bearer ${TOKEN}` }, '/api/projects', 200],
  ['a wrong token', { Authorization: `Bearer ${TOKEN}x` }, '/api/projects', 401],
  ['a part of the token', { Authorization: `Bearer ${TOKEN.slice(1)}` }, '/api/projects', 401],
  ['an empty token', { Authorization: 'Bearer ' }, '/api/projects', 401],
  ['the token as Basic', { Authorization: `Basic ${TOKEN}` }, '/api/projects', 401],
  ['the token in the query', {}, `/api/projects?token=${TOKEN}`, 401],
  ['a method override', { 'X-HTTP-Method-Override': 'GET' }, '/api/projects', 401],
  ['nothing, for the figures', {}, '/metrics', 401],
  ['nothing, for a path that is not there', {}, '/api/nothing', 401],
  ['nothing, for health', {}, '/healthz', 200],
]

test.each(credentials)('an API request with %s', async (_, headers, path, status) => {
  const { ask } = await startHttp()
  const got = await ask(path, { headers, bearer: false })
  expect(got.status).toBe(status)
  if (status === 401) expect(got.json()).toMatchObject({ error: { code: 'unauthorized' } })
})

test('the link with the token gives a browser a strict cookie and a clean address', async () => {
  const { ask } = await startHttp()
  const got = await ask(`/?token=${TOKEN}`, { bearer: false })
  expect(got.status).toBe(303)
  expect(got.headers.location).toMatch(/^\/#page=[A-Za-z0-9_-]{43}$/)
  const [cookie = ''] = got.headers['set-cookie'] ?? []
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
  expect(cookie).not.toContain(TOKEN)

  const { Cookie, [PAGE_HEADER]: page } = await signedIn(ask)
  const status = async (headers: Record<string, string>) =>
    (await ask('/api/projects', { headers, bearer: false })).status
  expect(await status({ Cookie: `other=1; ${Cookie}`, [PAGE_HEADER]: page })).toBe(200)
  for (const wrong of [`${Cookie}x`, Cookie.replace(/=.*/, `=${TOKEN}`), ''])
    expect(await status({ Cookie: wrong, [PAGE_HEADER]: page })).toBe(401)
  for (const wrong of [`${page}x`, '', TOKEN, Cookie.replace(/.*=/, '')])
    expect(await status({ Cookie, [PAGE_HEADER]: wrong })).toBe(401)
  expect(await status({ Cookie, [PAGE_HEADER]: page, Authorization: 'Bearer wrong' })).toBe(401)
})

test('a page that takes the token in place gets its value as an answer', async () => {
  const { ask } = await startHttp()
  const headers = { Accept: 'application/json' }
  const got = await ask(`/?token=${TOKEN}`, { headers, bearer: false })
  const { page } = got.json() as { page: string }
  const Cookie = got.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  const me = await ask('/api/me', { headers: { Cookie, [PAGE_HEADER]: page }, bearer: false })
  expect([got.status, me.status]).toEqual([200, 200])
  const wrong = await ask('/?token=wrong', { headers, bearer: false })
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined])
})

test.each([
  [`/p/demo/b/demo-1?token=${TOKEN}`, '/p/demo/b/demo-1'],
  [`/p/demo?view=list&token=${TOKEN}&q=a%20b`, '/p/demo?view=list&q=a+b'],
  [`/p/demo?token=${encodeURIComponent(`http://127.0.0.1:4600/?token=${TOKEN}`)}`, '/p/demo'],
  [`//evil.example/?token=${TOKEN}`, '/evil.example/'],
  [`/\\\\evil.example/?token=${TOKEN}`, '/evil.example/'],
  [`/.//evil.example/x?token=${TOKEN}`, '/evil.example/x'],
  [`/a/..//evil.example/x?token=${TOKEN}`, '/evil.example/x'],
])('on any page, %s, the token leaves the address, which stays within this server', async (path, location) => {
  const { ask } = await startHttp()
  const got = await ask(path, { bearer: false })
  expect(got).toMatchObject({ status: 303, headers: { location: expect.stringMatching(/#page=[\w-]{43}$/) } })
  expect(got.headers.location?.replace(/#page=.*/, '')).toBe(location)
  expect(got.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict$/)
})

test('a person who signs in at a second server of this machine stays signed in at the first', () => {
  const clock = new HandClock()
  const [one, other] = ['1'.repeat(43), '2'.repeat(43)].map((token) => {
    const [signIns, tickets] = [memorySignIns(clock), new Tickets(clock)]
    const browsers = new BrowserSignIns({ token, address: null, signIns, tickets, clock })
    return createAccess({ token, hosts: () => ['127.0.0.1:1'], origins: () => ['http://127.0.0.1:1'], browsers })
  })
  const asks = (cookie: string) => ({ headers: { cookie }, headersDistinct: {} }) as IncomingMessage
  const jar = [one, other].map((access) => access?.begin(asks('')).cookie.split(';')[0])
  const request = asks(jar.join('; '))
  expect([one?.proof(request)?.via, other?.proof(request)?.via]).toEqual(['cookie', 'cookie'])
})

test("the cookie's value is no bearer token", async () => {
  const { ask } = await startHttp()
  const { headers } = await ask(`/?token=${TOKEN}`, { bearer: false })
  const pass = headers['set-cookie']?.[0]?.split(';')[0]?.split('=')[1] ?? ''
  const got = await ask('/api/projects', { headers: { Authorization: `Bearer ${pass}` }, bearer: false })
  expect(got.status).toBe(401)
})

test.each([['/'], ['/?token=wrong'], ['/?token=a&token=b'], ['/projects/demo'], ['/assets/index.js']])(
  'a browser without a pass that opens %s is told how to get one',
  async (path) => {
    const { ask } = await startHttp()
    const got = await ask(path, { bearer: false })
    expect(got).toMatchObject({ status: 401, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(got.headers['set-cookie']).toBeUndefined()
    expect(got.text).toContain('beadloom status')
  },
)

async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.end(text)
  let answer = ''
  socket.on('data', (part) => (answer += String(part)))
  await once(socket, 'close')
  return answer
}

const upgrades: [string, (port: number, pass: string, page: string) => Record<string, string>, object][] = [
  [
    'our page with its cookie and its value',
    (port, pass, page) => ({
      Cookie: pass,
      Origin: `http://127.0.0.1:${port}`,
      'Sec-WebSocket-Protocol': `beadloom, beadloom-page.${page}`,
    }),
    { who: 'token' },
  ],
  ['a program with the token', () => ({ Authorization: `Bearer ${TOKEN}` }), { who: 'token' }],
  ['our page without a cookie', (port) => ({ Origin: `http://127.0.0.1:${port}` }), { kind: 'unknown' }],
  ['nobody', () => ({}), { kind: 'unknown' }],
  ['a foreign page', (_, pass) => ({ Cookie: pass, Origin: 'https://evil.example' }), { status: 403 }],
  ['a page without origin', (_, pass) => ({ Cookie: pass, Origin: 'null' }), { status: 403 }],
  [
    'a cookie that no browser sent',
    (_, pass, page) => ({ Cookie: pass, 'Sec-WebSocket-Protocol': `beadloom, beadloom-page.${page}` }),
    { status: 403 },
  ],
  [
    'a program that got the cookie, and says that it is our page',
    (port, pass) => ({ Cookie: pass, Origin: `http://127.0.0.1:${port}` }),
    { kind: 'unknown' },
  ],
  [
    'the same with a value that it made up',
    (port, pass) => ({
      Cookie: pass,
      Origin: `http://127.0.0.1:${port}`,
      'Sec-WebSocket-Protocol': `beadloom, beadloom-page.${'x'.repeat(43)}`,
    }),
    { kind: 'unknown' },
  ],
  ['another host', (_, pass) => ({ Cookie: pass, Host: 'evil.example' }), { status: 421 }],
]

test.each(upgrades)('an upgrade by %s', async (_, headers, admission) => {
  const { http, ask, port } = await startHttp()
  http.server.on('upgrade', (request, socket) => socket.end(JSON.stringify(http.access.admit(request))))
  const { Cookie, [PAGE_HEADER]: page } = await signedIn(ask)
  const given = { Host: `127.0.0.1:${port}`, ...headers(port, Cookie, page) }
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await raw(
    port,
    `GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines.join('')}\r\n`,
  )
  expect(JSON.parse(answer)).toMatchObject(admission)
})
