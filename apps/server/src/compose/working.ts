import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { BLOCKED_GRACE_MS } from '@beadloom/core/execution/session-order.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { CommonDeps } from '../execution/deps.ts'
import { ExtraSlots } from '../execution/extra-slots.ts'
import { LentSlots } from '../execution/lent-slots.ts'
import { News } from '../execution/news.ts'
import { MergeTurns } from '../execution/merge-turns.ts'
import type { ProjectEnvironments } from '../sandbox/project-environment.ts'
import { LeftContainers } from '../sandbox/unsaved-containers.ts'
import type { WarmPool } from '../sandbox/warm/warm-pool.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import { Wake } from '../scheduler/wake.ts'
import type { Projects } from '../app/projects/projects.ts'
import type { Proofs } from '../workflow/proofs/proofs.ts'
import type { LiveIndex } from '../app/scheduling/live-index.ts'
import { SlotPlaces } from '../app/scheduling/slot-places.ts'
import type { ScheduleMemory } from '../app/scheduling/schedule-memory.ts'
import { backupFolder } from '../app/backups/backup-folder.ts'
import { Backups } from '../app/backups/backups.ts'
import { ImageKeeper } from '../app/engines/image-keeper.ts'
import type { ServerFacts } from '../app/engines/server-facts.ts'
import { backUpAside } from '../store/database/back-up-aside.ts'
import { Executions } from '../workflow/executions.ts'
import { releaseWaiting } from '../workflow/recover.ts'
import { StoreError } from '../ports/store/errors.ts'
import type { Secrets } from '../process/secret-file.ts'
import { Webhooks } from '../webhooks/webhooks.ts'
import { composeProjects } from './projects.ts'
import { composeScheduling } from './scheduling.ts'
import { warmPool } from './warm.ts'
import type { Overrides, Parts } from './parts.ts'
import type { Address, Place } from './place.ts'

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
  const { settings, log, clock, random, teardown } = place
  const { patient: store, engines } = parts
  await releaseWaiting(store)
  const wake = new Wake()
  const nudge = () => wake.nudge()
  const statusChanged = () => {
    void store.touch('status', null, ['server'])
    nudge()
  }
  const places = new SlotPlaces({ store, settings, engines, health: (engine) => scheduling.facts.engine(engine) })
  const extraSlots = new ExtraSlots({
    store,
    capacity: places,
    place: (project) => places.ofProject(project),
    engineOf: (execution) => places.engineOf(execution),
    freed: nudge,
  })
  const around = { extraSlots, nudge, over: (project: ProjectId) => scheduling.newest.again(project) }
  const known = await composeProjects(place, parts, address, around)
  const { projects, environments, proofs, secrets, budget, link } = known
  const later = { projects, facts: () => scheduling.facts, changed: statusChanged }
  const warm = warmPool(place, parts, overrides, later)
  const executionDeps = depsOf(place, parts, overrides, { secretMark, secrets, budget, extraSlots, warm })
  const executions = new Executions(executionDeps, projects, environments)
  const leftContainers = new LeftContainers(executionDeps, (execution) => executions.liveOf(execution))
  const scheduling = composeScheduling(place, parts, {
    projects,
    proofs,
    executions,
    places,
    extraSlots,
    wake,
    statusChanged,
  })
  teardown.add('listeners', store.onChange(nudge))
  const { index, schedule, facts, scheduler } = scheduling
  return {
    projects,
    environments,
    executions,
    executionDeps,
    leftContainers,
    scheduler,
    index,
    schedule,
    places,
    facts,
    backups: settings.backups ? backupsOf(place, parts, statusChanged) : null,
    warm,
    proofs,
    secrets,
    images: new ImageKeeper({ engine: engines.of(LOCAL_ENGINE), store, clock, log }),
    webhooks: new Webhooks({ hooks: settings.webhooks, store, link, clock, random, log }),
  }
}

type Chosen = Pick<CommonDeps, 'secretMark' | 'secrets' | 'budget' | 'extraSlots' | 'warm'>

/** The tools of every execution. */
function depsOf(
  { settings, log, clock }: Place,
  { patient: store, engines, hub, gateway, egress, aside, recording: { recorder, logs } }: Parts,
  { blockedGraceMs = BLOCKED_GRACE_MS }: Overrides,
  chosen: Chosen,
): CommonDeps {
  const { prices, currency, windows, hostedTools } = settings.models
  return {
    ...chosen,
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
    lentSlots: new LentSlots(chosen.extraSlots),
    holdNews: new News(),
    mergeTurns: new MergeTurns(clock),
  }
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
