import { freeMemory } from '../process/free-memory.ts'
import { WarmPool, type PoolProject } from '../sandbox/warm/warm-pool.ts'
import { hubProject, settingsOf } from '../app/stored/stored-settings.ts'
import type { Projects } from '../app/projects/projects.ts'
import type { ServerFacts } from '../app/engines/server-facts.ts'
import type { Overrides, Parts } from './parts.ts'
import type { Place } from './place.ts'
import { warmWish, type EngineState } from './warm-wish.ts'

const LOOK_MS = 5_000

/** `facts` is a function because the facts are made later. */
export type AroundPool = { projects: Pick<Projects, 'obstacle'>; facts: () => ServerFacts; changed: () => void }

export function warmPool(
  { settings, log, clock, random }: Place,
  { patient: store, engines, hub }: Parts,
  { memory = freeMemory, warmLookMs = LOOK_MS }: Overrides,
  { projects, facts, changed }: AroundPool,
): WarmPool {
  const stateOf = (engine: string): EngineState => {
    const obstacle = facts().engineObstacle(engine)
    return obstacle === null ? 'free' : obstacle.code === 'engine_full' ? 'full' : 'away'
  }
  const isAnyQueued = () => store.liveExecutions().some(({ state }) => state === 'QUEUED')
  const project = (row: ReturnType<typeof store.projects>[number]): PoolProject[] => {
    const read = settingsOf(row)
    if (read === null) return []
    const own = { ...read, engine: engines.nameOf(read.engine) }
    const engine = stateOf(own.engine)
    const [newest] = store.executions({ project: row.id, limit: 1 })
    return [
      {
        hub: hubProject(row),
        settings: own,
        ...warmWish({
          row,
          autopilot: own.autopilot,
          isHeld: projects.obstacle(row) !== null,
          engine,
          isAnyQueued: engine === 'full' && isAnyQueued(),
        }),
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
