import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PAGE_HEADER } from '@beadloom/core/api/people/sign-ins-api.ts'
import { onTestFinished } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import type { SignInProvider } from '../../ports/sign-in.ts'
import type { NewAuditEntry } from '@beadloom/core/audit/entry.ts'
import type { SignInStore } from '../../ports/store/people/sign-ins.ts'
import type { DatabaseGate } from '../../http/routing/database-gate.ts'
import { allowedOn, withAddress } from '../../http/access/access.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import type { ClientBounds } from '../../http/connections.ts'
import { apiRoutes } from '../../api/api-routes.ts'
import type { ProjectOf } from '../../http/access/door.ts'
import { Tickets } from '../../http/access/tickets.ts'
import { apiWorld } from './api-world.ts'
import { createHttp } from '../../http/http.ts'
import { memoryActions, type NotedAction } from '../../http/testing/memory-actions.ts'
import { memoryKeys } from '../../http/testing/memory-keys.ts'
import { memorySignIns } from '../../http/testing/memory-sign-ins.ts'

export const TOKEN = 'f'.repeat(43)

export type Asked = {
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  bearer?: boolean
}
export type Got = { status: number; headers: IncomingHttpHeaders; text: string; json: () => never }

type Options = {
  peopleSettings?: PeopleSettings
  port?: number
  clock?: HandClock
  signIns?: SignInStore
  provider?: SignInProvider
  dashboardFolder?: string
  bounds?: ClientBounds
  /** Takes refusals and ends. Default: the store that takes everything. */
  chainLater?: { addAudit: (entry: NewAuditEntry) => Promise<number> }
  database?: Partial<DatabaseGate>
  /** Default: everything belongs to the project demo. */
  projectOf?: ProjectOf
}

/** The headers of a browser and its page, once it has opened the link with the token. */
export async function signedIn(ask: (path: string, asked?: Asked) => Promise<Got>, headers: Asked['headers'] = {}) {
  const { headers: got } = await ask(`/?token=${TOKEN}`, { headers, bearer: false })
  const Cookie = got['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { Cookie, [PAGE_HEADER]: /#page=(.+)$/.exec(got.location ?? '')?.[1] ?? '' }
}

/** A server on a free loopback port over `apiWorld`, and a client that can send anything. */
export async function startHttp({ dashboardFolder = '/nowhere', bounds, peopleSettings, ...options }: Options = {}) {
  const clock = options.clock ?? new HandClock()
  const api = apiWorld(clock, peopleSettings ?? null)
  const { noted, audited, lockedChain, chain } = notes()
  const reported: unknown[] = []
  const allowed = () => withAddress(allowedOn(port), peopleSettings?.address ?? null)
  const tickets = new Tickets(clock)
  const signIns = options.signIns ?? memorySignIns(clock)
  Object.assign(api.store, { signIns: signIns.signIns, endSignIn: signIns.endSignIn })
  const routes = apiRoutes({ ...api.api, tickets, token: TOKEN }, '1.2.3')
  const http = createHttp({
    routes,
    tickets,
    clock,
    keys: memoryKeys(),
    actions: memoryActions(noted),
    projectOf: options.projectOf ?? (() => 'demo'),
    chain,
    chainLater: options.chainLater ?? chain,
    database: { ...api.store, ...options.database },
    token: TOKEN,
    hosts: () => allowed().hosts,
    origins: () => allowed().origins,
    dashboardFolder,
    ...(bounds && { bounds }),
    ...(peopleSettings && { peopleSettings }),
    ...(options.provider && { provider: options.provider }),
    signIns,
    report: (error) => reported.push(error),
  })
  http.server.listen(options.port ?? 0, '127.0.0.1')
  await once(http.server, 'listening')
  const { port } = http.server.address() as AddressInfo
  onTestFinished(() => http.close(0))

  return { api, routes, noted, audited, lockedChain, logs: api.logs, clock, reported, http, port, ...clientOf(port) }
}

/** Notes of people's actions, and an audit log that can be locked. */
function notes() {
  const noted: NotedAction[] = []
  const audited: NewAuditEntry[] = []
  const lockedChain = { is: false }
  const chain = {
    addAudit(entry: NewAuditEntry) {
      if (lockedChain.is) throw new Error('the audit log cannot be written')
      return audited.push(entry)
    },
  }
  return { noted, audited, lockedChain, chain }
}

function clientOf(port: number) {
  function open(path: string, { method = 'GET', headers = {}, body, bearer = true }: Asked = {}) {
    return request({
      port,
      host: '127.0.0.1',
      path,
      method,
      agent: false,
      headers: {
        ...(bearer && { Authorization: `Bearer ${TOKEN}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
    }).end(body)
  }

  /** Sends a request and reads the whole answer. */
  async function ask(path: string, asked?: Asked): Promise<Got> {
    const [response] = (await once(open(path, asked), 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    const text = Buffer.concat(parts).toString()
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      json: () => JSON.parse(text) as never,
    }
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, { method: 'POST', body: JSON.stringify(body), headers })

  return { ask, post, open }
}
