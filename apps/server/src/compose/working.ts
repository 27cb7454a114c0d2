import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { BLOCKED_GRACE_MS } from '@beadloom/core/execution/session-order.ts'
import { createTracker } from '../beads/find-tracker.ts'
import type { CommonDeps } from '../execution/deps.ts'
import { Budget } from '../budget/budget.ts'
import { ExtraSlots } from '../execution/extra-slots.ts'
import { LentSlots } from '../execution/lent-slots.ts'
import { MergeTurns } from '../execution/merge-turns.ts'
import { ProjectEnvironments } from '../sandbox/project-environment.ts'
import { LeftContainers } from '../sandbox/unsaved-containers.ts'
import type { WarmPool } from '../sandbox/warm/warm-pool.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import { Wake } from '../scheduler/wake.ts'
import { Projects } from '../app/projects/projects.ts'
import { hubProject, settingsOf } from '../app/stored/stored-settings.ts'
import { createScheduler } from '../app/scheduling/dispatch.ts'
import { Proofs } from '../workflow/proofs/proofs.ts'
import { LiveIndex } from '../app/scheduling/live-index.ts'
import { NewestSettings } from '../app/scheduling/newest-settings.ts'
import { SlotPlaces } from '../app/scheduling/slot-places.ts'
import { ScheduleMemory } from '../app/scheduling/schedule-memory.ts'
import { backupFolder } from '../app/backups/backup-folder.ts'
import { Backups } from '../app/backups/backups.ts'
import { ImageKeeper } from '../app/engines/image-keeper.ts'
import { ServerFacts } from '../app/engines/server-facts.ts'
import { ClaimGate } from '../app/scheduling/claim-gate.ts'
import { backUpAside } from '../store/database/back-up-aside.ts'
import { Executions } from '../workflow/executions.ts'
import { releaseWaiting } from '../workflow/recover.ts'
import { StoreError } from '../ports/store/errors.ts'
import { secretFile, type Secrets } from '../process/secret-file.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { warmPool } from './warm.ts'
import type { Overrides, Parts } from './parts.ts'
import type { Place } from './place.ts'

/** The address at which people reach the server; null until it listens. */
export type Address = { url: string | null }

/** The parts that work by themselves: they follow projects, start and drive executions, and make backups. */
export type Working = {
  projects: Projects
  environments: Pick<ProjectEnvironments, 'leftOut'>
  executions: Executions
  executionDeps: CommonDeps
  leftContainers: LeftContainers
  scheduler: Scheduler
  index: LiveIndex
  schedule: ScheduleMemory
  places: SlotPlaces
  facts: ServerFacts
  /** Null if switched off. */
  backups: Backups | null
  warm: WarmPool
  proofs: Proofs
  secrets: Secrets
  images: ImageKeeper
  webhooks: Webhooks
}

export async function composeWorking(
  place: Place,
  parts: Parts,
  address: Address,
  overrides: Overrides,
  secretMark: CommonDeps['secretMark'],
): Promise<Working> {
  const { settings, env, log, clock, random, teardown } = place
  const { patient: store, engines, hub, gateway, egress, aside, recording } = parts
  await releaseWaiting(store)
  const wake = new Wake()
  const statusChanged = () => {
    void store.touch('status', null, ['server'])
    wake.nudge()
  }
  const places = new SlotPlaces({ store, settings, engines, health: (engine) => facts.engine(engine) })
  const extraSlots = new ExtraSlots({
    store,
    capacity: places,
    place: (project) => places.ofProject(project),
    engineOf: (execution) => places.engineOf(execution),
    freed: () => wake.nudge(),
  })
  const environments = new ProjectEnvironments({ engines, hub, store, clock })
  const secrets = secretFile(settings.data)
  const proofs = new Proofs({
    secrets,
    store,
    engines,
    hub,
    egress,
    aside,
    recorder: recording.apart.recorder,
    removeLogs: recording.apart.remove,
    environments,
    projects: { settings: settingsOf, hub: hubProject },
    extraSlots,
    clock,
    log,
    random,
    changed: () => wake.nudge(),
    over: (project) => newest.again(project),
  })
  await recording.apart.keepOnly(store.projects().flatMap(({ id }) => store.proofs(id).map((proof) => proof.id)))
  const link = (project: string, bead: string) =>
    address.url === null ? null : `${address.url}/p/${project}/b/${bead}`
  const budget = new Budget({ store, clock, server: settings.budget, currency: settings.models.currency })
  const projects = new Projects({
    store,
    hub,
    aside,
    gateway,
    tracker: createTracker({
      clock,
      env,
      own: settings.data,
      trusted: settings.trustedTrackers,
      issues: aside.issues,
    }),
    clock,
    log,
    defaultModel: settings.model,
    base: proofs,
    budget,
    link,
  })
  const { recorder, logs } = recording
  const { prices, currency, windows, hostedTools } = settings.models
  const { blockedGraceMs = BLOCKED_GRACE_MS } = overrides
  const warm = warmPool(place, parts, overrides, { projects, facts: () => facts, changed: statusChanged })
  const executionDeps = {
    store,
    engines,
    hub,
    gateway,
    egress,
    aside,
    recorder,
    logs,
    clock,
    log,
    prices: { prices, currency },
    windows,
    hostedTools,
    blockedGraceMs,
    secrets,
    secretMark,
    budget,
    extraSlots,
    lentSlots: new LentSlots(extraSlots),
    mergeTurns: new MergeTurns(clock),
    warm,
  }
  const executions = new Executions(executionDeps, projects, environments)
  const leftContainers = new LeftContainers(executionDeps, (execution) => executions.liveOf(execution))
  const index = new LiveIndex(parts.store)
  const schedule = new ScheduleMemory(index, Object.keys(settings.people?.projects ?? {}).length === 0)
  const { data, model } = settings
  const facts = new ServerFacts({ engines, gateway, store, clock, data, model, changed: statusChanged })
  const claims = new ClaimGate({ store, projects, clock, log, answered: () => wake.nudge() })
  const newest = new NewestSettings({ store, projects, clock, ask: (id) => proofs.ask(id), read: () => wake.nudge() })
  const scheduler = createScheduler({
    store,
    index,
    schedule,
    projects,
    facts,
    executions,
    claims,
    newest,
    proofs,
    clock,
    log,
    places,
    extraSlots,
    random,
    wake,
  })
  teardown.add(
    'listeners',
    store.onChange(() => wake.nudge()),
  )
  const backups = settings.backups ? backupsOf(place, parts, statusChanged) : null
  const images = new ImageKeeper({ engine: engines.of(LOCAL_ENGINE), store, clock, log })
  const webhooks = new Webhooks({ hooks: settings.webhooks, store, link, clock, random, log })
  const made = {
    projects,
    executions,
    executionDeps,
    leftContainers,
    scheduler,
    index,
    schedule,
    places,
    facts,
    backups,
    warm,
  }
  return { ...made, environments, proofs, images, secrets, webhooks }
}

function backupsOf({ settings, clock, log }: Place, { store, database }: Parts, changed: () => void): Backups {
  const { file, found } = database
  const folder = backupFolder(settings.data)
  const backUp = async (from: string, target: string) => {
    await store.writable(0)
    const trouble = store.trouble()
    if (trouble?.kind === 'gone') throw new StoreError('gone', trouble.text) // the file there may be another one
    return backUpAside(from, target)
  }
  return new Backups({
    folder,
    database: file,
    backUp,
    kept: store.keptContainers,
    seq: store.seq,
    found,
    clock,
    log,
    changed,
  })
}
