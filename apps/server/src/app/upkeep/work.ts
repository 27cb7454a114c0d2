import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/logger.ts'
import type { Scheduler } from '../../scheduler/scheduler.ts'
import type { Projects } from '../projects/projects.ts'
import type { ServerFacts } from '../engines/server-facts.ts'

export type WorkDeps = {
  store: Pick<Store, 'projects' | 'liveExecutions'>
  facts: ServerFacts
  projects: Projects
  scheduler: Scheduler
  /** Adds the demo project if it is wanted. */
  demo: () => Promise<unknown>
  /** Continues an earlier server's executions on an engine; may be tried again. */
  recover: (engine: string) => Promise<void>
  /** Takes the steps after ends that an earlier server has not taken; may be tried again. */
  finish: () => Promise<void>
  /** Removes containers that are no longer needed; may be tried again. */
  sweep: (engine: string) => Promise<void>
  clock: Clock
  log: Logger
}

/** A remote that does not answer must not keep the other projects from starting. */
const FIRST_SYNC_MS = 10_000
const RETRY_MS = 5_000
const SWEEP_MS = 60_000
const NEW_ENGINE_MS = 1_000

/** Everything the server does on its own, until `stop`. Failures are logged and tried again; it never ends early. */
export async function work(deps: WorkDeps, stop: AbortSignal): Promise<void> {
  const { store, facts, projects, scheduler, demo, log } = deps
  await facts.look()
  // Running executions are recovered before any remote is asked: their agents wait for the server.
  const recovered = canContinue(deps) ? recoverAll(deps, stop) : null
  await demo().catch((error) => log.error({ error }, 'could not add the demo project'))
  await Promise.all(store.projects().map(({ id }) => firstSync(deps, id)))
  await Promise.all([recovered ?? recoverAll(deps, stop), scheduler.run(stop), projects.follow(stop)])
}

/** Whether every running execution can continue with the stored facts about its project. */
function canContinue({ store, projects }: WorkDeps): boolean {
  try {
    for (const { project, state } of store.liveExecutions()) if (state === 'RUNNING') projects.open(project)
    return true
  } catch {
    return false // its settings have to be read first
  }
}

async function firstSync({ projects, clock, log }: WorkDeps, project: ProjectId): Promise<void> {
  const done = new AbortController()
  const synced = projects
    .sync(project, 'start')
    .catch((error) => log.warn({ error, project }, 'could not read a project'))
    .finally(() => done.abort())
  await Promise.race([synced, clock.sleep(FIRST_SYNC_MS, done.signal)])
}

/** Recovers each engine when it answers, including one that a project begins to use later. */
async function recoverAll(deps: WorkDeps, stop: AbortSignal): Promise<void> {
  const begun = new Map<string, Promise<void>>()
  let finished: Promise<void> | null = null
  const finish = () =>
    (finished ??= untilDone(deps, stop, 'could not finish what the last server has ended', deps.finish))
  while (!stop.aborted) {
    for (const name of deps.facts.enginesInUse())
      if (!begun.has(name)) begun.set(name, recoverThenSweep(deps, name, finish, stop))
    await deps.clock.sleep(NEW_ENGINE_MS, stop)
  }
  await Promise.all(begun.values())
}

/**
 * Running executions continue before any remote is asked, and nothing new starts before the rest is done.
 *
 * @param finish takes the steps after ends, of the executions of all engines: an ended one is on none
 */
async function recoverThenSweep(
  deps: WorkDeps,
  engine: string,
  finish: () => Promise<void>,
  stop: AbortSignal,
): Promise<void> {
  const { facts, recover, sweep, clock, log } = deps
  const onceUp = (failed: string, act: (engine: string) => Promise<void>) =>
    untilDone(deps, stop, `${failed} on ${engine}`, async () => {
      await facts.whenAnswers(engine, stop)
      if (!stop.aborted) await act(engine)
    })
  await onceUp('could not recover what the last server left running', recover)
  if (stop.aborted) return
  await Promise.all([finish(), onceUp('could not look for leftover containers', sweep)])
  if (stop.aborted) return
  facts.recovered(engine)
  while (!stop.aborted) {
    await clock.sleep(SWEEP_MS, stop)
    if (!stop.aborted && facts.engine(engine).ok)
      await sweep(engine).catch((error) => log.warn({ error, engine }, 'could not look for leftover containers'))
  }
}

/** Tries it again until it succeeds, or until `stop`. Never rejects. */
async function untilDone(
  { clock, log }: WorkDeps,
  stop: AbortSignal,
  failed: string,
  act: () => Promise<void>,
): Promise<void> {
  while (!stop.aborted) {
    try {
      return await act()
    } catch (error) {
      log.error({ error }, `${failed}; trying again`)
      await clock.sleep(RETRY_MS, stop)
    }
  }
}
