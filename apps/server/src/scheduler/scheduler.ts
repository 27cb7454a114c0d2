import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Schedule } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import { Pace } from '@beadloom/core/time/pace.ts'
import type { Clock } from '../process/clock.ts'
import type { Logger } from '../process/logger.ts'
import type { Wake } from './wake.ts'

/** The actions of a round. */
export type RoundSchedule = Pick<Schedule, 'start' | 'enqueue' | 'over'>

export type SchedulerDeps = {
  schedule: () => RoundSchedule
  start: (execution: ExecutionId) => boolean | Promise<boolean>
  enqueue: (project: ProjectId, bead: Schedule['enqueue'][number]['bead']) => void | Promise<void>
  /** Called after every round, with what waits and the reasons. */
  scheduled: (schedule: RoundSchedule) => void | Promise<void>
  /** A missed wake costs a heartbeat. */
  wake: Wake
  clock: Clock
  log: Logger
}

const HEARTBEAT_MS = 5_000
/**
 * Changes come in bursts. A start needs two or three rounds (its project is read, its base known); a flood of changes
 * shares some.
 */
const ROUNDS = { atOnce: 4, stepMs: 20 }

/** The only place that starts an execution. */
export class Scheduler {
  readonly #deps: SchedulerDeps

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
  }

  nudge(): void {
    this.#deps.wake.nudge()
  }

  async run(stop: AbortSignal): Promise<void> {
    const { wake, clock, log } = this.#deps
    const pace = new Pace(ROUNDS)
    while (!stop.aborted) {
      await clock.sleep(pace.wait(clock.monotonic()), stop)
      const woken = wake.next() // later changes are for the next round
      pace.took(clock.monotonic())
      try {
        await this.round()
      } catch (error) {
        log.error({ error }, 'a scheduler round failed; trying again in the next one')
      }
      await clock.sleep(HEARTBEAT_MS, AbortSignal.any([stop, woken]))
    }
  }

  /** Makes one round: queues what autopilot wants, starts what fits, says why the rest waits. */
  async round(): Promise<void> {
    const { start, enqueue, scheduled } = this.#deps
    let schedule = this.#deps.schedule()
    if (schedule.enqueue.length > 0) {
      for (const { project, bead } of schedule.enqueue) await enqueue(project, bead)
      schedule = this.#deps.schedule() // they are queued now, so they may start in this round
    }
    for (const execution of schedule.start) await start(execution)
    await scheduled(schedule)
  }
}
