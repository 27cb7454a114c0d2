import { describe, expect, test } from 'vitest'
import { readPeople, type PeopleSettings } from '../../process/settings/people-settings.ts'
import { signedIn, startHttp } from '../../compose/testing/start-http.ts'

const people = readPeople({
  address: 'https://beads.example.org',
  proxies: ['127.0.0.1'],
  header: {},
  roles: { viewer: { people: ['vera'] }, runner: { people: ['ruth'] }, admin: { people: ['ada'] } },
}) as PeopleSettings

const queue = '/api/projects/demo/beads/bl-1/executions'

async function start() {
  const started = await startHttp({ peopleSettings: people })
  const as = (name: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    started.ask(path, {
      method,
      headers: { 'X-Forwarded-User': name, ...headers },
      bearer: false,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return { ...started, as }
}

describe('the audit log has', () => {
  test('who did what to what, in which role and from where, before it is done and after it, without any text', async () => {
    const { as, audited } = await start()
    const from = { 'X-Forwarded-For': '198.51.100.1, 203.0.113.7' }
    await as('ruth', 'POST', queue, { context: 'secret words' }, from)
    expect(audited).toEqual([
      {
        by: 'ruth',
        via: 'header',
        role: 'runner',
        signIn: null,
        // The proxy added the last address; its client sent the one before.
        address: '203.0.113.7',
        proxy: '127.0.0.1',
        action: 'queued',
        on: { project: 'demo', bead: 'bl-1' },
        about: 'context',
        outcome: 'allowed',
        needs: null,
        of: null,
        code: null,
      },
      expect.objectContaining({
        by: 'ruth',
        action: 'queued',
        on: { project: 'demo', bead: 'bl-1', execution: expect.stringMatching(/^ex-/) },
        outcome: 'done',
        of: 1,
      }),
    ])
  })

  test('names of secrets, and never their values', async () => {
    const { as, audited } = await start()
    await as('ada', 'PUT', '/api/projects/demo/secrets/NPM_TOKEN', { value: 'hunter2hunter2' })
    expect(audited[0]).toMatchObject({ action: 'secret_set', on: { project: 'demo', secret: 'NPM_TOKEN' } })
    expect(JSON.stringify(audited)).not.toContain('hunter2')
  })

  test("each refusal, with the person's role and the required one, but no reading", async () => {
    const { as, audited } = await start()
    await as('vera', 'POST', queue, {})
    await as('eve', 'POST', queue, { context: 'secret words' })
    await as('eve', 'GET', '/api/projects')
    await as('vera', 'GET', '/api/audit')
    expect(audited.map(({ by, role, outcome, needs, on }) => [by, role, outcome, needs, on])).toEqual([
      ['vera', 'viewer', 'refused', 'runner', { project: 'demo', bead: 'bl-1' }],
      ['eve', null, 'refused', 'runner', { project: 'demo', bead: 'bl-1' }],
    ])
    expect(JSON.stringify(audited)).not.toContain('secret words')
  })

  test('at most a hundred refusals of one person in an hour, the last of which says so', async () => {
    const { as, audited, clock } = await start()
    for (let n = 0; n < 103; n++) await as('vera', 'POST', queue, {})
    await as('eve', 'POST', queue, {})
    expect(audited).toHaveLength(101)
    expect(audited[99]).toMatchObject({ by: 'vera', about: 'and what else is refused within the hour' })
    clock.advance(3_600_000)
    await as('vera', 'POST', queue, {})
    expect(audited[101]).toMatchObject({ by: 'vera', about: '' })
  })

  test('each failure with its reason, and the end by a bug', async () => {
    const { as, audited } = await start()
    await as('ada', 'POST', '/api/projects', { source: '/repos/demo' })
    await as('ada', 'POST', '/api/projects', { source: '/bug' })
    expect(audited.map(({ outcome, of, code }) => [outcome, of, code])).toEqual([
      ['allowed', null, null],
      ['failed', 1, expect.stringMatching(/^[a-z_]+$/)],
      ['allowed', null, null],
      ['failed', 3, 'internal'],
    ])
  })

  test('a repeated request', async () => {
    const { as, audited } = await start()
    for (let n = 0; n < 3; n++) await as('ruth', 'POST', queue, {}, { 'Idempotency-Key': 'one' })
    expect(audited.map(({ outcome }) => outcome)).toEqual(['allowed', 'done'])
  })

  test('the browser that a person acted in, and when it was signed in and out', async () => {
    const { ask, audited } = await startHttp()
    const browser = await signedIn(ask, { 'User-Agent': 'Mozilla/5.0 (X11; Linux) Firefox/130.0' })
    await ask('/api/projects/demo/pause', { method: 'POST', headers: browser, bearer: false })
    await ask('/sign-out', { method: 'POST', headers: browser, bearer: false })
    expect(audited.map(({ by, action, signIn, about }) => [by, action, signIn, about])).toEqual([
      ['token', 'signed_in', null, 'Firefox on Linux'],
      ['token', 'project_paused', 1, ''],
      ['token', 'project_paused', 1, ''],
      ['token', 'signed_out', 1, 'Another program'],
    ])
  })
})

test('the end of an action waits for a database that cannot be written now, and the answer does not', async () => {
  const writable = Promise.withResolvers<void>()
  const { ask, audited } = await startHttp({
    chainLater: { addAudit: (entry) => writable.promise.then(() => audited.push(entry)) },
  })
  expect((await ask(queue, { method: 'POST', body: '{}' })).status).toBe(202)
  expect(audited.map(({ outcome }) => outcome)).toEqual(['allowed'])
  writable.resolve()
  await expect
    .poll(() => audited.map(({ outcome, of }) => [outcome, of]))
    .toEqual([
      ['allowed', null],
      ['done', 1],
    ])
})

test('an action that cannot be written into the audit log is not done', async () => {
  const { as, ask, lockedChain, api } = await start()
  lockedChain.is = true
  expect((await as('ruth', 'POST', queue, {})).status).toBe(500)
  expect((await as('vera', 'POST', queue, {})).status).toBe(403)
  expect(api.changes()).toBe(0)
  const signIn = await ask(`/?token=${'f'.repeat(43)}`, { bearer: false })
  expect([signIn.status, signIn.headers['set-cookie']]).toEqual([500, undefined])
})

test.each([
  ['of a proxy that is not named', ['10.0.0.1'], '203.0.113.7', '127.0.0.1'],
  ['that is no address', ['127.0.0.1'], '<b>203.0.113.7', '127.0.0.1'],
  ['that is missing', ['127.0.0.1'], undefined, '127.0.0.1'],
])('a forwarded address %s is not believed', async (_, proxies, given, address) => {
  const { ask, audited } = await startHttp({ peopleSettings: { ...people, proxies } })
  await ask('/api/projects/demo/pause', { method: 'POST', headers: given ? { 'X-Forwarded-For': given } : {} })
  expect(audited[0]).toMatchObject({ address, proxy: null })
})
