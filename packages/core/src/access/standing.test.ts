import { expect, test } from 'vitest'
import type { ServerStatus } from '../api/server/server-api.ts'
import { cutList, cutStatus } from '../api/people/cut-answer.ts'
import { routeRules } from './route-roles.ts'
import { placeOf } from './route-places.ts'
import { decide, highestRole, roleIn, seesAll, standingOf, type About } from './standing.ts'
import type { RoleGrants } from './roles.ts'

const nobody = { people: [], groups: [] }
const server: RoleGrants = {
  viewer: { people: ['*'], groups: [] },
  runner: { people: ['ruth'], groups: [] },
  admin: { people: ['ada'], groups: [] },
}
const projects = {
  payroll: { viewer: { people: ['ruth'], groups: ['hr'] }, runner: { people: [], groups: ['payroll'] } },
  open: { viewer: { people: ['*'], groups: [] }, runner: { people: ['vera'], groups: [] } },
}
const someone = (name: string, groups: string[] = []) => standingOf({ name, groups }, server, projects)

test.each([
  ['ada', [], 'admin', 'admin', 'admin'],
  ['ruth', [], 'viewer', 'viewer', 'runner'],
  ['vera', [], null, 'runner', 'viewer'],
  ['vera', ['hr'], 'viewer', 'runner', 'viewer'],
  ['eve', ['payroll'], 'runner', 'viewer', 'viewer'],
])(
  '%s %j has a role in each project: its own if it has one, otherwise that on the server',
  (name, groups, ...expected) => {
    const standing = someone(name, groups)
    expect(['payroll', 'open', 'another'].map((project) => roleIn(standing, project))).toEqual(expected)
  },
)

test('a role in a project alone shows that project, and nothing of the server', () => {
  const standing = standingOf(
    { name: 'eve', groups: ['hr'] },
    { ...server, viewer: nobody },
    { payroll: projects.payroll },
  )
  expect([roleIn(standing, 'payroll'), roleIn(standing, 'another')]).toEqual(['viewer', null])
  expect([highestRole(standing), seesAll(standing)]).toEqual(['viewer', false])
})

const of = (project: string | null): About => ({ is: 'project', project })

test('a hidden project looks as if it did not exist, and an act that needs a higher role is refused', () => {
  const vera = someone('vera')
  expect(decide(vera, 'viewer', of('payroll'))).toEqual({ may: false, why: 'hidden' })
  expect(decide(vera, 'runner', of(null))).toEqual({ may: false, why: 'hidden' })
  expect(decide(vera, 'runner', of('another'))).toEqual({ may: false, why: 'role', has: 'viewer' })
  expect(decide(vera, 'runner', of('open'))).toEqual({ may: true, role: 'runner' })
  expect(decide(vera, 'admin', of('open'))).toEqual({ may: false, why: 'role', has: 'runner' })
  expect(decide(vera, 'viewer', { is: 'all projects' })).toMatchObject({ may: false, why: 'not all projects' })
  expect(decide(vera, 'runner', { is: 'server' })).toEqual({ may: false, why: 'role', has: 'viewer' })
  expect(decide(vera, 'runner', { is: 'anywhere' })).toEqual({ may: true, role: 'runner' })
})

test('people who see all projects learn from the route itself that one is unknown', () => {
  expect(decide(someone('ada'), 'admin', of(null))).toEqual({ may: true, role: 'admin' })
  expect(decide(someone('ruth'), 'runner', of(null))).toEqual({ may: true, role: 'runner' })
})

test('somebody without a role anywhere is refused, whatever they ask for', () => {
  const none = standingOf({ name: 'eve', groups: [] }, { ...server, viewer: nobody }, { payroll: projects.payroll })
  for (const about of [
    of('payroll'),
    of(null),
    { is: 'server' },
    { is: 'anywhere' },
    { is: 'all projects' },
  ] as About[])
    expect(decide(none, 'viewer', about)).toEqual({ may: false, why: 'role', has: null })
})

test('every route has a place, and a new one without a place has no access', () => {
  const without = Object.keys(routeRules).filter((route) => {
    const [method = '', path = ''] = route.split(' ')
    return placeOf(method, path) === null
  })
  expect(without).toEqual([])
  expect(placeOf('get', '/api/anything')).toBeNull()
  expect(placeOf('get', '/api/anything/:other')).toBeNull()
})

test('lists and the status are cut to the visible part', () => {
  const sees = (project: string | null) => project === 'open'
  const items = [{ project: 'open' }, { project: 'payroll' }, { project: null }]
  expect(cutList({ items, next: '7' }, 'project', sees)).toEqual({ items: [{ project: 'open' }], next: '7' })
  expect(cutList({ items: [{ id: 'open' }, { id: 'x' }] }, 'id', sees)).toEqual({ items: [{ id: 'open' }] })
  expect(() => cutList('open payroll', 'project', sees)).toThrow('no list')
  const status = { queue: items, running: ['ex-1', 'ex-2', 'ex-3'] } as unknown as ServerStatus
  const projectOf = (id: string) => ({ 'ex-1': 'open', 'ex-2': 'payroll' })[id] ?? null
  expect(cutStatus(status, sees, projectOf)).toMatchObject({ queue: [{ project: 'open' }], running: ['ex-1'] })
})
