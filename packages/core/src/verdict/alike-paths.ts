/** Paths of which one may be told from another folder: whether any of many is the same as one, as `isSamePath` has it. */
export class AlikePaths {
  /** By their parts, the last one first, so that looking one up costs its own length, however many there are. */
  readonly #ends: Node = { isWhole: false, before: new Map() }

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      if (path === '') continue
      let node = this.#ends
      for (const part of path.split('/').toReversed()) {
        const next: Node = node.before.get(part) ?? { isWhole: false, before: new Map() }
        node.before.set(part, next)
        node = next
      }
      node.isWhole = true
    }
  }

  has(path: string): boolean {
    if (path === '') return false
    let node = this.#ends
    for (const part of path.split('/').toReversed()) {
      const next = node.before.get(part)
      if (next === undefined) return false
      if (next.isWhole) return true
      node = next
    }
    return true
  }
}

type Node = { isWhole: boolean; before: Map<string, Node> }
