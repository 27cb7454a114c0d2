import type { ProjectId } from '@beadloom/core/ids.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'

/** What the steps after an end work with. `sync` reads the project and its tracker again. */
export type EndingDeps = Pick<ExecutionDeps, 'store' | 'engine' | 'hub' | 'logs' | 'log' | 'clock'> & {
  sync: (project: ProjectId) => Promise<void>
}
