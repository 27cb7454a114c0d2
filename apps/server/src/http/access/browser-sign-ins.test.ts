import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { routeRules } from '@beadloom/core/access/route-roles.ts'
import { PAGE_HEADER, type SignInView } from '@beadloom/core/api/people/sign-ins-api.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readPeople, type PeopleSettings } from '../../process/settings/people-settings.ts'
import { memorySignIns } from '../testing/memory-sign-ins.ts'
import { signedIn, startHttp, TOKEN, type Asked } from '../../compose/testing/start-http.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import type { Admission } from './access.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const DAY_MS = 24 * 3_600_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * Another person's development server on another port of this host, which keeps everything that browsers send to it.
 */
async function neighbour() {
  let got = ''
  const server = createServer((request, response) => {
    got = request.headers.cookie ?? ''
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, cookie: () => got }
}

longTest(
  'another port of this host that gets the cookie can read nothing, change nothing and end nothing',
  async () => {
    const { ask, api, noted, port } = await startHttp()
    const browser = await signedIn(ask)
    const other = await neighbour()
    // A browser keeps cookies for the host, and sends them to each of its ports.
    await fetch(other.origin, { headers: { cookie: browser.Cookie } })
    expect(other.cookie()).toBe(browser.Cookie)

    const guises: Record<string, string>[] = [
      {},
      { Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' },
      { [PAGE_HEADER]: 'x'.repeat(43) },
      { [PAGE_HEADER]: other.cookie().split('=')[1] ?? '' },
      { 'Sec-WebSocket-Protocol': 'beadloom, beadloom-page.' },
    ]
    const routes = Object.keys(routeRules).filter((one) => one !== 'get /ws')
    for (const guise of guises)
      for (const route of [...routes, 'post /sign-out']) {
        const [method = '', pattern = ''] = route.split(' ')
        const path = pattern.replace(':project', 'demo').replaceAll(/:\w+/g, '1')
        const headers = { Cookie: other.cookie(), ...guise }
        const { status } = await ask(path, { method: method.toUpperCase(), headers, bearer: false })
        expect([route, status]).toEqual([route, 401])
      }
    for (const path of ['//api/me', '/API/me', '/%61pi/me', '/api/../api/me', '/./api/me', '/api%2Fme', '/metrics/']) {
      const { text } = await ask(path, { headers: { Cookie: other.cookie() }, bearer: false })
      expect(text).not.toMatch(/"role"|beadloom_/)
    }
    expect([api.changes(), noted]).toEqual([0, []])
    // Its page is still signed in.
    expect((await ask('/api/me', { headers: browser, bearer: false })).status).toBe(200)
  },
)

test('a browser is listed in words and can be ended, and then its page is signed out', async () => {
  const { ask, clock } = await startHttp()
  const one = await signedIn(ask, { 'User-Agent': FIREFOX })
  await clock.advance(1000)
  const two = await signedIn(ask)
  const list = async (headers: Record<string, string>) =>
    ((await ask('/api/sign-ins', { headers, bearer: false })).json() as { items: SignInView[] }).items
  const seen = await list(two)
  expect(seen).toMatchObject([
    { name: 'token', by: 'token', browser: 'Another program', here: true },
    {
      browser: 'Firefox on Linux',
      here: false,
      beganAt: clock.now() - 1000,
      expiresAt: clock.now() - 1000 + 30 * DAY_MS,
    },
  ])
  expect(JSON.stringify(seen)).not.toContain(one[PAGE_HEADER])
  const id = seen[1]?.id
  const end = () => ask(`/api/sign-ins/${id}`, { method: 'DELETE', headers: two, bearer: false })
  expect([(await end()).status, (await end()).status]).toEqual([204, 404])
  expect((await ask('/api/me', { headers: one, bearer: false })).status).toBe(401)
  expect((await ask('/api/me', { headers: two, bearer: false })).status).toBe(200)
})

test('signing out ends the sign-in and takes the cookie back', async () => {
  const { ask } = await startHttp()
  const headers = await signedIn(ask)
  expect((await ask('/api/me', { headers, bearer: false })).json()).toMatchObject({ name: 'token' })
  const out = await ask('/sign-out', { method: 'POST', headers, bearer: false })
  expect([out.status, out.json()]).toEqual([200, { next: '/' }])
  expect(out.headers['set-cookie']?.[0]).toMatch(/=; Max-Age=0; Path=\//)
  expect((await ask('/', { headers, bearer: false })).status).toBe(401)
})

test('a sign-in ends after thirty days, and its last use is recorded within ten minutes', async () => {
  const clock = new HandClock()
  const signIns = memorySignIns(clock)
  const { ask } = await startHttp({ clock, signIns })
  const headers = await signedIn(ask)
  const status = async () => (await ask('/api/me', { headers, bearer: false })).status
  await clock.advance(9 * 60_000)
  await status()
  expect(signIns.signIns()[0]?.usedAt).toBe(clock.now() - 9 * 60_000)
  await clock.advance(60_000)
  // A request with the cookie alone does not count as use.
  await ask('/', { headers: { Cookie: headers.Cookie }, bearer: false })
  expect(signIns.signIns()[0]?.usedAt).toBe(clock.now() - 10 * 60_000)
  await status()
  expect(signIns.signIns()[0]?.usedAt).toBe(clock.now())
  await clock.advance(30 * DAY_MS - 10 * 60_000 - 1)
  expect(await status()).toBe(200)
  await clock.advance(1)
  expect(await status()).toBe(401)
})

test('a browser that opens the link again keeps its row, and only its new values count', async () => {
  const { ask, http, open, port } = await startHttp()
  let admission: unknown
  http.server.on('upgrade', (request, socket) => {
    admission = http.access.admit(request)
    socket.destroy()
  })
  const before = await signedIn(ask)
  const protocols = `beadloom, beadloom-page.${before[PAGE_HEADER]}`
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols }
  const headers = { ...upgrade, Cookie: before.Cookie, Origin: `http://127.0.0.1:${port}` }
  await new Promise((resolve) => open('/ws', { headers, bearer: false }).on('error', resolve))
  const { lasts } = admission as { lasts: () => boolean }
  const after = await signedIn(ask, { Cookie: before.Cookie })
  // Sockets of its other tabs stay.
  expect(lasts()).toBe(true)
  for (const [given, status] of [
    [before, 401],
    [{ ...before, Cookie: after.Cookie }, 401],
    [{ ...after, Cookie: before.Cookie }, 401],
    [after, 200],
  ] as const)
    expect((await ask('/api/sign-ins', { headers: given, bearer: false })).status).toBe(status)
  expect((await ask('/api/sign-ins', { headers: after, bearer: false })).json()).toMatchObject({
    items: [{ here: true }],
  })
  await ask('/sign-out', { method: 'POST', headers: after, bearer: false })
  expect(lasts()).toBe(false)
})

test('a second cookie of the same name, which another port has set, signs nobody out', async () => {
  const { ask } = await startHttp()
  const headers = await signedIn(ask)
  const [name = ''] = headers.Cookie.split('=')
  const planted = await signedIn(ask)
  for (const other of [`${name}=planted`, planted.Cookie])
    for (const Cookie of [`${other}; ${headers.Cookie}`, `${headers.Cookie}; ${other}`])
      expect((await ask('/api/me', { headers: { ...headers, Cookie }, bearer: false })).status).toBe(200)
})

test('another access token ends sign-ins under this one', async () => {
  const clock = new HandClock()
  const signIns = memorySignIns(clock)
  const person = {
    via: 'token',
    subject: '',
    name: 'token',
    groups: [],
    browser: '',
    expiresAt: clock.now() + 1,
  } as const
  signIns.addSignIn({ key: 'k', page: 'p' }, 'beadloom-of-another-token', person)
  await startHttp({ clock, signIns })
  expect(signIns.signIns()).toEqual([])
})

test('if people come by https the cookie is for that host alone, and never sent in the clear', async () => {
  const peopleSettings = readPeople({
    address: 'https://beads.example.org',
    proxies: ['10.0.0.1'],
    header: {},
    roles: {},
  }) as PeopleSettings
  const { ask } = await startHttp({ peopleSettings })
  const Host = 'beads.example.org'
  const { headers } = await ask(`/?token=${TOKEN}`, { headers: { Host }, bearer: false })
  const [cookie = ''] = headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^__Host-beadloom-[0-9a-f]{8}-session=[\w-]{43}; .*; Secure$/)
  expect(cookie).not.toContain('Domain')
  const there = { ...(await signedIn(ask, { Host })), Host }
  expect((await ask('/api/me', { headers: there, bearer: false })).status).toBe(200)
  // On the machine itself it is opened without https.
  const here = await signedIn(ask)
  expect(here.Cookie).toMatch(/^beadloom-/)
  expect((await ask('/api/me', { headers: here, bearer: false })).status).toBe(200)
})

const log = '/api/sessions/ex-0000000001.1/log/meta?x=1'
const opens = { 'Sec-Fetch-Mode': 'navigate' }

test('an address of the API that is opened as a page leads to the page that has the value', async () => {
  const { ask } = await startHttp()
  const { Cookie } = await signedIn(ask)
  const got = await ask(log, { headers: { Cookie, ...opens }, bearer: false })
  expect(got).toMatchObject({ status: 303, headers: { location: `/open.html#${log}` } })
  const change = await ask('/api/projects', { method: 'POST', headers: { Cookie, ...opens }, bearer: false })
  expect(change.status).toBe(401)
  expect((await ask(log, { headers: opens, bearer: false })).status).toBe(401)
})

test('a ticket opens its one address once, within thirty seconds, for the browser that asked', async () => {
  const { ask, clock } = await startHttp()
  const browser = await signedIn(ask)
  const other = await signedIn(ask)
  const get = (path: string, headers: Asked['headers'] = { Cookie: browser.Cookie }) =>
    ask(path, { headers: { ...headers }, bearer: false })
  const ticketFor = async (path: string) => {
    const got = await get(`/api/ticket?for=${encodeURIComponent(path)}`, browser)
    return (got.json() as { url: string }).url
  }
  const url = await ticketFor('/api/projects?')
  expect([(await get(url)).status, (await get(url)).status]).toEqual([200, 401])
  expect((await get(await ticketFor('/api/me'))).json()).toMatchObject({ name: 'token' })
  const elsewhere = (await ticketFor('/api/me')).replace('/api/me', '/api/projects')
  expect((await get(elsewhere)).status).toBe(401)
  expect((await get(await ticketFor('/api/me'), {})).status).toBe(401)
  expect((await get(await ticketFor('/api/me'), { Cookie: other.Cookie })).status).toBe(401)
  const post = await ask(await ticketFor('/api/projects/demo/pause'), {
    method: 'POST',
    headers: { Cookie: browser.Cookie },
    bearer: false,
  })
  expect(post.status).toBe(401)
  const late = await ticketFor('/api/me')
  await clock.advance(30_000)
  expect((await get(late)).status).toBe(401)
  // With a used ticket, an opened page is sent to where it gets the next one.
  const again = await get(late, { Cookie: browser.Cookie, ...opens })
  expect(again).toMatchObject({ status: 303, headers: { location: '/open.html#/api/me' } })
  for (const wrong of ['/', 'https://evil.example/', '//evil.example/api/', '/api/\nx'])
    expect((await get(`/api/ticket?for=${encodeURIComponent(wrong)}`, browser)).status).toBe(400)
})

test('a database that is briefly unusable signs nobody out, and says so to a person who signs in', async () => {
  const clock = new HandClock()
  const all = memorySignIns(clock)
  let busy = true
  const unlessBusy = <Given extends unknown[], T>(act: (...given: Given) => T) => {
    return (...given: Given): T => {
      if (busy) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
      return act(...given)
    }
  }
  const { signIn, isSignedIn, addSignIn, useSignIn, keepSignIns } = all
  const signIns = {
    ...all,
    signIn: unlessBusy(signIn),
    isSignedIn: unlessBusy(isSignedIn),
    addSignIn: unlessBusy(addSignIn),
    useSignIn: unlessBusy(useSignIn),
    keepSignIns: unlessBusy(keepSignIns),
  }
  const { ask, http, open, port } = await startHttp({ clock, signIns })
  expect((await ask(`/?token=${TOKEN}`, { bearer: false })).status).toBe(503)
  busy = false
  const headers = await signedIn(ask)
  const admissions: Admission[] = []
  http.server.on('upgrade', (request, socket) => {
    admissions.push(http.access.admit(request))
    socket.destroy()
  })
  const protocols = `beadloom, beadloom-page.${headers[PAGE_HEADER]}`
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Protocol': protocols }
  const Origin = `http://127.0.0.1:${port}`
  const connect = () =>
    new Promise((resolve) =>
      open('/ws', { headers: { ...upgrade, Origin, Cookie: headers.Cookie }, bearer: false }).on('error', resolve),
    )
  await connect()
  busy = true
  await connect()
  const [first] = admissions
  expect(admissions).toMatchObject([{ kind: 'admitted' }, { kind: 'refused', status: 503 }])
  expect(first?.kind === 'admitted' && first.lasts()).toBe(true)
  expect((await ask('/api/me', { headers, bearer: false })).status).toBe(503)
  busy = false
  expect((await ask('/api/me', { headers, bearer: false })).status).toBe(200)
})
