import { describe, expect, test } from 'vitest'
import { routeRules } from '@beadloom/core/access/route-roles.ts'
import { readPeople, type PeopleSettings } from '../../process/settings/people-settings.ts'
import { ASKED } from '../../compose/testing/api-world.ts'
import { startHttp, TOKEN } from '../../compose/testing/start-http.ts'

const people = (given: { proxies?: string[] } = {}): PeopleSettings =>
  readPeople({
    address: 'https://beads.example.org',
    proxies: given.proxies ?? ['127.0.0.1'],
    header: {},
    roles: {
      viewer: { people: ['vera'], groups: ['everybody'] },
      runner: { people: ['ruth'], groups: ['developers'] },
      admin: { people: ['ada'], groups: ['platform'] },
    },
  }) as PeopleSettings

const as = (name: string, groups?: string) => ({
  'X-Forwarded-User': name,
  ...(groups !== undefined && { 'X-Forwarded-Groups': groups }),
})

const start = (given?: Parameters<typeof people>[0]) => startHttp({ peopleSettings: people(given) })

describe('a header of a trusted proxy', () => {
  test.each([
    ['a person', as('vera'), { name: 'vera', role: 'viewer' }],
    ['a person with a group', as('eve', 'everybody, developers'), { name: 'eve', role: 'runner' }],
    [
      'a name beyond ASCII',
      as(Buffer.from('Zoë', 'utf8').toString('latin1'), 'platform'),
      { name: 'Zoë', role: 'admin' },
    ],
  ])('says who %s is', async (_, headers, me) => {
    const { ask } = await start()
    const got = await ask('/api/me', { headers, bearer: false })
    expect(got.json()).toMatchObject({ ...me, by: 'header' })
  })

  test.each([
    ['of an address that is not named', ['10.1.2.3'], as('ada')],
    ['of a network that is not named', ['10.0.0.0/8', '::1'], as('ada')],
    ['twice', ['127.0.0.1'], { 'X-Forwarded-User': ['ada', 'vera'] }],
    ['with groups twice', ['127.0.0.1'], { ...as('vera'), 'X-Forwarded-Groups': ['everybody', 'platform'] }],
    ['without a name', ['127.0.0.1'], as(' ')],
    ['with the name of the token', ['127.0.0.1'], as('token')],
    ['with characters that nobody sees', ['127.0.0.1'], as(Buffer.from('ada\u202e', 'utf8').toString('latin1'))],
    ['with broken UTF-8', ['127.0.0.1'], as('\xff\xfe')],
    ['under another name', ['127.0.0.1'], { 'X-Auth-Request-User': 'ada' }],
  ])('is not believed %s', async (_, proxies, headers) => {
    const { ask } = await start({ proxies })
    expect((await ask('/api/me', { headers, bearer: false })).status).toBe(401)
  })

  test('is believed from a network that holds the address, under the configured names', async () => {
    const settings = {
      ...people({ proxies: ['127.0.0.0/8'] }),
      header: { user: 'remote-user', groups: 'remote-groups' },
    }
    const { ask } = await startHttp({ peopleSettings: settings })
    const headers = { 'Remote-User': 'ada', 'X-Forwarded-User': 'eve' }
    expect((await ask('/api/me', { headers, bearer: false })).json()).toMatchObject({ name: 'ada', role: 'admin' })
  })

  test('means nothing if no people are configured', async () => {
    const { ask } = await startHttp()
    expect((await ask('/api/me', { headers: as('ada'), bearer: false })).status).toBe(401)
    expect((await ask('/api/me')).json()).toMatchObject({ name: 'token', role: 'admin', by: 'token' })
  })

  test('gives way to the token, and lets the proxy’s own Authorization pass', async () => {
    const { ask } = await start()
    expect((await ask('/api/me', { headers: as('vera') })).json()).toMatchObject({ name: 'token', role: 'admin' })
    const headers = { ...as('vera'), Authorization: 'Bearer something.of.the.proxy' }
    expect((await ask('/api/me', { headers, bearer: false })).json()).toMatchObject({ name: 'vera' })
    expect((await ask('/api/me', { headers: { Authorization: `Bearer ${TOKEN}x` }, bearer: false })).status).toBe(401)
  })

  test('does not help a foreign page: a header that the browser adds by itself needs an origin of ours', async () => {
    const { ask, http, api, open } = await start()
    const cancel = '/api/executions/ex-0000000001/cancel'
    const foreign = { ...as('ada'), Origin: 'https://evil.example' }
    expect((await ask(cancel, { method: 'POST', headers: foreign, bearer: false })).status).toBe(403)
    const site = { ...as('ada'), 'Sec-Fetch-Site': 'cross-site' }
    expect((await ask(cancel, { method: 'POST', headers: site, bearer: false })).status).toBe(403)
    const form = { ...as('ada'), 'Content-Type': 'text/plain', 'Content-Length': '2' }
    const queue = '/api/projects/demo/beads/bl-1/executions'
    expect((await ask(queue, { method: 'POST', headers: form, body: '{}', bearer: false })).status).toBe(415)
    expect(api.changes()).toBe(0)
    const admissions: unknown[] = []
    http.server.on('upgrade', (request, socket) => {
      admissions.push(http.access.admit(request))
      socket.destroy()
    })
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket' }
    const { port } = http.server.address() as { port: number }
    for (const Origin of ['', `http://127.0.0.1:${port}`])
      await new Promise((resolve) =>
        open('/ws', { headers: { ...as('ada'), ...upgrade, ...(Origin && { Origin }) }, bearer: false }).on(
          'error',
          resolve,
        ),
      )
    // Only for some time: the proxy may have signed the person out by then, and the next request shows it.
    expect(admissions).toMatchObject([{ kind: 'refused' }, { kind: 'admitted', forMs: 300_000 }])
  })
})

