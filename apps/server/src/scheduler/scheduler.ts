import type { ExecutionId, ProjectId } from '@beadloom/core/ids.ts'
import { planDispatch, type DispatchPlan, type DispatchSnapshot } from '@beadloom/core/dispatch/plan-dispatch.ts'
import type { Clock } from '../process/clock.ts'
import type { Logger } from '../process/logger.ts'

export type SchedulerDeps = {
  snapshot: () => DispatchSnapshot
  start: (execution: ExecutionId) => boolean
  enqueue: (project: ProjectId, bead: DispatchPlan['enqueue'][number]['bead']) => void
  /** Called after every round, with what waits and why. */
  planned: (plan: DispatchPlan) => void
  clock: Clock
  log: Logger
}

/** The most that a missed nudge can cost. */
const HEARTBEAT_MS = 5_000
/** Changes come in bursts: the first one is handled at once, the others together after this. */
const BURST_MS = 20

/** The only place that starts an execution. */
export class Scheduler {
  #deps: SchedulerDeps
  #wake = new AbortController()

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
  }

  nudge(): void {
    this.#wake.abort('nudged') // without a reason, each nudge would create an error with a stack trace
  }

  async run(stop: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    while (!stop.aborted) {
      this.#wake = new AbortController() // changes from here on are for the next round
      try {
        this.round()
      } catch (error) {
        log.error({ error }, 'a scheduler round failed; trying again in the next one')
      }
      await clock.sleep(BURST_MS, stop)
      await clock.sleep(HEARTBEAT_MS, AbortSignal.any([stop, this.#wake.signal]))
    }
  }

  /** One round: queue what autopilot wants, start what fits, say why the rest waits. */
  round(): void {
    const { snapshot, start, enqueue, planned } = this.#deps
    let plan = planDispatch(snapshot())
    if (plan.enqueue.length > 0) {
      for (const { project, bead } of plan.enqueue) enqueue(project, bead)
      plan = planDispatch(snapshot()) // queued now, so they may start in this round
    }
    for (const execution of plan.start) start(execution)
    planned(plan)
  }
}
