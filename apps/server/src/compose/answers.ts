import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { memoryNote as memoryNoteOf } from '@beadloom/core/project/memory-share.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { databaseCheck } from '../health/database-check.ts'
import { ownChecks } from '../health/own-checks.ts'
import { createForges } from '../forge/create-forges.ts'
import type { RouteDeps } from '../http/routing/route-table.ts'
import { Activities } from '../app/views/activity.ts'
import { createBudgets } from '../app/answers/budgets.ts'
import { createCommands } from '../app/answers/commands.ts'
import { containerApi } from '../app/views/kept-containers.ts'
import { createQueries } from '../app/answers/queries.ts'
import { createSavedViews } from '../app/answers/saved-views.ts'
import { ServerViews } from '../app/views/views.ts'
import type { ProjectRow } from '../ports/store/projects.ts'
import type { Store } from '../ports/store.ts'
import { baseApi, baseState, baseView } from '../app/proofs/base-api.ts'
import { Adding, addingApi } from '../app/projects/adding.ts'
import { createAudit } from '../app/people/audit.ts'
import { createPeople } from '../app/people/people.ts'
import { createPlans } from '../app/plans/plans.ts'
import { settingsOf } from '../app/stored/stored-settings.ts'
import { projectSecrets } from '../app/projects/project-secrets.ts'
import { inboxApi } from '../app/projects/inbox.ts'
import { ConfigChanges } from '../app/settings/config-changes.ts'
import { webhookList } from '../app/settings/webhook-list.ts'
import { createSettings } from '../app/projects/settings.ts'
import { createPullRequests } from '../app/pull-requests/pull-requests.ts'
import { createReviews } from '../app/reviews/reviews.ts'
import { listAgents } from '../app/engines/agents.ts'
import { slotsOf } from '../app/scheduling/engine-slots.ts'
import { loadOf } from '../app/health/load.ts'
import { readiness } from '../app/health/readiness.ts'
import { metricsText } from '../app/health/metrics.ts'
import { serverStatus } from '../app/health/status.ts'
import { System } from '../app/health/system.ts'
import { syncView } from '../app/answers/sync-view.ts'
import { webhookCheck } from '../webhooks/webhook-check.ts'
import { ImagePushes } from '../workflow/proofs/image-pushes.ts'
import type { Proofs } from '../workflow/proofs/proofs.ts'
import type { Parts } from './parts.ts'
import { VERSION, type Place } from './place.ts'
import { slotsSharing, type EngineSettings } from '../process/settings/engine-settings.ts'
import type { Working } from './working.ts'

/** The parts that answer the API and the stream. */
export type Answers = {
  routes: Omit<RouteDeps, 'tickets' | 'signIn' | 'token'>
  views: ServerViews
  status: () => ServerStatus
  /** The known state of the commits that beads start from, for every project that has been read. */
  bases: () => { project: ProjectId; workBranch: string; base: ReturnType<typeof baseState> }[]
  /** Opens the pull requests that people asked for, until `stop`. */
  runPullRequests: (stop: AbortSignal) => Promise<void>
}

