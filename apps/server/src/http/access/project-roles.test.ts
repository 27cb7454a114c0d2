import { describe, expect, test } from 'vitest'
import { routeRules } from '@beadloom/core/access/route-roles.ts'
import { readPeople, type PeopleSettings } from '../../process/settings/people-settings.ts'
import { startHttp, type Got } from '../../compose/testing/start-http.ts'

/* Everything that `apiWorld` has belongs to the project demo. */
const people = (roles: object = {}): PeopleSettings =>
  readPeople({
    address: 'https://beads.example.org',
    proxies: ['127.0.0.1'],
    header: {},
    roles: { admin: { people: ['ada'] }, ...roles },
    projects: {
      demo: { viewer: { people: ['vera'] }, runner: { groups: ['developers'] } },
      other: { viewer: { people: ['olga'] }, runner: { people: ['otto'] } },
    },
  }) as PeopleSettings

const as = (name: string) => ({
  'X-Forwarded-User': name,
  ...(name === 'ruth' && { 'X-Forwarded-Groups': 'developers' }),
})

const ids: Record<string, string> = {
  project: 'demo',
  bead: 'bl-1',
  execution: 'ex-0000000001',
  session: 'ex-0000000001.1',
  pullRequest: 'pr-0000000001',
  container: 'beadloom-x',
  secret: 'NAME',
  webhook: 'ops',
}
const filled = (path: string) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '1')

/** The routes as the server has registered them. */
async function served(ask: (path: string) => Promise<Got>) {
  const { paths } = (await ask('/api/openapi.json')).json() as { paths: Record<string, Record<string, unknown>> }
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })))
    .filter(({ path }) => path !== '/healthz' && path !== '/readyz')
}

type Outcome = 'passes' | 'refused' | 'hidden'
const outcomeOf = ({ status, text }: Got): Outcome =>
  status === 403 ? 'refused' : status === 404 && text.includes('Not found: ') ? 'hidden' : 'passes'

/**
 * Routes without a project in their path, for a person with a role in only one project: they pass the routes of `cut`,
 * and are refused those of `ofServer`. A new route has a project, or must be added here.
 */
const cut = [
  'get /api/openapi.json',
  'get /api/me',
  'get /api/actions',
  'get /api/sign-ins',
  'get /api/ticket',
  'get /api/status',
  'get /api/agents',
  'get /api/projects',
  'get /api/adding',
  'get /api/executions',
  'get /api/budgets',
  'get /api/containers',
]
const ofServer = [
  'get /metrics',
  'get /api/audit',
  'get /api/audit/head',
  'get /api/audit/export',
  'post /api/audit/cut',
  'get /api/system',
  'get /api/settings',
  'patch /api/settings',
  'get /api/webhooks',
  'put /api/webhooks/{webhook}',
  'delete /api/webhooks/{webhook}',
  'post /api/webhooks/test',
  'post /api/webhooks/{webhook}/test',
  'post /api/projects',
  'delete /api/adding/{project}',
]
const ownBrowsers = 'delete /api/sign-ins/{signIn}'

function expected(name: string, who: { here: boolean; runs: boolean }): Outcome {
  if (ofServer.includes(name)) return 'refused'
  if (cut.includes(name)) return 'passes'
  if (name === ownBrowsers) return who.runs ? 'passes' : 'refused'
  // Everything else belongs to demo.
  if (!who.here) return 'hidden'
  const needs = routeRules[name.replaceAll(/\{(\w+)\}/g, ':$1')]?.role
  return needs === 'viewer' || (needs === 'runner' && who.runs) ? 'passes' : 'refused'
}

test.each([
  ['vera', 'sees this project', { here: true, runs: false }],
  ['ruth', 'works in this project', { here: true, runs: true }],
  ['olga', 'sees another project', { here: false, runs: false }],
  ['otto', 'works in another project', { here: false, runs: true }],
])('%s, who %s, may do so on every route of the server', async (name, _, who) => {
  const { ask, api } = await startHttp({ peopleSettings: people() })
  for (const { method, path } of await served(ask)) {
    const route = `${method} ${path}`
    const got = await ask(filled(path), { method: method.toUpperCase(), headers: as(name), bearer: false })
    expect([route, outcomeOf(got)]).toEqual([route, expected(route, who)])
  }
  if (!who.here) expect(api.changes()).toBe(0)
})

