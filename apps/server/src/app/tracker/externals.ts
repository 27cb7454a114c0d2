import type { BeadDependency } from '@beadloom/core/records/bead.ts'
import { externalIn, isExternal, providedBy } from '@beadloom/core/bead/external.ts'
import { waitingTypes } from '@beadloom/core/bead/waiting.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'

const MOST_TOLD = 20

type Known = Pick<Store, 'projects' | 'beads'>

/** Whether an edge leads to another project's capability for which its bead waits. */
export const isOutside = ({ type, dependsOn }: BeadDependency): boolean =>
  waitingTypes.has(type) && isExternal(dependsOn)

/**
 * The capabilities that exist at one moment: `external:PROJECT:CAPABILITY` does if a bead with the label
 * `provides:CAPABILITY` is done in the project with that id. A tracker may name a hundred thousand of them, so a
 * project's beads are read once for all.
 */
export class Provided {
  readonly #store: Known
  #projects: ReadonlySet<string> | null = null
  readonly #byProject = new Map<string, ReadonlySet<string>>()

  constructor(store: Known) {
    this.#store = store
  }

  /** False, too, if the project is not here: then its capabilities are unknown. */
  has(target: string): boolean {
    const named = externalIn(target)
    return named !== null && this.isHere(named.project) && this.#of(named.project).has(named.capability)
  }

  isHere(project: string): boolean {
    this.#projects ??= new Set(this.#store.projects().map(({ id }) => id))
    return this.#projects.has(project)
  }

  #of(project: string): ReadonlySet<string> {
    const known = this.#byProject.get(project)
    if (known !== undefined) return known
    const found = new Set(this.#store.beads(project as ProjectId).flatMap(providedBy))
    this.#byProject.set(project, found)
    return found
  }
}

/** A warning for each capability that cannot exist, since its project is not here. `needs`: the waiting beads. */
export function strangersIn(provided: Provided, needs: ReadonlyMap<string, readonly string[]>): string[] {
  const isHere = (target: string) => provided.isHere(externalIn(target)?.project ?? '')
  const strange = [...needs].filter(([target, ids]) => ids.length > 0 && !isHere(target))
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
