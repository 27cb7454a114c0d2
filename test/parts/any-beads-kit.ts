import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { bead, seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'

export const names = ['a', 'b', 'c', 'd', 'e'].map(bead)
export const at = <T>(list: readonly T[], number: number): T => list[number % list.length]!

/** Some of the beads, with random fields and edges. */
export function beadsFrom(project: ProjectId, more: number) {
  const random = seededRandom(more + 1)
  const edges = ['blocks', 'parent-child', 'waits-for', 'discovered-from']
  return names
    .filter(() => random() > 0.2)
    .map((name) =>
      tracked(name, {
        project,
        priority: Math.floor(random() * 5),
        createdAt: Math.floor(random() * 3),
        type: random() > 0.7 ? 'epic' : 'task',
        trackerStatus: random() > 0.9 ? 'closed' : 'open',
        status: random() > 0.9 ? 'done' : 'open',
        deferUntil: random() > 0.8 ? 1_000_000 + Math.floor(random() * 9_000_000) : null,
        ...(random() > 0.8 && { claimedBy: 'ana' }),
        dependencies:
          random() > 0.5
            ? [{ dependsOn: at(names, Math.floor(random() * 5)), type: at(edges, Math.floor(random() * 4)) }]
            : [],
      }),
    )
}
