import type { PoolProject } from '../sandbox/warm/warm-pool.ts'

/** `full`: the engine has no place for more containers. `away`: nothing starts there for any other reason. */
export type EngineState = 'free' | 'full' | 'away'

type Facts = {
  row: { autopilot: boolean | null; paused: boolean }
  /** The repository's own choice. */
  autopilot: boolean
  /** Something keeps the project from starting anything. */
  isHeld: boolean
  engine: EngineState
  /** An execution of any project waits to start. */
  isAnyQueued: boolean
}

/**
 * Whether sandboxes wait for a project's executions. `paused`: those that wait are closed; if an engine is full, they
 * make room for a queued execution. `held`: none is opened, and none is closed for it.
 */
export const warmWish = ({
  row,
  autopilot,
  isHeld,
  engine,
  isAnyQueued,
}: Facts): Pick<PoolProject, 'autopilot' | 'paused' | 'held'> => ({
  autopilot: row.autopilot ?? autopilot,
  paused: row.paused || (engine === 'full' && isAnyQueued),
  held: isHeld || engine === 'away',
})
