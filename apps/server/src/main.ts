import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerStatus } from '@beadloom/core/api/api.ts'
import type { InstanceId } from '@beadloom/core/ids.ts'
import { createTracker } from './beads/find-tracker.ts'
import { mergeIssues } from './beads/merge-issues.ts'
import { ownChecks } from './cli/health/own-checks.ts'
import { serverFilePath, tokenPath, type ServerFile } from './cli/server/server-file.ts'
import { engineFor } from './container/engine-for.ts'
import { readHostEnvironment } from './container/host-environment.ts'
import { findNodeBinary } from './container/node-binary.ts'
import { createForges } from './forge/create-forges.ts'
import { createGateway } from './gateway/create-gateway.ts'
import type { GatewayLimits } from './gateway/limits.ts'
import { upstreamsOf } from './gateway/upstreams-of.ts'
import { allowedOn } from './http/access/access.ts'
import { createHttp } from './http/http.ts'
import { createHub } from './hub/hub.ts'
import { demoRepository } from './hub/clones/demo-repository.ts'
import { systemClock } from './process/clock.ts'
import { linkFolderIn } from './process/link-folder.ts'
import { listen } from './process/listen.ts'
import type { Logger } from './process/logger.ts'
import type { Environment, ServerSettings } from './process/settings.ts'
import { Teardown } from './process/teardown.ts'
import { createRecorder } from './recorder/create-recorder.ts'
import type { Engine } from './ports/engine.ts'
import type { Store } from './ports/store.ts'
import { recover, sweep } from './runner/recover.ts'
import { Runner } from './runner/runner.ts'
import { Activities } from './service/answers/activity.ts'
import { backupFolder } from './service/server/backup-folder.ts'
import { Backups } from './service/server/backups.ts'
import { ClaimGate } from './service/tracker/claim-gate.ts'
import { createCommands } from './service/answers/commands.ts'
import { addDemo } from './service/projects/demo.ts'
import { createScheduler } from './service/scheduling/dispatch.ts'
import { LiveIndex } from './service/scheduling/live-index.ts'
import { metricsText } from './service/server/metrics.ts'
import { PlanMemory } from './service/scheduling/plan-memory.ts'
import { Projects } from './service/projects/projects.ts'
import { createQueries } from './service/answers/queries.ts'
import { createPullRequests } from './service/pull-requests/pull-requests.ts'
import { createReviews } from './service/reviews/reviews.ts'
import { ServerFacts } from './service/server/server-facts.ts'
import { createSettings } from './service/projects/settings.ts'
import { serverStatus } from './service/server/status.ts'
import { syncView } from './service/tracker/sync-view.ts'
import { ensureToken } from './service/server/token.ts'
import { listAgents } from './service/server/agents.ts'
import { System } from './service/server/system.ts'
import { ServerViews } from './service/answers/views.ts'
import { work } from './service/server/work.ts'
import { backUpAside } from './store/database/back-up-aside.ts'
import { openStore } from './store/open-store.ts'
import { createStream } from './stream/stream.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const VERSION = '0.1.0'
/** A stop takes ten seconds at most; this leaves time for the rest. */
const DETACH_LIMIT_MS = 5_000

export type RunningServer = {
  url: string
  token: string
  store: Store
  status: () => ServerStatus
  /** Detaches from what runs and closes everything; containers are settled at the next start. */
  stop: () => Promise<void>
}

/**
 * Builds the server from its parts and starts it. The wiring, and nothing else. `limits`: of a model's calls. `engineOf`:
 * for tests, which may bring an engine of their own.
 */
