import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { memoryNote as memoryNoteOf } from '@beadloom/core/project/memory-share.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { databaseCheck } from '../health/database-check.ts'
import { ownChecks } from '../health/own-checks.ts'
import { Activities } from '../app/views/activity.ts'
import { baseView } from '../app/views/base-view.ts'
import { ServerViews } from '../app/views/views.ts'
import { slotsOf } from '../app/scheduling/engine-slots.ts'
import { loadOf } from '../app/health/load.ts'
import { metricsText } from '../app/health/metrics.ts'
import { serverStatus } from '../app/health/status.ts'
import { System } from '../app/health/system.ts'
import { memoryUse } from '../process/memory-use.ts'
import { slotsSharing } from '../process/settings/engine-settings.ts'
import type { ProjectRow } from '../ports/store/projects.ts'
import { webhookCheck } from '../webhooks/webhook-check.ts'
import type { Parts } from './parts.ts'
import { VERSION, type Place } from './place.ts'
import type { Working } from './working.ts'

/** The rows that people see, and how the server is. */
export function composeViews(place: Place, parts: Parts, working: Working, readers: () => SystemView['readers']) {
  const { settings, env, log, clock, teardown, stopping } = place
  const { store, patient, engines, hub } = parts
  const { extraSlots, budget } = working.executionDeps
  const { environments, projects, index, schedule, places, facts, backups, warm, images, proofs } = working
  const report = (error: unknown) => log.error({ error }, 'an activity could not be told')
  const activities = new Activities(patient, clock, stopping, report)
  const known = { store, index, schedule, facts, backups, clock, slots: places, extraSlots, version: VERSION }
  const startedAt = clock.now()
  const status = () => serverStatus({ ...known, startedAt, warm: warm.ready })
  const memoryNote = (asked: string | null, bytes: number) => {
    const name = engines.nameOf(asked)
    const { memoryBytes } = facts.engine(name)
    const engine = name === LOCAL_ENGINE ? null : name
    return memoryNoteOf({ engine, memoryBytes, slots: slotsSharing(name, settings) }, bytes)
  }
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
    currency: settings.models.currency,
    budget,
    memoryNote,
    hostedTools: settings.models.hostedTools,
    people: settings.people !== null,
  })
  const checks = async () => {
    const webhooks = webhookCheck(store.webhooks())
    const database = databaseCheck(store.oddRows(), { database: store.trouble(), databaseNote: store.mended() })
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
  const metrics = () => metricsText(status(), memoryUse(), loadOf({ store, index, facts, slotsOf: slotsAt }))
  return { views, base, memoryNote, status, system: system.view, metrics }
}
