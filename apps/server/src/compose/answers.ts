import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { createForges } from '../forge/create-forges.ts'
import type { ApiDeps } from '../api/api-routes.ts'
import { askReview } from '../api/reviews/reviews.ts'
import { PullRequestDriver } from '../app/pull-requests/pull-request-driver.ts'
import { eachTime } from '../ports/once.ts'
import type { ServerViews } from '../app/views/views.ts'
import type { Store } from '../ports/store.ts'
import { baseState } from '../app/views/base-view.ts'
import { Adding } from '../app/projects/adding.ts'
import { settingsOf } from '../app/stored/stored-settings.ts'
import { ConfigChanges } from '../app/settings/config-changes.ts'
import { listAgents } from '../app/engines/agents.ts'
import { readiness } from '../app/health/readiness.ts'
import { ImagePushes } from '../workflow/proofs/image-pushes.ts'
import type { Proofs } from '../workflow/proofs/proofs.ts'
import type { Parts } from './parts.ts'
import type { Place } from './place.ts'
import type { EngineSettings } from '../process/settings/engine-settings.ts'
import { composeViews } from './views.ts'
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
  const { settings, env, log, clock, random, teardown } = place
  const { store, patient, engines, hub, aside, gateway, recording } = parts
  const { budget, holdNews } = working.executionDeps
  const { projects, executions, leftContainers, scheduler, schedule, facts, images, proofs } = working
  const { logs, removeWithLogs } = recording
  const { views, base, memoryNote, status, system, metrics } = composeViews(place, parts, working, readers)
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
    system,
    gateway,
    agents: () => listAgents({ engine: engines.of(LOCAL_ENGINE), gateway }),
    ready: () => readiness({ store, facts }),
    metrics,
    patient,
    aside,
    views,
    clock,
    log,
    currency: settings.models.currency,
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
    holdNews,
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
