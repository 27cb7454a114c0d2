import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { memoryNote as memoryNoteOf } from '@beadloom/core/project/memory-share.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { databaseCheck } from '../health/database-check.ts'
import { ownChecks } from '../health/own-checks.ts'
import { createForges } from '../forge/create-forges.ts'
import type { ApiDeps } from '../api/api-routes.ts'
import { askReview } from '../api/reviews/reviews.ts'
import { PullRequestDriver } from '../app/pull-requests/pull-request-driver.ts'
import { eachTime } from '../ports/once.ts'
import { Activities } from '../app/views/activity.ts'
import { ServerViews } from '../app/views/views.ts'
import type { ProjectRow } from '../ports/store/projects.ts'
import type { Store } from '../ports/store.ts'
import { baseState, baseView } from '../app/views/base-view.ts'
import { Adding } from '../app/projects/adding.ts'
import { settingsOf } from '../app/stored/stored-settings.ts'
import { ConfigChanges } from '../app/settings/config-changes.ts'
import { listAgents } from '../app/engines/agents.ts'
import { slotsOf } from '../app/scheduling/engine-slots.ts'
import { loadOf } from '../app/health/load.ts'
import { readiness } from '../app/health/readiness.ts'
import { metricsText } from '../app/health/metrics.ts'
import { serverStatus } from '../app/health/status.ts'
import { System } from '../app/health/system.ts'
import { webhookCheck } from '../webhooks/webhook-check.ts'
import { ImagePushes } from '../workflow/proofs/image-pushes.ts'
import type { Proofs } from '../workflow/proofs/proofs.ts'
import type { Parts } from './parts.ts'
import { VERSION, type Place } from './place.ts'
import { slotsSharing, type EngineSettings } from '../process/settings/engine-settings.ts'
import type { Working } from './working.ts'

/** The parts that answer the API and the stream. */
export type Answers = {
  api: Omit<ApiDeps, 'tickets' | 'token'>
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
  const pushes = new ImagePushes({ proofs, clock, log })
  teardown.add('pushes of images', () => pushes.detach())
  const reviewing = { store, hub, schedule, scheduler, random }
  const pullRequests = new PullRequestDriver({
    store,
    patient,
    hub,
    forges: createForges({ data: settings.data, env, clock }),
    aside,
    askReview: (project) => askReview(reviewing, project, {}, eachTime),
    clock,
    log,
  })
  const api: Answers['api'] = {
    ...reviewing,
    status,
    system: system.view,
    agents: () => listAgents({ engine: engines.of(LOCAL_ENGINE), gateway }),
    ready: () => readiness({ store, facts }),
    metrics: () => metricsText(status(), process.memoryUsage(), loadOf({ store, index, facts, slotsOf: slotsAt })),
    patient,
    aside,
    views,
    clock,
    log,
    currency,
    people: settings.people,
    adding: new Adding(clock),
    projects,
    removeWithLogs,
    removed: (id) => {
      working.secrets.forget(id)
      pushes.forget(id)
      images.nudge()
    },
    base,
    proofs,
    pushes,
    registryOf: (engine) => registryOf(settings.engines.get(engines.nameOf(engine))),
    logEnd: recording.apart.end,
    executions,
    budget,
    leftContainers,
    pullRequests,
    secrets: working.secrets,
    settings,
    config: new ConfigChanges(settings.data),
    memoryNote,
    webhooks: working.webhooks,
    logs,
  }
  const runPullRequests = (stop: AbortSignal) => pullRequests.run(stop)
  return { api, views, status, bases: () => basesOf(store, proofs), runPullRequests }
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
