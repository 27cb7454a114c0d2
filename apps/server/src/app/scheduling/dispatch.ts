import type { Bead } from '@beadloom/core/records/bead.ts'
import { newExecutionId, type BeadId, type ExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import type { Schedule, ExtraUse } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import type { NextForBead } from '@beadloom/core/records/planning.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import type { Executions } from '../../workflow/executions.ts'
import { Scheduler } from '../../scheduler/scheduler.ts'
import type { Wake } from '../../scheduler/wake.ts'
import type { ClaimGate } from './claim-gate.ts'
import type { LiveIndex } from './live-index.ts'
import type { ScheduleMemory } from './schedule-memory.ts'
import type { Proofs } from '../../workflow/proofs/proofs.ts'
import type { Projects } from '../projects/projects.ts'
import { settingsOf } from '../stored/stored-settings.ts'
import { asKind } from './as-kind.ts'
import { DispatchFeed } from './dispatch-feed.ts'
import { beadsFor, nextFor } from './next-for.ts'
import { partOf } from './running-plans.ts'
import type { NewestSettings } from './newest-settings.ts'
import { queueLimits } from './queue-limits.ts'
import type { ServerFacts } from '../engines/server-facts.ts'
import type { SlotPlaces } from './slot-places.ts'

export type DispatchDeps = {
  store: PatientStore
  index: LiveIndex
  schedule: ScheduleMemory
  projects: Projects
  facts: ServerFacts
  executions: Executions
  clock: Clock
  log: Logger
  /** The claims of beads in their trackers. */
  claims: ClaimGate
  newest: NewestSettings
  proofs: Pick<Proofs, 'mayStart' | 'forgetStarted'>
  places: SlotPlaces
  /** Slots that executions have taken beside their own, and those that wait for one; asked again after each round. */
  extraSlots: { uses(): ExtraUse[]; roundOver(over: Schedule['over']): void }
  /** In [0, 1). */
  random: () => number
  wake: Wake
}

/** The scheduler, fed with the server's live state. */
export function createScheduler(deps: DispatchDeps): Scheduler {
  const { store, schedule, executions, clock, log } = deps
  const feed = new DispatchFeed(deps)
  return new Scheduler({
    schedule: () => feed.schedule(),
    start,
    enqueue: (project, bead) => enqueue(deps, project, bead),
    scheduled: async (next) => {
      await deps.claims.release()
      deps.newest.forget()
      deps.proofs.forgetStarted()
      await tell(store, schedule, feed)
      deps.extraSlots.roundOver(next.over)
    },
    wake: deps.wake,
    clock,
    log,
  })

  async function start(id: ExecutionId): Promise<boolean> {
    try {
      const may = deps.newest.mayStart(id) && deps.proofs.mayStart(id) && deps.claims.mayStart(id)
      if (!may || !(await executions.start(id))) return false
      const project = store.execution(id)?.project
      if (project !== undefined) feed.countStart(project)
      return true
    } catch (error) {
      log.error({ error, execution: id }, 'could not start an execution')
      return false
    }
  }
}

async function enqueue({ store, random, log }: DispatchDeps, project: ProjectId, bead: BeadId): Promise<void> {
  const row = store.project(project)
  const its = store.bead(project, bead)
  if (!row || !its) return
  const settings = settingsOf(row)
  if (partOf(store, project, bead) !== null) return // its epic was queued in the same round
  const next = await nextOf(store, its, settings)
  if (next === null) return
  if (next.do === 'wait') return // the next schedule says so
  const queued = await store.queueExecution({
    id: newExecutionId(random),
    project,
    bead,
    context: '',
    byAutopilot: true,
    ...queueLimits(settings),
    ...asKind(next, { bead: its, settings }),
  })
  if ('refused' in queued) log.warn({ project, bead, why: queued.refused }, 'autopilot could not queue a bead')
}

/** Null: its children are no valid plan. A person who runs it is told why. */
async function nextOf(store: PatientStore, bead: Bead, settings: ProjectSettings | null): Promise<NextForBead | null> {
  const { project, id } = bead
  const ask = () => nextFor(bead, { settings, newest: store.plan(project, id), ...beadsFor(store, project) })
  const found = ask()
  if ('next' in found) return found.next
  if ('problems' in found) return null
  await store.addPlan({ project, bead: id, source: 'tracker', plan: found.add })
  const again = ask()
  return 'next' in again ? again.next : null
}

async function tell(store: PatientStore, schedule: ScheduleMemory, feed: DispatchFeed): Promise<void> {
  const changes = schedule.learn(feed)
  for (const { project, beads } of changes) {
    if (!store.project(project)) continue
    await store.touch('bead', project, beads)
    await store.touch('project', project, [project])
  }
  if (changes.length > 0) await store.touch('status', null, ['server'])
}
