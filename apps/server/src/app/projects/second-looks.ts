import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import { sourceKind } from '../stored/project-source.ts'

/** The first pause before a project that cannot start anything is read again: its remote, or a local working tree. */
const PAUSE_MS = { url: 20_000, path: 2_000 }

/** The pause doubles each time that nothing has changed, up to this. */
const LONGEST_MS = 60_000

/** When projects that cannot start anything are read again: nobody tells us that they were repaired. */
export class SecondLooks {
  readonly #last = new Map<ProjectId, { at: number; inVain: number; obstacle: string }>()

  /**
   * True: read it now. `obstacle`: the reason that keeps it from starting, or null. `now` is by the clock that does not
   * jump. While a bead waits to start, the pause does not grow.
   */
  isDue(
    { id, source }: Pick<ProjectRow, 'id' | 'source'>,
    obstacle: string | null,
    now: number,
    isWaitedFor: () => boolean,
  ): boolean {
    if (obstacle === null) {
      this.#last.delete(id)
      return false
    }
    const last = this.#last.get(id)
    const same = last?.obstacle === obstacle
    const inVain = same ? last.inVain : 0
    const pause = PAUSE_MS[sourceKind(source) ?? 'url']
    const since = last ? now - last.at : Infinity
    if (since < pause) return false
    if (since < Math.min(pause * 2 ** inVain, LONGEST_MS) && !isWaitedFor()) return false
    this.#last.set(id, { at: now, inVain: same ? inVain + 1 : 0, obstacle })
    return true
  }

  forget(project: ProjectId): void {
    this.#last.delete(project)
  }
}
