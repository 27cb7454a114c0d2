import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { stepsForChange } from '@beadloom/core/execution/steps-for-change.ts'
import type { Verification, VerifyStep } from '@beadloom/core/records/verification.ts'
import type { Hub } from '../../ports/hub.ts'
import type { ProofHead, ProofKey } from '../../ports/store/proofs.ts'
import type { Store } from '../../ports/store.ts'
import { changedPaths } from './changed-paths.ts'

/** The most commits to compare with the one in question: the newest nearly always has the answer. */
const MOST_COMPARED = 4

export type Ran = Pick<BaseCheck, 'name' | 'command'>

export const sameCheck =
  ({ name, command }: Ran) =>
  (other: Ran): boolean =>
    other.name === name && other.command === command

export type SaidDeps = {
  store: Pick<Store, 'proofs' | 'proofChecks' | 'checksOf' | 'commitsPassing'>
  hub: Pick<Hub, 'isSameWork' | 'diff'>
}

/** The ended proofs with these settings, the newest first. */
export const proofsWith = (
  store: Pick<Store, 'proofs'>,
  { project, settings }: Omit<ProofKey, 'commit'>,
): ProofHead[] => store.proofs(project).filter((proof) => proof.settings === settings && proof.endedAt !== null)

/**
 * The known results of these checks on a commit: from its proof, else from the verification of a bead with the same
 * work. A check that did not run there, because nothing that it covers had changed, keeps its earlier result. Unknown
 * ones are left out. Proofs and verifications may hold megabytes of names, so no more of them is read than it takes.
 *
 * @param all of the project's, also those that are not asked about: they say which check covers a file
 */
export async function saidBefore(
  { store, hub }: SaidDeps,
  key: ProofKey,
  steps: readonly VerifyStep[],
  all: readonly VerifyStep[],
): Promise<BaseCheck[]> {
  const { project, commit } = key
  const found = new Map<VerifyStep, BaseCheck>()
  const open = () => steps.filter((step) => !found.has(step))
  const take = (checks: readonly BaseCheck[], wanted: readonly VerifyStep[]) => {
    for (const step of wanted) {
      const check = checks.find(sameCheck(step))
      if (check !== undefined) found.set(step, check)
    }
  }
  const proofs = proofsWith(store, key)
  const exact = proofs.find((proof) => proof.commit === commit)
  if (exact) take(store.proofChecks(exact.id), open())
  if (open().length > 0) take(store.checksOf(project, commit).map(asBaseCheck), open())

  const untouched = untouchedSince(hub, key, all)
  for (const proof of proofs.filter((one) => one !== exact).slice(0, MOST_COMPARED)) {
    const wanted = open().length === 0 ? [] : await untouched(proof.commit, open())
    if (wanted.length > 0) take(store.proofChecks(proof.id), wanted)
  }
  for (const step of open())
    for (const other of found.has(step) ? [] : store.commitsPassing(project, step, MOST_COMPARED)) {
      const wanted = found.has(step) ? [] : await untouched(other, open())
      if (wanted.includes(step)) take(store.checksOf(project, other).map(asBaseCheck), wanted)
    }
  return steps.flatMap((step) => found.get(step) ?? [])
}

/** The checks that cover nothing of the difference between another commit and the one in question. */
function untouchedSince(hub: SaidDeps['hub'], { project, commit }: ProofKey, all: readonly VerifyStep[]) {
  const needed = new Map<string, Promise<readonly VerifyStep[]>>()
  const between = async (other: string): Promise<readonly VerifyStep[]> => {
    if (await hub.isSameWork(project, other, commit)) return []
    if (!all.some(({ paths }) => paths !== undefined)) return all
    const changed = await changedPaths(hub, project, other, commit)
    return changed === null ? all : stepsForChange(all, changed)
  }
  return async (other: string, of: readonly VerifyStep[]): Promise<VerifyStep[]> => {
    const known = needed.get(other) ?? between(other)
    needed.set(other, known)
    const touched = await known
    return of.filter((step) => !touched.some(sameCheck(step)) && (touched.length === 0 || all.some(sameCheck(step))))
  }
}

/** A check of a bead's work as one of the base: a check that failed there before the work fails there. */
export const asBaseCheck = ({ onBase, passed, ...row }: Verification): BaseCheck => ({
  name: row.name,
  type: row.type,
  command: row.command,
  passed: passed && !onBase,
  exitCode: row.exitCode,
  durationMs: row.durationMs,
  tool: row.tool,
  failures: row.failures,
  collected: row.collected,
  ...(row.tests && { tests: row.tests }),
  summary: row.summary.replace(/^fails on the base too: /, ''),
  digest: row.digest,
  findings: row.findings,
})
