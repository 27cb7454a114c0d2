import { freeMemory } from '../process/free-memory.ts'
import { WarmPool, type PoolProject } from '../sandbox/warm/warm-pool.ts'
import { hubProject, settingsOf } from '../app/stored/stored-settings.ts'
import type { Projects } from '../app/projects/projects.ts'
import type { ServerFacts } from '../app/engines/server-facts.ts'
import type { Overrides, Parts } from './parts.ts'
import type { Place } from './place.ts'

const LOOK_MS = 5_000

/** `facts` is a function because the facts are made later. */
export type AroundPool = { projects: Pick<Projects, 'obstacle'>; facts: () => ServerFacts; changed: () => void }

export function warmPool(
  { settings, log, clock, random }: Place,
  { patient: store, engines, hub }: Parts,
  { memory = freeMemory, warmLookMs = LOOK_MS }: Overrides,
  { projects, facts, changed }: AroundPool,
): WarmPool {
  /** If an engine is full, a waiting sandbox makes room for a queued execution. */
  const hasToMakeRoom = (engine: string): boolean =>
    isFull(engine) && store.liveExecutions().some(({ state }) => state === 'QUEUED')
  const isFull = (engine: string) => facts().engineObstacle(engine)?.code === 'engine_full'
  const isAway = (engine: string) => facts().engineObstacle(engine) !== null && !isFull(engine)
  const project = (row: ReturnType<typeof store.projects>[number]): PoolProject[] => {
    const read = settingsOf(row)
    if (read === null) return []
    const own = { ...read, engine: engines.nameOf(read.engine) }
    const [newest] = store.executions({ project: row.id, limit: 1 })
    return [
      {
        hub: hubProject(row),
        settings: own,
        autopilot: row.autopilot ?? own.autopilot,
        paused: row.paused || hasToMakeRoom(own.engine),
        held: projects.obstacle(row) !== null || isAway(own.engine),
        lastAt: newest?.queuedAt ?? null,
      },
    ]
  }
  return new WarmPool({
    store,
    engines,
    hub,
    clock,
    log,
    random,
    projects: () => store.projects().flatMap(project),
    mayOpen: () => facts().obstacle() === null,
    memory,
    most: settings.warm,
    lookMs: warmLookMs,
    changed,
  })
}
