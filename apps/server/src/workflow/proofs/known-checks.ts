import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { stepsForChange } from '@beadloom/core/execution/steps-for-change.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Proof, ProofKey } from '../../ports/store/proofs.ts'
import type { Store } from '../../ports/store.ts'
import { changedPaths } from '../../verify/base/changed-paths.ts'
import { asBaseCheck, proofsWith, sameCheck } from '../../verify/base/said-before.ts'

/** The wanted one is nearly always the newest. */
const MOST_COMPARED = 4

type Deps = {
  store: Pick<Store, 'proof' | 'proofs' | 'proofChecks' | 'checksOf' | 'verifiedCommits'>
  hub: Pick<Hub, 'isSameWork' | 'diff'>
}

/** The proof of this commit, or of one that differs only in beads; null: there is none. */
export async function knownProof({ store, hub }: Deps, key: ProofKey): Promise<Proof | null> {
  const own = store.proof(key)
  if (own) return own
  for (const one of proofsWith(store, key).slice(0, MOST_COMPARED))
    if (await hub.isSameWork(key.project, one.commit, key.commit)) return { ...one, checks: store.proofChecks(one.id) }
  return null
}

/**
 * The checks' results for a commit on which they have run already: a merged bead's. A check that did not run because
 * its paths did not change keeps its last result. Null if one of them is unknown, or differs from the present settings.
 */
export async function knownChecks(
  deps: Deps,
  key: ProofKey,
  { verify }: Pick<ProjectSettings, 'verify'>,
): Promise<BaseCheck[] | null> {
  const { store, hub } = deps
  const { project, commit } = key
  for (const verified of [commit, ...store.verifiedCommits(project, MOST_COMPARED)]) {
    const rows = store.checksOf(project, verified)
    const own = verify.map((step) => {
      const row = rows.find(sameCheck(step))
      return row === undefined ? null : asBaseCheck(row)
    })
    const may = own.every((check, at) => check !== null || verify[at]?.paths !== undefined)
    if (!may || own.every((check) => check === null) || !(await hub.isSameWork(project, verified, commit))) continue
    const missing = verify.filter((_, at) => own[at] === null)
    const before = missing.length === 0 ? [] : await untouched(deps, key, verify, missing)
    if (before !== null) return own.map((check) => check ?? before.shift()!)
  }
  return null
}

/** The newest proof's results for checks whose paths have not changed since; null if it lacks one of them. */
async function untouched(
  { store, hub }: Deps,
  key: ProofKey,
  verify: readonly VerifyStep[],
  missing: readonly VerifyStep[],
): Promise<BaseCheck[] | null> {
  const [last] = proofsWith(store, key)
  if (last === undefined) return null
  const changed = await changedPaths(hub, key.project, last.commit, key.commit)
  const needed = changed === null ? verify : stepsForChange(verify, changed)
  if (missing.some((step) => needed.includes(step))) return null
  const checks = store.proofChecks(last.id)
  const found = missing.map((step) => checks.find(sameCheck(step)))
  return found.every((check) => check !== undefined) ? found : null
}