/** @param readers figures of the stream, which itself is built from these answers */
export function composeAnswers(
  place: Place,
  parts: Parts,
  working: Working,
  readers: () => SystemView['readers'],
): Answers {
  const { settings, env, log, clock, random, teardown, stopping } = place
  const { store, patient, engines, hub, aside, gateway, recording } = parts
  const { extraSlots, budget } = working.executionDeps
  const {
    environments,
    projects,
    executions,
    leftContainers,
    scheduler,
    index,
    schedule,
    places,
    facts,
    backups,
    warm,
    images,
  } = working
  const { logs, removeWithLogs } = recording

  const report = (error: unknown) => log.error({ error }, 'an activity could not be told')
  const activities = new Activities(patient, clock, stopping, report)
  const startedAt = clock.now()
  const known = {
    store,
    index,
    schedule,
    facts,
    backups,
    clock,
    slots: places,
    extraSlots,
    version: VERSION,
    startedAt,
  }
  const status = () => serverStatus({ ...known, warm: warm.ready })
  const { currency } = settings.models
  const memoryNote = (asked: string | null, bytes: number) => {
    const name = engines.nameOf(asked)
    const { memoryBytes } = facts.engine(name)
    const engine = name === LOCAL_ENGINE ? null : name
    return memoryNoteOf({ engine, memoryBytes, slots: slotsSharing(name, settings) }, bytes)
  }
  const { proofs } = working
  const mending = (project: ProjectId) => index.mending(project)
  const base = (row: ProjectRow) => baseView({ proofs, mending }, row)
  const views = new ServerViews({
    store,
    hub,
    index,
    schedule,
    projects,
    base,
    leftOut: (project) => environments.leftOut(project),
    activities,
    clock,
    status,
    currency,
    budget,
    memoryNote,
    hostedTools: settings.models.hostedTools,
    people: settings.people !== null,
  })
  const checks = async () => {
    const webhooks = webhookCheck(store.webhooks())
    const database = databaseCheck(store.oddRows(), store.trouble())
    return [...(await ownChecks(settings, env)), database, ...(webhooks === null ? [] : [webhooks])]
  }
  const slotsAt = (engine: string) => slotsOf({ index, places, extraSlots }, engine)
  const system = new System({
    store,
    engines,
    facts,
    index,
    slotsOf: slotsAt,
    activities,
    clock,
    checks,
    images: () => images.view(),
    readers,
    version: VERSION,
  })
  teardown.add('system', system.stop)
  const queries = createQueries({
    store,
    hub,
    aside,
    views,
    metrics: () => metricsText(status(), process.memoryUsage(), loadOf({ store, index, facts, slotsOf: slotsAt })),
    ready: () => readiness({ store, facts }),
    base,
    sync: (project) => syncView({ store, hub, projects, views }, project),
    system: system.view,
    agents: () => listAgents({ engine: engines.of(LOCAL_ENGINE), gateway }),
    clock,
    currency,
    people: settings.people !== null,
  })
  const adding = new Adding(clock)
  const pushes = new ImagePushes({ proofs, clock, log })
  teardown.add('pushes of images', () => pushes.detach())
  const commands = createCommands({
    adding,
    store,
    hub,
    projects,
    views,
    executions,
    scheduler,
    removeWithLogs,
    removed: (id) => {
      working.secrets.forget(id)
      pushes.forget(id)
      images.nudge()
    },
    clock,
    random,
  })
  const reviews = createReviews({ store, hub, schedule, scheduler, random })
  const plans = createPlans({ store, patient, scheduler, views, log })
  const pullRequests = createPullRequests({
    store,
    patient,
    hub,
    forges: createForges({ data: settings.data, env, clock }),
    aside,
    reviews,
    obstacle: (row) => projects.obstacle(row),
    cancelExecution: (id) => commands.cancel(id),
    clock,
    log,
    random,
  })
  const config = new ConfigChanges(settings.data)
  const routes: Answers['routes'] = {
    queries,
    commands,
    adding: addingApi(adding),
    base: baseApi({
      store,
      proofs,
      mending,
      views,
      addBead: commands.addBead,
      pushes,
      registryOf: (engine) => registryOf(settings.engines.get(engines.nameOf(engine))),
      logEnd: recording.apart.end,
    }),
    budgets: createBudgets({ store, budget, views, nudge: () => scheduler.nudge(), clock }),
    containers: containerApi({ store, leftContainers }),
    audit: createAudit(store),
    people: createPeople({ store, settings: settings.people }),
    plans,
    reviews,
    pullRequests: pullRequests.api,
    savedViews: createSavedViews({ store }),
    inbox: inboxApi({ store }),
    secrets: projectSecrets({ store, secrets: working.secrets, log, again: (id) => proofs.lookAgain(id) }),
    settings: createSettings({ store, hub, aside, projects, scheduler, settings, config, memoryNote }),
    webhooks: webhookList({ config, store, running: working.webhooks }),
    logs,
    clock,
    version: VERSION,
  }
  return { routes, views, status, bases: () => basesOf(store, proofs), runPullRequests: pullRequests.run }
}

/** The registry for a cluster's images; null if it is no cluster, or gets images by a command. */
const registryOf = (engine: EngineSettings | undefined): string | null =>
  engine !== undefined && 'kubernetes' in engine ? (engine.kubernetes.images.registry ?? null) : null

const basesOf = (store: Pick<Store, 'projects'>, proofs: Proofs) =>
  store.projects().flatMap((row) => {
    const settings = settingsOf(row)
    if (settings === null) return []
    return [{ project: row.id, workBranch: settings.workBranch, base: baseState(proofs, row, settings) }]
  })