test.each([
  ['eve', 'refused'],
  ['ada', 'passes'],
] as const)('%s, who has no role or is an admin, gets the same answer everywhere', async (name, outcome) => {
  const { ask } = await startHttp({ peopleSettings: people() })
  for (const { method, path } of await served(ask)) {
    const got = await ask(filled(path), { method: method.toUpperCase(), headers: as(name), bearer: false })
    expect([method, path, outcomeOf(got)]).toEqual([method, path, outcome])
  }
})

test('every route without a project is considered above', async () => {
  const { ask } = await startHttp()
  const named = /\{(project|execution|session|pullRequest|container)\}/
  const without = (await served(ask))
    .filter(({ path }) => !named.test(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect(without.filter((one) => !cut.includes(one) && !ofServer.includes(one) && one !== ownBrowsers)).toEqual([])
})

describe('somebody who sees only another project', () => {
  test('gets lists without this one', async () => {
    const { ask } = await startHttp({ peopleSettings: people() })
    for (const path of ['/api/projects', '/api/executions']) {
      const [olga, vera] = [
        await ask(path, { headers: as('olga'), bearer: false }),
        await ask(path, { headers: as('vera'), bearer: false }),
      ]
      expect([path, (olga.json() as { items: unknown[] }).items]).toEqual([path, []])
      expect((vera.json() as { items: unknown[] }).items).not.toEqual([])
    }
  })

  test('cannot tell it from a missing one, even with a role on the server', async () => {
    const settings = people({ viewer: { people: ['olga'] } })
    const { ask } = await startHttp({
      peopleSettings: settings,
      projectOf: (_, id) => (id === 'demo' || id === 'other' ? id : null),
    })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/pause'],
      ['PATCH', '/settings'],
    ] as const) {
      const [hidden, unknown] = await Promise.all(
        ['demo', 'none'].map((id) => ask(`/api/projects/${id}${path}`, { method, headers: as('olga'), bearer: false })),
      )
      expect([hidden?.status, hidden?.text.replace('demo', 'none')]).toEqual([404, unknown?.text])
    }
    const other = await ask('/api/projects/other/pause', { method: 'POST', headers: as('olga'), bearer: false })
    expect([other.status, other.text]).toEqual([403, expect.stringContaining('Your role here is viewer')])
  })

  test('is told in a sentence that a request is about all projects', async () => {
    const { ask } = await startHttp({ peopleSettings: people({ viewer: { people: ['olga'] } }) })
    const got = await ask('/metrics', { headers: as('olga'), bearer: false })
    expect([got.status, got.text]).toEqual([403, expect.stringContaining('about all projects of this server')])
  })
})

test('the audit log has the role in the project, and attempts to see hidden ones', async () => {
  const { ask, audited } = await startHttp({ peopleSettings: people() })
  for (const name of ['ruth', 'vera', 'otto'])
    await ask('/api/projects/demo/pause', { method: 'POST', headers: as(name), bearer: false })
  expect(audited.filter(({ of }) => of === null).map(({ by, role, outcome }) => [by, role, outcome])).toEqual([
    ['ruth', 'runner', 'allowed'],
    ['vera', 'viewer', 'refused'],
    ['otto', null, 'refused'],
  ])
})

test('a view for all projects needs a role on the server', async () => {
  const { ask, audited } = await startHttp({ peopleSettings: people() })
  const save = (forAll: boolean) =>
    ask('/api/projects/demo/views', {
      method: 'POST',
      body: JSON.stringify({ name: 'Mine', search: 'a=b', forAll }),
      headers: as('ruth'),
      bearer: false,
    })
  expect((await save(true)).status).toBe(403)
  expect(audited).toMatchObject([{ by: 'ruth', role: null, action: 'view_saved', outcome: 'refused', needs: 'runner' }])
  expect((await save(false)).status).not.toBe(403)
})
