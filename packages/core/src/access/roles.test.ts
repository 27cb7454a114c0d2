import { expect, test } from 'vitest'
import { actionWords } from './action-words.ts'
import { hasRole, roleOf, whyNotAllowed, type RoleGrants } from './roles.ts'
import { routeRules, ruleOf } from './route-roles.ts'

const nobody = { people: [], groups: [] }
const grants: RoleGrants = {
  viewer: { people: ['*'], groups: [] },
  runner: { people: ['grace'], groups: ['developers'] },
  admin: { people: [], groups: ['platform'] },
}

test.each([
  ['somebody unknown', 'eve', [], 'viewer'],
  ['somebody by name', 'grace', [], 'runner'],
  ['a name in other letters', 'Grace', [], 'viewer'],
  ['a member of a group', 'ada', ['developers'], 'runner'],
  ['a member of two', 'ada', ['developers', 'platform'], 'admin'],
  ['a person who is called as a group is', 'platform', [], 'viewer'],
  ['a group that is called as a person is', 'eve', ['grace'], 'viewer'],
])('%s has the highest role that names them', (_, name, groups, role) => {
  expect(roleOf({ name, groups }, grants)).toBe(role)
})

test('a person whom no rule names has no role, and a group that is called * is a group', () => {
  const named = { ...grants, viewer: nobody }
  expect(roleOf({ name: 'eve', groups: ['*'] }, named)).toBeNull()
  expect(roleOf({ name: '', groups: [] }, named)).toBeNull()
})

test('each role may do everything that lower ones may, and no role may do nothing', () => {
  expect(hasRole('admin', 'runner')).toBe(true)
  expect(hasRole('runner', 'runner')).toBe(true)
  expect(hasRole('viewer', 'runner')).toBe(false)
  expect(hasRole(null, 'viewer')).toBe(false)
  expect(whyNotAllowed('viewer', 'admin')).toBe(
    'Your role here is viewer. This needs the role admin, which changes settings, projects, secrets and limits. Ask an admin of this server for it.',
  )
})

test('every change needs more than read access, and names its action for the audit log', () => {
  const changing = Object.entries(routeRules).filter(([name]) => !name.startsWith('get '))
  expect(changing.length).toBeGreaterThan(30)
  expect(changing.filter(([, { role, action }]) => role === 'viewer' || action === undefined)).toEqual([])
  const noted = Object.values(routeRules).flatMap(({ action }) => action ?? [])
  const elsewhere = ['answered', 'signed_in', 'signed_out']
  expect(Object.keys(actionWords).filter((one) => !noted.includes(one as never))).toEqual(elsewhere)
  expect(ruleOf('post', '/api/anything')).toBeNull()
})
