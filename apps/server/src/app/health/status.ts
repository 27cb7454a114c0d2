import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { holdsSlot, type Execution } from '@beadloom/core/records/execution.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { figuresOf } from './figures.ts'
import type { Backups } from '../backups/backups.ts'
import type { LiveIndex } from '../scheduling/live-index.ts'
import type { ScheduleMemory } from '../scheduling/schedule-memory.ts'
import type { ServerFacts } from '../engines/server-facts.ts'

export type StatusDeps = {
  store: Store
  index: LiveIndex
  schedule: ScheduleMemory
  facts: ServerFacts
  /** Null: backups are off. */
  backups: Backups | null
  clock: Clock
  slots: { readonly total: number }
  /** Slots that executions have taken beside their own. */
  extraSlots: { readonly used: number }
  /** Sandboxes that wait for an execution. */
  warm: number
  version: string
  startedAt: number
}

/** The server at a glance, from present knowledge: asks nothing outside the process. */
export function serverStatus({
  store,
  index,
  schedule,
  facts,
  backups,
  clock,
  slots,
  extraSlots,
  warm,
  version,
  startedAt,
}: StatusDeps): ServerStatus {
  index.refresh()
  const live = index.live()
  const running = live.filter(({ state }) => state === 'RUNNING')
  const priority = ({ project, bead }: Execution): number => store.bead(project, bead)?.priority ?? 4
  const queued = live
    .filter(({ state }) => state === 'QUEUED')
    .sort((a, b) => priority(a) - priority(b) || a.queuedAt - b.queuedAt)
  const { docker, model, disk } = facts
  return {
    version,
    startedAt,
    now: clock.now(),
    slots: { total: slots.total, used: running.filter(holdsSlot).length + extraSlots.used },
    warm,
    queue: queued.map(({ id, project, bead }, at) => ({
      execution: id,
      project,
      bead,
      position: at + 1,
      reason: schedule.reason(project, bead),
    })),
    running: running.map(({ id }) => id),
    docker: { ok: docker.ok, text: docker.text, where: docker.where, weaker: docker.weaker },
    engines: facts.otherEngines(),
    model: { name: model.name, ok: model.ok, text: model.text },
    disk,
    database: store.trouble(),
    databaseNote: store.mended(),
    backups: backups?.view() ?? null,
    figures: figuresOf(store),
  }
}
