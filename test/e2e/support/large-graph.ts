import type { FixtureProject } from '../../../apps/web/dev/fixture-data.ts'

/**
 * Fills a made-up project up to `count` beads. Each waits for one or two of the thirty before it, so all hang together;
 * a third has ended. The result is always the same.
 */
export function growGraph(project: FixtureProject, count: number): void {
  const models = [...project.beads.values()]
  for (let n = models.length; n < count; n++) {
    const model = models[n % models.length]
    if (model !== undefined) project.beads.set(`lg-${n}`, { ...model, id: `lg-${n}` })
  }
  const ids = [...project.beads.keys()]
  const waits = (at: number, by: number) => ({ bead: ids[at] ?? '', on: ids[at - by] ?? '', type: 'blocks' })
  project.dependencies = ids.flatMap((_, at) =>
    at < 30 ? [] : [waits(at, 1 + ((at * 7) % 29)), ...(at % 2 === 0 ? [waits(at, 30)] : [])],
  )
}
