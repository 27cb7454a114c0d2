import type { DependenciesView } from '@beadloom/core/api/beads/dependencies-api.ts'
import { hasEnded, waitingTypes } from '@beadloom/core/bead/waiting.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'
import { noProject } from '../../app/stored/refusals.ts'

/** Some 4 MB of JSON. */
const MOST_EDGES = 50_000

/** The beads that wait for others; if there are too many, ended ones are left out first. */
export function dependenciesOf(store: Pick<Store, 'project' | 'beads'>, id: ProjectId): DependenciesView | Problem {
  if (!store.project(id)) return noProject(id)
  const live: DependenciesView['items'] = []
  const ended: DependenciesView['items'] = []
  for (const bead of store.beads(id)) {
    if (bead.dependencies.length === 0) continue
    const list = hasEnded(bead) ? ended : live
    for (const { dependsOn, type } of bead.dependencies)
      if (waitingTypes.has(type)) list.push({ bead: bead.id, on: dependsOn, type })
  }
  const items = [...live, ...ended].slice(0, MOST_EDGES)
  return { items, left: live.length + ended.length - items.length }
}