describe('a role', () => {
  /** An address that matches the pattern of a route. */
  const filled = (path: string) =>
    path
      .replace(':project', 'demo')
      .replace(':bead', 'bl-1')
      .replace(':execution', 'ex-0000000001')
      .replace(':session', 'ex-0000000001.1')
      .replace(':container', 'beadloom-x')
      .replace(':pullRequest', 'pr-0000000001')
      .replace(/:(block|issue|signIn)/, '1')
      .replace(':secret', 'NAME')

  const routes = Object.entries(routeRules).filter(([name]) => name !== 'get /ws')

  test.each([
    ['vera', 'viewer', ['runner', 'admin']],
    ['ruth', 'runner', ['admin']],
    ['ada', 'admin', []],
    ['eve', null, ['viewer', 'runner', 'admin']],
  ])('%s (%s) is enforced on every route', async (name, role, refused: string[]) => {
    const { ask, api, noted } = await start()
    for (const [route, { role: needs }] of routes) {
      const [method = '', path = ''] = route.split(' ')
      const { status, json } = await ask(filled(path), {
        method: method.toUpperCase(),
        headers: as(name),
        bearer: false,
      })
      if (!refused.includes(needs)) expect([route, status === 403]).toEqual([route, false])
      else
        expect([route, status, json()]).toMatchObject([
          route,
          403,
          { error: { code: 'role_needed', details: { has: role, needs } } },
        ])
    }
    if (role === null) expect([api.changes(), noted]).toEqual([0, []])
  })

  test('that is missing is named in words, and nothing is noted', async () => {
    const { ask, noted } = await start()
    const got = await ask('/api/projects/demo/pause', { method: 'POST', headers: as('vera'), bearer: false })
    expect(got.json()).toMatchObject({
      error: { message: expect.stringMatching(/^Your role here is viewer\. This needs the role runner, which runs/) },
    })
    expect(noted).toEqual([])
  })

  test('is needed for the dashboard and for the stream too, and the page shows a name as text', async () => {
    const { ask, http, open } = await start()
    const got = await ask('/', { headers: as('<b>eve'), bearer: false })
    expect(got.status).toBe(403)
    expect(got.text).toContain('&#60;b&#62;eve')
    expect(got.text).not.toContain('<b>eve')
    let admission: unknown
    http.server.on('upgrade', (request, socket) => {
      admission = http.access.admit(request)
      socket.destroy()
    })
    const { port } = http.server.address() as { port: number }
    const headers = { ...as('eve'), Connection: 'Upgrade', Upgrade: 'websocket', Origin: `http://127.0.0.1:${port}` }
    await new Promise((resolve) => open('/ws', { headers, bearer: false }).on('error', resolve))
    expect(admission).toMatchObject({ kind: 'refused', status: 403, message: expect.stringContaining('role viewer') })
  })
})

