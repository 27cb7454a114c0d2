import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { createAccess, type Access, type AccessDeps } from './access/access.ts'
import { BrowserSignIns } from './access/browser-sign-ins.ts'
import { connectionBounds } from '../process/descriptors.ts'
import { Connections, type ClientBounds } from './connections.ts'
import { dashboard } from './dashboard.ts'
import { Idempotency } from './routing/idempotency.ts'
import { OpenRequests } from './open-requests.ts'
import type { DatabaseGate } from './routing/database-gate.ts'
import { Problem } from '../ports/problem.ts'
import type { ActionLog } from './routing/noted.ts'
import { AuditTrail } from './access/audit-trail.ts'
import { Door, type ProjectOf } from './access/door.ts'
import type { AuditStore } from '../ports/store/people/audit.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { SignInProvider } from '../ports/sign-in.ts'
import type { SignInStore } from '../ports/store/people/sign-ins.ts'
import type { RequestKeys } from '../ports/store/request-keys.ts'
import { MAX_BODY, toProblem } from './routing/problems.ts'
import type { Route } from './routing/route.ts'
import { setSecurityHeaders } from './access/security-headers.ts'
import { sendProblem, serveRoute, type ServeDeps } from './routing/serve-route.ts'
import { oidcRoutes } from './access/oidc-routes.ts'
import { signOut } from './access/sign-out.ts'
import type { Tickets } from './access/tickets.ts'
import { requireRole } from './access/require-role.ts'
import { exchangeToken, isForPrograms, requireProof } from './access/sign-in.ts'
import type { Clock } from '../process/clock.ts'
import { wrongType } from './routing/validate.ts'
import { createServer } from '../process/node-http.ts'

export type HttpDeps = Omit<AccessDeps, 'browsers'> & {
  /** All routes of the API. */
  routes: readonly Route[]
  tickets: Tickets
  clock: Clock
  /** Keeps answers for requests that are sent again. */
  keys: RequestKeys
  /** The provider where people sign in; absent: with the token, or by a proxy. */
  provider?: SignInProvider | null
  signIns: SignInStore
  /** Notes who does what. */
  actions: ActionLog
  /** The project that something belongs to. */
  projectOf: ProjectOf
  /** The audit log, which also has refusals. */
  chain: Pick<AuditStore, 'addAudit'>
  /** The same for entries about actions that are over. */
  chainLater: Pick<PatientStore, 'addAudit'>
  /** Folder of the built dashboard; it may be missing. */
  dashboardFolder: string
  database: DatabaseGate
  /** The most open connections; absent: as many as for a server with enough files. */
  bounds?: ClientBounds
  /** Called for a bug that a client ran into; the answer was 500. */
  report: (error: unknown, where: string) => void
}

export type Http = {
  /** Not listening yet. */
  server: Server
  /** For the stream: the same checks for upgrades. */
  access: Access
  /**
   * Ends long polls and idle connections and refuses new ones; answers in progress get `graceMs` to finish. Upgraded
   * sockets belong to the stream, which must be closed first.
   */
  close(graceMs?: number): Promise<void>
}

export function createHttp(deps: HttpDeps): Http {
  // Counts also what Node would answer by itself: requests without a host, and with expectations (below).
  const server = createServer({ connectionsCheckingInterval: 5_000, requireHostHeader: false })
  const connections = new Connections(server, deps.bounds ?? connectionBounds(Infinity, 1))
  const browsers = new BrowserSignIns({ ...deps, address: deps.peopleSettings?.address ?? null })
  const access = connections.remembering(createAccess({ ...deps, browsers }))
  const open = new OpenRequests()
  const { database, keys, actions, clock, report } = deps
  const answered = new Idempotency({ keys, clock, report: (error) => report(error, 'keeping an answer') })
  const door = new Door(deps.projectOf)
  const trail = new AuditTrail({
    audit: deps.chain,
    later: deps.chainLater,
    people: deps.peopleSettings ?? null,
    clock,
    report: (error) => report(error, 'writing the audit log'),
  })
  const app = createApp(
    deps,
    { access, browsers, trail, door },
    {
      answered,
      open,
      database,
      access,
      door,
      actions,
      trail,
      report: (error) => report(error, 'noting who has done what'),
    },
  )
  const take = (request: IncomingMessage, response: ServerResponse) =>
    void (connections.takes(request, response) && app(request, response))
  server.on('request', take).on('checkExpectation', take)
  limit(server)
  server.on('error', () => {}) // out of descriptors: the next moment may have one

  async function close(graceMs = 2000): Promise<void> {
    open.stop()
    const done = new AbortController()
    server.close(() => done.abort())
    server.closeIdleConnections()
    await deps.clock.sleep(graceMs, done.signal)
    server.closeAllConnections()
  }

  return { server, access, close }
}

