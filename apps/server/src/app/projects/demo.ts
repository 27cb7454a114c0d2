import type { Store } from '../../ports/store.ts'
import type { Projects } from './projects.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'

export type DemoDeps = {
  store: Store
  projects: Projects
  /** Creates a bare repository from the sample in `remote`, unless there is one. */
  seed: () => Promise<void>
  remote: string
}

/**
 * Adds the demo project, with its own remote, to an empty data folder, so that the first start shows everything. Returns
 * whether it was added.
 */
export async function addDemo({ store, projects, seed, remote }: DemoDeps): Promise<boolean> {
  if (store.projects().length > 0) return false
  await seed()
  await projects.add(parseProjectId('demo'), { source: remote })
  return true
}
