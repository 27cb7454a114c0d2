import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { CommonDeps } from '../../execution/deps.ts'

/** The parts for the steps after an end. `sync` reads the project and its tracker again. */
export type EndingDeps = Pick<CommonDeps, 'store' | 'engines' | 'hub' | 'logs' | 'log' | 'clock' | 'aside'> & {
  sync: (project: ProjectId) => Promise<void>
}
