import type { DependenciesView } from '@beadloom/core/api/beads/dependencies-api.ts'
import type { FixtureProject } from './fixture-data.ts'

const blocks = (bead: string, ...on: string[]): DependenciesView['items'] =>
  on.map((other) => ({ bead, on: other, type: 'blocks' }))

/** The reasons of the beads that wait, some that go further, and in the project of edge cases a cycle and a crowd. */
export function dependenciesOf({ view, beads, dependencies }: FixtureProject): DependenciesView {
  if (dependencies !== undefined) return { items: dependencies, left: 0 }
  if (view.id === 'edges') {
    const crowd = [...beads.keys()].filter((id) => /^eg-\d/.test(id))
    return {
      items: [
        ...blocks('eg-start', 'eg-quiet'),
        ...blocks('eg-quiet', 'eg-mute'),
        ...blocks('eg-mute', 'eg-start'),
        ...crowd.flatMap((id, at) => blocks(id, at < 12 ? 'eg-big' : (crowd[at - 12] ?? ''))),
      ],
      left: 0,
    }
  }
  // Each bead waits for one or two of those before it, so that thousands hang together.
  if (view.id === 'big-tracker') {
    const all = [...beads.keys()]
    const before = (at: number, by: number): string[] => all.slice(at - by, at - by + 1)
    return {
      items: all.flatMap((id, at) =>
        at % 6 === 0 || at < 30
          ? []
          : blocks(id, ...before(at, 1 + ((at * 7) % 29)), ...(at % 4 === 0 ? before(at, 30) : [])),
      ),
      left: 0,
    }
  }
  const items = [
    ...blocks('wc-e01', 'wc-1a4', 'wc-9fe', 'wc-d22'),
    ...blocks('wc-e02', 'wc-1a4'),
    ...blocks('wc-9fe', 'wc-d20'),
    ...blocks('wc-b02', 'wc-9fe'),
    ...blocks('wc-b03', 'wc-b02'),
    ...blocks('wc-77c', 'wc-b03', 'wc-c11'),
    ...blocks('wc-e03', 'wc-d20'),
    ...blocks('wc-1a4', 'wc-d21'),
  ]
  return { items: items.filter(({ bead }) => beads.has(bead)), left: 0 }
}
