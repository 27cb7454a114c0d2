import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { TrackedStore } from '../../ports/tracker.ts'

/** The beads of one project, for a reading of its tracker. */
export const storeOf = (store: PatientStore, project: ProjectId): TrackedStore => ({
  fingerprints: (ids) => store.fingerprints(project, ids),
  unsettled: () => store.unsettledBeads(project),
  take: async (beads) => store.takeBeads(project, beads),
  ids: (after, limit) => store.trackedIds(project, after, limit),
  drop: async (ids) => store.dropBeads(project, ids),
})