type Doors = { access: Access; browsers: BrowserSignIns; trail: AuditTrail; door: Door }

function createApp(deps: HttpDeps, doors: Doors, serving: ServeDeps): Express {
  const { access, browsers, trail } = doors
  const { routes } = deps
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', false)
  app.set('query parser', 'simple')
  app.set('case sensitive routing', true)

  app.use((request, response, next) => {
    setSecurityHeaders(response)
    const refusal = access.refusal(request)
    if (refusal) return sendProblem(response, refusal)
    // No client of ours sends a body in chunks. We would read a stranger's to its end, a byte at a time.
    if (request.headers['transfer-encoding'] !== undefined && !access.proof(request)?.isWhole)
      response.setHeader('Connection', 'close')
    next()
  })
  for (const route of routes.filter(({ open }) => open)) app[route.method](route.path, serveRoute(route, serving))
  const { provider = null, peopleSettings: people, token, clock, report } = deps
  if (provider && people) app.use(oidcRoutes({ provider, people, token, browsers, trail, clock, report }))
  app.post('/sign-out', signOut({ browsers, trail, provider, report }))
  app.use(exchangeToken(access, trail), requireProof(access, deps.peopleSettings))
  app.use((request, response, next) => {
    const problem = wrongType(request)
    if (problem) return sendProblem(response, problem)
    next()
  })
  // No client of ours compresses its body.
  app.use(
    express.json({ limit: MAX_BODY, strict: true, type: 'application/json', inflate: false, verify: isUtf8OrFail }),
  )
  for (const route of routes.filter(({ open }) => !open))
    app[route.method](route.path, requireRole(doors, route), serveRoute(route, serving))
  refuseTheRest(app, routes)
  app.use(dashboard(deps.dashboardFolder))
  app.use(answerErrors(deps.report))
  return app
}

/** Otherwise wrong bytes are stored as U+FFFD. */
function isUtf8OrFail(_request: unknown, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new Error('the body is not valid UTF-8')
}

function refuseTheRest(app: Express, routes: readonly Route[]): void {
  for (const [path, methods] of Map.groupBy(routes, ({ path }) => path)) {
    const allow = methods.map(({ method }) => method.toUpperCase()).join(', ')
    app.all(path, (request, response) => {
      response.setHeader('Allow', allow)
      sendProblem(
        response,
        new Problem(405, 'method_not_allowed', `${request.method} is not allowed here, only ${allow}.`),
      )
    })
  }
  app.use((request, response, next) => {
    if (!isForPrograms(request)) return next()
    const message = `There is no ${request.path.slice(0, 200)}. The API is described at /api/openapi.json.`
    sendProblem(response, new Problem(404, 'not_found', message))
  })
}

function answerErrors(report: HttpDeps['report']): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const problem = toProblem(error)
    if (problem.status === 500) report(error, `${request.method} ${request.path}`)
    if (response.headersSent) return void response.destroy()
    sendProblem(response, problem)
  }
}

/** A slow or greedy client costs one socket for a limited time (slowloris); a long poll waits within its answer. */
function limit(server: Server): void {
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  server.keepAliveTimeout = 5_000
  server.timeout = 120_000 // no data in either direction: twice the longest wait of a long poll
  server.maxHeadersCount = 100
  server.maxRequestsPerSocket = 1000
}
