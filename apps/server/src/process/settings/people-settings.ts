import { BlockList, isIP, isIPv6 } from 'node:net'
import { z } from 'zod/mini'
import { roles, type RoleGrant, type RoleGrants } from '@beadloom/core/access/roles.ts'
import type { ProjectGrants } from '@beadloom/core/access/standing.ts'
import { InvalidInput, parseProjectId } from '@beadloom/core/records/ids.ts'

const MOST_NAMES = 500
const word = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest))

/** A token of RFC 9110, like the names of headers. */
const headerName = z.string().check(z.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not the name of a header'))
const Grant = z.strictObject({
  people: z.optional(z.array(word(200)).check(z.maxLength(MOST_NAMES))),
  groups: z.optional(z.array(word(200)).check(z.maxLength(MOST_NAMES))),
})

const isLocal = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)

const isOrigin = (given: string): boolean => {
  const url = URL.parse(given)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === given.toLowerCase().replace(/\/$/, '')
}

/** Plain http would send the cookies of a sign-in, and its secrets, over the network unencrypted. */
const isSafe = (given: string): boolean => {
  const url = URL.parse(given)
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)))
}

export const peopleSettings = z
  .strictObject({
    /** The address at which people reach this server, without a path. */
    address: z
      .string()
      .check(z.refine(isOrigin, 'must be an address without a path, such as https://beads.example.org')),
    /** Addresses or networks of proxies. */
    proxies: z.optional(
      z
        .array(z.string().check(z.refine(isNetwork, 'is not an IP address or a network, such as 10.1.0.0/16')))
        .check(z.minLength(1), z.maxLength(50)),
    ),
    header: z.optional(z.strictObject({ user: z.optional(headerName), groups: z.optional(headerName) })),
    oidc: z.optional(
      z.strictObject({
        issuer: z.string().check(z.refine(isSafe, 'must be an https address')),
        clientId: word(200),
        /** Absent: the variable BEADLOOM_OIDC_CLIENT_SECRET; a public client has none. */
        clientSecretFile: z.optional(word(1000)),
        scopes: z.optional(z.array(z.string().check(z.regex(/^[\x21-\x7e]{1,100}$/))).check(z.maxLength(20))),
        nameClaim: z.optional(word(100)),
        groupsClaim: z.optional(word(100)),
        sessionHours: z.optional(z.number().check(z.minimum(0.1), z.maximum(24 * 30))),
      }),
    ),
    roles: z.strictObject({ viewer: z.optional(Grant), runner: z.optional(Grant), admin: z.optional(Grant) }),
    /** Projects that only the people named there, and admins, may see. */
    projects: z.optional(
      z.record(
        z.string().check(z.refine(isProject, 'is not the id of a project')),
        z.strictObject({ viewer: z.optional(Grant), runner: z.optional(Grant) }),
      ),
    ),
  })
  .check(
    z.refine(
      ({ header, oidc }) => (header === undefined) !== (oidc === undefined),
      'needs "header" or "oidc", one of them',
    ),
    z.refine(({ header, proxies }) => header === undefined || proxies !== undefined, {
      message: 'is needed: only the proxies that it names are believed who somebody is',
      path: ['proxies'],
    }),
    z.refine(({ oidc, address }) => oidc === undefined || isSafe(address), {
      message: 'must be an https address where people sign in with "oidc"',
      path: ['address'],
    }),
  )

/** The client's secret, if no file has it. */
export const SECRET_VARIABLE = 'BEADLOOM_OIDC_CLIENT_SECRET'

export type OidcSettings = {
  issuer: string
  clientId: string
  /** Null: no file has it. */
  clientSecretFile: string | null
  scopes: readonly string[]
  /** Null: the address that the provider has verified, else the subject. */
  nameClaim: string | null
  groupsClaim: string
  sessionMs: number
}

/** People's way of signing in, and their rights. */
export type PeopleSettings = {
  /** An origin, without a slash at its end. */
  address: string
  proxies: readonly string[]
  /** Names of headers, in lower case. Null: none is trusted. */
  header: { user: string; groups: string } | null
  oidc: OidcSettings | null
  roles: RoleGrants
  /** Roles in projects that have their own. */
  projects: ProjectGrants
}

const HOUR_MS = 3_600_000

export function readPeople(given: z.infer<typeof peopleSettings> | undefined): PeopleSettings | null {
  if (given === undefined) return null
  const { address, proxies = [], header, oidc } = given
  const grants = Object.fromEntries(roles.map((role) => [role, grantOf(given.roles[role])])) as unknown as RoleGrants
  const projects = Object.entries(given.projects ?? {}).map(
    ([id, { viewer, runner }]) => [id, { viewer: grantOf(viewer), runner: grantOf(runner) }] as const,
  )
  return {
    address: new URL(address).origin,
    proxies,
    header: header
      ? {
          user: (header.user ?? 'X-Forwarded-User').toLowerCase(),
          groups: (header.groups ?? 'X-Forwarded-Groups').toLowerCase(),
        }
      : null,
    oidc: oidc
      ? {
          issuer: oidc.issuer,
          clientId: oidc.clientId,
          clientSecretFile: oidc.clientSecretFile ?? null,
          scopes: oidc.scopes ?? ['openid', 'profile', 'email'],
          nameClaim: oidc.nameClaim ?? null,
          groupsClaim: oidc.groupsClaim ?? 'groups',
          sessionMs: Math.round((oidc.sessionHours ?? 12) * HOUR_MS),
        }
      : null,
    roles: grants,
    projects: Object.fromEntries(projects),
  }
}

const grantOf = (given: z.infer<typeof Grant> | undefined): RoleGrant => ({
  people: given?.people ?? [],
  groups: given?.groups ?? [],
})

function isProject(text: string): boolean {
  try {
    parseProjectId(text)
    return true
  } catch (error) {
    if (error instanceof InvalidInput) return false
    throw error
  }
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more !== undefined) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

/** Tells whether a connection comes from a proxy. An IPv4 address within IPv6 is that IPv4 address. */
export function fromProxies(proxies: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList()
  for (const one of proxies) {
    const [address = '', prefix] = one.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (given) => {
    if (given === undefined) return false
    const address = given.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}
