import type { Candidate, Merge } from '../ports/hub.ts'
import { makeCandidate, type MergeDeps } from './merge.ts'
import { candidateOf, checkCommit, headOf } from './clones/names.ts'
import { Refs } from './git/refs.ts'

/** Made, or found again; kept on a ref, so that no garbage collection takes it while it is verified. */
export async function keepCandidate(deps: MergeDeps, merge: Merge): Promise<Candidate> {
  const refs = new Refs(deps.git, deps.gitDir)
  const keep = candidateOf(merge.execution, merge.branch)
  const kept = await refs.tip(keep)
  const made = await makeCandidate(deps, merge, kept)
  if (made.result === 'merged' || made.result === 'fast-forward') {
    if (made.commit !== kept) await refs.move(keep, kept, made.commit)
  }
  return made
}

/** A candidate that the branch holds was verified: nothing else moves a branch to it. */
export async function broughtInto(deps: MergeDeps, merge: Omit<Merge, 'message'>): Promise<string | null> {
  const refs = new Refs(deps.git, deps.gitDir)
  const kept = await refs.tip(candidateOf(merge.execution, merge.branch))
  const tip = await refs.tip(headOf(merge.branch))
  if (kept === null || tip === null) return null
  const whole = (await refs.contains(kept, checkCommit(merge.commit))) && (await refs.contains(tip, kept))
  return whole ? kept : null
}