export async function startServer(
  settings: ServerSettings,
  env: Environment,
  log: Logger,
  limits: Partial<GatewayLimits> = {},
  engineOf?: (instance: InstanceId) => Engine,
): Promise<RunningServer> {
  const clock = systemClock
  const random = Math.random
  const stopping = new AbortController()
  const teardown = new Teardown((step, error) => log.error({ error, step }, 'a step of the shutdown failed'))
  try {
    await mkdir(settings.data, { recursive: true, mode: 0o700 })
    const database = join(settings.data, 'beadloom.db')
    const found = existsSync(database)
    const store = openStore(database, {
      clock,
      random,
      report: (error) => log.error({ error }, 'a listener failed'),
    })
    teardown.add('store', () => store.close())
    const token = await ensureToken(tokenPath(settings.data), randomBytes)

    const host = await readHostEnvironment(settings.caBundle ? { ...env, NODE_EXTRA_CA_CERTS: settings.caBundle } : env)
    for (const problem of host.problems) log.warn(problem)
    const place = { instance: store.instance, root, nodeBinary: await findNodeBinary(process), clock }
    const engine = engineOf?.(store.instance) ?? engineFor(settings, host, place)
    const hub = await createHub({
      folder: join(settings.data, 'hub'),
      gitHome: join(settings.data, 'git-home'),
      clock,
      env,
      mergeTracker: mergeIssues,
    })
    const gateway = createGateway({
      ...upstreamsOf(settings),
      scenariosFolder: settings.scenarios,
      clock,
      random,
      log,
      parked: store,
      limits,
    })
    const { recorder, logs, recoverLogs, removeLogs, idle } = createRecorder({
      folder: join(settings.data, 'logs'),
      store,
      clock,
      report: (error) => log.error({ error }, 'the recorder failed'),
    })
    await recoverLogs()
    teardown.add('recorder', idle)

    let url: string | null = null
    const linkFolder = await linkFolderIn(settings.data, store.instance)
    const projects = new Projects({
      store,
      hub,
      gateway,
      tracker: createTracker({ clock, env }),
      clock,
      log,
      defaultModel: settings.model,
      link: (project, bead) => (url === null ? null : `${url}/p/${project}/b/${bead}`),
    })
    const { prices, currency } = settings.models
    const runnerDeps = { store, engine, hub, gateway, recorder, logs, clock, log, linkFolder, prices }
    const runner = new Runner(runnerDeps, projects)
    const index = new LiveIndex(store)
    const plan = new PlanMemory(index)
    const facts = new ServerFacts({
      engine,
      gateway,
      clock,
      data: settings.data,
      model: settings.model,
      changed: () => statusChanged(),
    })
    const claims = new ClaimGate({ store, projects, clock, log, answered: () => scheduler.nudge() })
    const scheduler = createScheduler({
      store,
      index,
      plan,
      projects,
      facts,
      runner,
      claims,
      clock,
      log,
      slots: settings.slots,
      random,
    })
    const statusChanged = () => {
      try {
        store.touch('status', null, ['server'])
      } catch (error) {
        log.error({ error }, 'a change of the status could not be told') // a full disk; the next look tells again
      }
      scheduler.nudge()
    }
    teardown.add(
      'listeners',
      store.onChange(() => scheduler.nudge()),
    )

    const activities = new Activities(store, clock, stopping.signal, (error) =>
      log.error({ error }, 'an activity could not be told'),
    )
    const startedAt = clock.now()
    const backups = settings.backups
      ? new Backups({
          folder: backupFolder(settings.data),
          database,
          backUp: backUpAside,
          seq: store.seq,
          found,
          clock,
          log,
          changed: () => statusChanged(),
        })
      : null
    const status = () =>
      serverStatus({ store, index, plan, facts, backups, clock, slots: settings.slots, version: VERSION, startedAt })
    const views = new ServerViews({ store, index, plan, projects, activities, clock, status, currency })
    const asked = { checks: () => ownChecks(settings, env), readers: () => stream.counts(), version: VERSION }
    const system = new System({ store, engine, index, activities, clock, ...asked })
    teardown.add('system', system.stop)
    const queries = createQueries({
      store,
      hub,
      views,
      metrics: () => metricsText(status(), process.memoryUsage()),
      sync: (project) => syncView({ store, hub, projects, views }, project),
      system: system.view,
      agents: () => listAgents({ engine, gateway }),
    })
    const commands = createCommands({ store, hub, projects, views, runner, scheduler, removeLogs, clock, random })
    const reviews = createReviews({ store, hub, plan, scheduler, random })
    const pullRequests = createPullRequests({
      store,
      hub,
      forges: createForges({ data: settings.data, env, clock }),
      reviews,
      obstacle: (row) => projects.obstacle(row),
      cancelExecution: (id) => commands.cancel(id),
      clock,
      log,
      random,
    })
    let allowed = allowedOn(settings.port, [settings.host])
    const http = createHttp({
      queries,
      commands,
      reviews,
      pullRequests: pullRequests.api,
      settings: createSettings({ store, hub, projects, scheduler, settings }),
      logs,
      clock,
      version: VERSION,
      token,
      hosts: () => allowed.hosts,
      origins: () => allowed.origins,
      dashboardFolder: join(root, 'apps', 'web', 'dist'),
      report: (error, where) => log.error({ error, where }, 'a request met a bug of ours'),
    })
    const stream = createStream({
      feed: store,
      views,
      logs,
      clock,
      admit: http.access.admit,
      build: VERSION,
      report: (error) => log.error({ error }, 'the stream met a bug of ours'),
    })
    http.server.on('upgrade', stream.upgrade)

    const port = await listen(http.server, settings)
    allowed = allowedOn(port, [settings.host])
    teardown.add('http', () => http.close())
    teardown.add('stream', () => stream.close())
    url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`
    const serverFile: ServerFile = { url, pid: process.pid }
    await writeFile(serverFilePath(settings.data), JSON.stringify(serverFile), { mode: 0o600 })
    teardown.add('server file', () => rm(serverFilePath(settings.data), { force: true }))

    const demo = async () => {
      if (settings.demo)
        await addDemo({ store, projects, ...demoRepository({ data: settings.data, root, env, clock }) })
    }
    const parts = {
      store,
      facts,
      projects,
      scheduler,
      demo,
      recover: () => recover(runnerDeps, runner, projects),
      sweep: () => sweep(runnerDeps, runner, projects),
      clock,
      log,
    }
    const copying = backups?.follow(stopping.signal)
    const working = Promise.all([
      work(parts, stopping.signal).catch((error) => log.fatal({ error }, 'the server cannot work')),
      facts.follow(stopping.signal),
      pullRequests.run(stopping.signal).catch((error) => log.fatal({ error }, 'no pull request can be opened')),
    ])
    teardown.add('work', async () => {
      stopping.abort()
      await runner.detach(DETACH_LIMIT_MS)
      await working
      await Promise.race([copying, clock.sleep(DETACH_LIMIT_MS)]) // one that is cut off has no name yet
    })
    return { url, token, store, status, stop: () => teardown.run() }
  } catch (error) {
    stopping.abort()
    await teardown.run()
    throw error
  }
}
