import type { Bead } from '@beadloom/core/records/bead.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { BeadsAdapter } from '../../ports/tracker.ts'

/** `theirs`: somebody else has the bead, or changed its status. `later`: the tracker cannot be asked now. */
export type Claim = { claim: 'ours' } | { claim: 'theirs' | 'later'; text: string }

/**
 * Claims a bead in its tracker for an execution that is to start. Somebody else's claim is remembered. Throws
 * `TrackerError` if the tracker cannot be asked.
 */
export async function claimInTracker(
  store: Pick<PatientStore, 'trackerClaimed' | 'trackerTaken'>,
  adapter: BeadsAdapter,
  bead: Bead,
): Promise<Claim> {
  const { project, id } = bead
  const [outcome] = await adapter.write([
    {
      kind: 'status',
      status: 'in_progress',
      failed: false,
      labelled: bead.labelled === true,
      held: true,
      seq: 0,
      rev: 0,
      project,
      bead: id,
      seen: bead.trackerStatus,
      assignee: bead.assignee ?? null,
      given: null,
      reason: '',
    },
  ])
  if (outcome?.result === 'written') {
    await store.trackerClaimed(project, id, 'in_progress')
    return { claim: 'ours' }
  }
  if (outcome?.result !== 'overruled') return { claim: 'later', text: outcome && 'text' in outcome ? outcome.text : '' }
  if (outcome.by !== undefined) await store.trackerTaken(project, id, outcome.by)
  return { claim: 'theirs', text: outcome.text }
}
