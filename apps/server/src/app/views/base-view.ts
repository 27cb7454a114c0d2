import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import { mendsBase } from '@beadloom/core/bead/mending.ts'
import { withoutNames } from '@beadloom/core/digest/tests-run.ts'
import { byExitCodeText, isMendable, redText } from '@beadloom/core/environment/base/proof.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ListedBead } from '@beadloom/core/records/bead.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Proof } from '../../ports/store/proofs.ts'
import { againAt, type Proofs } from '../../workflow/proofs/proofs.ts'
import { settingsOf } from '../stored/stored-settings.ts'

/** `mending`: beads filed to mend a project's base, from memory, as every view of a project asks for them. */
type BaseViewDeps = { proofs: Proofs; mending: (project: ProjectId) => Iterable<ListedBead> }

/** The present work on a project's base, or its result, from memory; null: nothing that still counts. */
export function baseState(
  proofs: Proofs,
  row: ProjectRow,
  settings: ProjectSettings,
): Pick<ProofView, 'state' | 'text'> | null {
  const now = proofs.proving(row.id)
  if (now) return { state: 'proving', text: now.doing }
  const proof = proofs.proof(row, settings)
  return proof && { state: proof.state, text: textOf(proof, settings.workBranch) }
}

export function baseView({ proofs, mending }: BaseViewDeps, row: ProjectRow): ProofView | null {
  const settings = settingsOf(row)
  if (settings === null) return null
  const now = proofs.proving(row.id)
  const bead = openMending(mending(row.id))?.id ?? null
  if (now) {
    const { key, since, doing } = now
    const nothing = { by: null, againAt: null, checks: [], mendable: false, bead, endedAt: null }
    return { ...nothing, state: 'proving', commit: key.commit, text: doing, startedAt: since }
  }
  const proof = proofs.proof(row, settings)
  if (proof === null) return null
  const { state, commit, by, checks, startedAt, endedAt } = proof
  const mendable = isMendable(proof)
  const text = textOf(proof, settings.workBranch)
  return {
    state,
    commit,
    text,
    by,
    againAt: againAt(proof),
    checks: checks.map(withoutNames),
    mendable,
    bead,
    startedAt,
    endedAt,
  }
}

function textOf({ state, text, fix, checks }: Proof, branch: string): string {
  if (state === 'red') return redText(checks, branch)
  return state === 'green' ? byExitCodeText(checks) : [text, fix].filter(Boolean).join(' ')
}

export function openMending(beads: Iterable<ListedBead>): ListedBead | null {
  for (const bead of beads) if (bead.status !== 'done' && mendsBase(bead)) return bead
  return null
}
