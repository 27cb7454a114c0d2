import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { usualSignature, type Signature } from '@beadloom/core/records/identity.ts'
import type { Clock } from '../../process/clock.ts'
import type { MergeTracker } from '../../ports/hub/merges.ts'
import type { Clones } from '../clones/clones.ts'
import type { Git } from '../git/git.ts'
import { ObjectReader } from '../git/read-objects.ts'
import { Refs } from '../git/refs.ts'
import { ProjectQueue } from '../project-queue.ts'

type Given = { git: Git; clones: Clones; clock: Clock; env: Readonly<Record<string, string | undefined>> }

export type HubParts = ReturnType<typeof hubParts>

/** The tools of everything that the hub does with a project's clone. */
export function hubParts({ git, clones, clock, env }: Given, mergeTracker: MergeTracker) {
  const existing = async (project: ProjectId) => ({ git, gitDir: await clones.existing(project) })
  return {
    git,
    clones,
    clock,
    env,
    queue: new ProjectQueue(),
    // A remote that hangs must not delay local work. Every ref moves by compare-and-swap, so both queues may move one.
    remoteQueue: new ProjectQueue(),
    /** Throws `HubError` if there is no clone of the project, as the three below. */
    existing,
    reader: async (project: ProjectId) => new ObjectReader(git, await clones.existing(project)),
    refsOf: async (project: ProjectId) => new Refs(git, await clones.existing(project)),
    merging: async (project: ProjectId, by: Signature = usualSignature) => ({
      ...(await existing(project)),
      clock,
      mergeTracker,
      by,
    }),
  }
}
