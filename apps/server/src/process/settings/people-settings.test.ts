import { expect, test } from 'vitest'
import { fromProxies, peopleSettings, readPeople } from './people-settings.ts'

const header = { address: 'https://beads.example.org', proxies: ['10.0.0.1'], header: {}, roles: {} }
const oidc = {
  address: 'https://beads.example.org',
  oidc: { issuer: 'https://id.example.org/realm', clientId: 'beadloom' },
  roles: { admin: { groups: ['platform'] } },
}

test('omitted settings have their defaults', () => {
  expect(readPeople(peopleSettings.parse(header))).toMatchObject({
    header: { user: 'x-forwarded-user', groups: 'x-forwarded-groups' },
    oidc: null,
    roles: { viewer: { people: [], groups: [] } },
  })
  expect(readPeople(peopleSettings.parse(oidc))).toMatchObject({
    header: null,
    oidc: { scopes: ['openid', 'profile', 'email'], nameClaim: null, sessionMs: 12 * 3_600_000 },
    roles: { admin: { groups: ['platform'] } },
  })
  expect(readPeople(undefined)).toBeNull()
})

test.each([
  ['neither way to sign in', { ...header, header: undefined }],
  ['both', { ...header, ...oidc, header: {} }],
  ['a header without proxies', { ...header, proxies: undefined }],
  ['a header of no proxy', { ...header, proxies: [] }],
  ['a proxy that is a name', { ...header, proxies: ['proxy.example.org'] }],
  ['a network that is none', { ...header, proxies: ['10.0.0.0/33'] }],
  ['an address with a path', { ...header, address: 'https://beads.example.org/beads' }],
  ['an address with a user', { ...header, address: 'https://ada@beads.example.org' }],
  ['an address that is none', { ...header, address: 'beads.example.org' }],
  ['a sign-in over plain http', { ...oidc, address: 'http://beads.example.org' }],
  ['a provider over plain http', { ...oidc, oidc: { ...oidc.oidc, issuer: 'http://id.example.org' } }],
  ['a secret in the file', { ...oidc, oidc: { ...oidc.oidc, clientSecret: 'x' } }],
  ['a role that is none', { ...header, roles: { root: { people: ['ada'] } } }],
  ['a header that is none', { ...header, header: { user: 'a b' } }],
])('%s is refused', (_, given) => {
  expect(peopleSettings.safeParse(given).success).toBe(false)
})

test.each([
  ['10.0.0.1', true],
  ['10.0.0.2', false],
  ['::ffff:10.0.0.1', true],
  ['192.168.7.9', true],
  ['192.168.8.9', false],
  ['fd00::5', true],
  ['fd01::5', false],
  ['', false],
  [undefined, false],
])('a connection from %s comes from a proxy: %s', (address, is) => {
  expect(fromProxies(['10.0.0.1', '192.168.7.0/24', 'fd00::/16'])(address)).toBe(is)
})
