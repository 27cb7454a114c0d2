import type { BlockFacts } from '../../ports/tracker-blocks.ts'

/** Up to this many ids are looked for in the blocks themselves; for more, all ids are indexed. */
const MOST_SEARCHES = 20

export const idsIn = ({ ids }: BlockFacts): string[] => (ids.length === 1 ? [] : ids.slice(1, -1).split('\n'))

/** Finds the blocks that contain ids; null: that block does not count. */
export class WhereIds {
  readonly #blocks: readonly (BlockFacts | null)[]
  #searches = 0
  #last: Map<string, number> | null = null

  constructor(blocks: readonly (BlockFacts | null)[]) {
    this.#blocks = blocks
  }

  /** The last block with a bead of this id, or -1. */
  lastOf(id: string): number {
    if (this.#last === null && (this.#searches += 1) <= MOST_SEARCHES) {
      const sought = `\n${id}\n`
      return this.#blocks.findLastIndex((facts) => facts?.ids.includes(sought))
    }
    this.#last ??= this.#index()
    return this.#last.get(id) ?? -1
  }

  /** All blocks with one of these ids. */
  allOf(ids: ReadonlySet<string>): number[] {
    const sought = [...ids].map((id) => `\n${id}\n`)
    const isIn = (facts: BlockFacts) =>
      sought.length <= MOST_SEARCHES
        ? sought.some((id) => facts.ids.includes(id))
        : idsIn(facts).some((id) => ids.has(id))
    return [...this.#blocks.entries()].flatMap(([at, facts]) => (facts !== null && isIn(facts) ? [at] : []))
  }

  #index(): Map<string, number> {
    const last = new Map<string, number>()
    for (const [at, facts] of this.#blocks.entries())
      if (facts !== null) for (const id of idsIn(facts)) last.set(id, at)
    return last
  }
}