test('the route table has a role for every route of the server, and no other', async () => {
  const { ask } = await startHttp()
  const { paths } = (await ask('/api/openapi.json')).json() as { paths: Record<string, Record<string, unknown>> }
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(served.length).toBeGreaterThan(60)
  const open = ['get /healthz', 'get /readyz']
  expect(
    Object.keys(routeRules)
      .filter((one) => one !== 'get /ws')
      .toSorted(),
  ).toEqual(served.filter((one) => !open.includes(one)).toSorted())
})

describe("an action is noted with the person's name", () => {
  test('and its object, even a new one', async () => {
    const { ask, noted } = await start()
    const post = (path: string, body: unknown, name: string) =>
      ask(path, { method: 'POST', body: JSON.stringify(body), headers: as(name), bearer: false })
    await post('/api/projects/demo/beads/bl-1/executions', {}, 'ruth')
    await post('/api/projects/demo/beads/bl-4/executions', { answers: ASKED, context: 'secret words' }, 'ada')
    await post('/api/executions/ex-0000000001/cancel', undefined, 'ada')
    await post('/api/projects/demo/pause', undefined, 'ruth')
    expect(noted).toMatchObject([
      {
        by: 'ruth',
        via: 'header',
        action: 'queued',
        project: 'demo',
        bead: 'bl-1',
        execution: expect.stringMatching(/^ex-/),
        done: true,
      },
      { by: 'ada', action: 'answered', bead: 'bl-4', about: 'context, answers' },
      { by: 'ada', action: 'cancelled', execution: 'ex-0000000001' },
      { by: 'ruth', action: 'project_paused', project: 'demo' },
    ])
    expect(JSON.stringify(noted)).not.toContain('secret words')
  })

  test('once, if a request comes again, and not at all when it is refused', async () => {
    const { ask, noted, api } = await start()
    const headers = { ...as('ada'), 'Idempotency-Key': 'one' }
    for (let n = 0; n < 3; n++)
      await ask('/api/executions/ex-0000000001/cancel', { method: 'POST', headers, bearer: false })
    expect(api.cancelled).toHaveLength(1)
    await ask('/api/projects', { method: 'POST', body: '{"source":"/repos/demo"}', headers: as('ada'), bearer: false })
    expect(noted.map(({ action, done }) => [action, done])).toEqual([['cancelled', true]])
  })

  test('separately, when two people use one Idempotency-Key', async () => {
    const { ask, noted } = await start()
    const file = (name: string) =>
      ask('/api/projects/demo/beads', {
        method: 'POST',
        headers: { ...as(name), 'Idempotency-Key': 'one' },
        body: '{"title":"New"}',
        bearer: false,
      })
    const [ruth, ada, again] = [await file('ruth'), await file('ada'), await file('ruth')]
    expect(ada.json()).not.toEqual(ruth.json())
    expect(again.json()).toEqual(ruth.json())
    expect(noted.map(({ by }) => by)).toEqual(['ruth', 'ada'])
  })

  test('as unfinished, when a bug comes in between', async () => {
    const { ask, noted } = await start()
    const got = await ask('/api/projects', {
      method: 'POST',
      body: '{"source":"/bug"}',
      headers: as('ada'),
      bearer: false,
    })
    expect(got.status).toBe(500)
    expect(noted).toMatchObject([{ action: 'project_added', by: 'ada', done: false }])
  })
})
