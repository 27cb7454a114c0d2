import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PAGE_HEADER } from '@beadloom/core/api/people/sign-ins-api.ts'
import { onTestFinished } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { MemoryLogs } from '../../ports/testing/memory-logs.ts'
import type { SignInProvider } from '../../ports/sign-in.ts'
import type { NewAuditEntry } from '@beadloom/core/audit/entry.ts'
import type { SignInStore } from '../../ports/store/people/sign-ins.ts'
import type { DatabaseGate } from '../routing/database-gate.ts'
import type { ProjectOf } from '../people-ports.ts'
import { allowedOn, withAddress } from '../access/access.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import type { ClientBounds } from '../connections.ts'
import { createHttp } from '../http.ts'
import { MemoryApi } from './memory-api.ts'
import { memoryActions, type NotedAction } from './memory-actions.ts'
import { memoryKeys } from './memory-keys.ts'
import { memorySignIns } from './memory-sign-ins.ts'

export const TOKEN = 'f'.repeat(43)

export type Asked = { method?: string; headers?: Record<string, string | string[]>; body?: string; bearer?: boolean }
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

/** A server on a free loopback port over a world in memory, and a client that can send anything. */
export async function startHttp({
  dashboardFolder = '/nowhere',
  bounds,
  database = {},
  peopleSettings,
  ...options
}: Options = {}) {
  const noted: NotedAction[] = []
  const audited: NewAuditEntry[] = []
  const lockedChain = { is: false }
  const chain = {
    addAudit(entry: NewAuditEntry) {
      if (lockedChain.is) throw new Error('the audit log cannot be written')
      return audited.push(entry)
    },
  }
  const api = new MemoryApi()
  const logs = new MemoryLogs()
  const clock = options.clock ?? new HandClock()
  const reported: unknown[] = []
  const allowed = () => withAddress(allowedOn(port), peopleSettings?.address ?? null)
  const signIns = options.signIns ?? memorySignIns(clock)
  const http = createHttp({
    keys: memoryKeys(),
    actions: memoryActions(noted),
    projectOf: options.projectOf ?? (() => 'demo'),
    chain,
    chainLater: options.chainLater ?? chain,
    queries: api,
    commands: api,
    adding: { list: () => ({ items: [] }), cancel: () => undefined },
    audit: api.auditApi,
    base: api.baseApi,
    budgets: api.budgetApi,
    containers: api.containerApi,
    people: api.peopleApi,
    plans: api.planApi,
    reviews: api.reviewApi,
    pullRequests: api.pullRequestApi,
    savedViews: api.savedViewApi,
    inbox: api.inboxApi,
    secrets: api.secretApi,
    settings: api.settingsApi,
    webhooks: api.webhookApi,
    logs,
    clock,
    version: '1.2.3',
    database: {
      writable: async () => true,
      beginChange: () => () => {},
      onDisk: async () => {},
      trouble: () => null,
      seq: api.seq,
      ...database,
    },
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

  return { api, noted, audited, lockedChain, logs, clock, reported, http, port, ask, post, open }
}
