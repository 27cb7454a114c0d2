import type { BeadDependency } from '@beadloom/core/bead/bead.ts'
import { externalIn, isExternal, provides } from '@beadloom/core/bead/external.ts'
import { waitingTypes } from '@beadloom/core/bead/waiting.ts'
import { InvalidInput, parseProjectId, type ProjectId } from '@beadloom/core/ids.ts'
import type { Store } from '../../ports/store.ts'

const MOST_TOLD = 20

type Known = Pick<Store, 'project' | 'beads'>

/** Whether an edge leads to something of another project, and its bead waits for that. */
export const isOutside = ({ type, dependsOn }: BeadDependency): boolean =>
  waitingTypes.has(type) && isExternal(dependsOn)

/**
 * Whether `external:PROJECT:CAPABILITY` is there: a bead with the label `provides:CAPABILITY` is done in the project with
 * that id. Of a project that is not here nobody knows: then it is missing.
 */
export function isThere(store: Known, target: string): boolean {
  const project = projectOf(store, target)
  const capability = externalIn(target)?.capability
  if (project === null || capability === undefined) return false
  return store.beads(project).some((bead) => provides(bead, capability))
}

function projectOf(store: Known, target: string): ProjectId | null {
  try {
    const id = parseProjectId(externalIn(target)?.project ?? '')
    return store.project(id) ? id : null
  } catch (error) {
    if (error instanceof InvalidInput) return null
    throw error
  }
}

/** A warning for each thing that will never be there, since its project is not here. `needs`: who waits for what. */
export function strangersIn(store: Known, needs: ReadonlyMap<string, readonly string[]>): string[] {
  const strange = [...needs].filter(([target, ids]) => ids.length > 0 && projectOf(store, target) === null)
  const told = strange.slice(0, MOST_TOLD).map(([target, [first = '', ...others]]) => {
    const who = others.length === 0 ? `${first} waits` : `${first} and ${others.length} more wait`
    const name = externalIn(target)?.project
    const why =
      name === undefined
        ? 'which names nothing of any project'
        : `and no project here is called ${JSON.stringify(name)}`
    return `${who} for ${target.slice(0, 128)}, ${why}: remove that dependency when it is there.`
  })
  const more = strange.length - told.length
  return more > 0 ? [...told, `and ${more} more things of projects that are not here are waited for.`] : told
}
