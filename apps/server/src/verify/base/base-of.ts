import type { BaseCheck } from '@beadloom/core/environment/proof.ts'
import { buildOf } from '@beadloom/core/environment/devcontainer/devcontainer-plan.ts'
import { madeBy } from '@beadloom/core/environment/toolchains/offer.ts'
import { mendsBase } from '@beadloom/core/bead/mending.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { ownVariables } from '../../sandbox/project-environment.ts'
import { packageOf } from '../../sandbox/agent-order.ts'

/** All of the settings that a proof of the base depends on, as one text. */
export function proofSettings(settings: ProjectSettings): string {
  const { image, dockerfile, devcontainer, toolchains, setup, services, absent, untested } = settings
  const { network, allow, verify, limits } = settings
  const { cpus, memoryBytes, processes, setupTimeoutMs } = limits
  const agent = packageOf(settings)
  return JSON.stringify([
    image,
    dockerfile,
    devcontainer && buildOf(devcontainer),
    madeBy(toolchains),
    setup,
    allow.length > 0 ? { allow } : network,
    verify,
    cpus,
    memoryBytes,
    processes,
    setupTimeoutMs,
    agent,
    ...ownVariables(settings),
    // Proofs without them stay what they are.
    ...(services.length > 0 ? [services] : []),
    ...(untested === null ? [] : [{ untested: true }]),
    // Why it cannot be had may be told differently each time.
    ...(absent.length > 0 ? [{ absent: absent.map((text) => text.split(', which ', 1)[0]) }] : []),
  ])
}

/**
 * What the checks say about the commit that work is on top of, where some fail there. Of one that nobody has proved, what the
 * verification of the bead that made it said counts, and else what was found last with these settings. A bead that is there to
 * mend the base is measured by all of them.
 *
 * @param base default: the commit that the execution began at
 */
export function checksOnBase(live: LiveExecution, base = storedOf(live).baseCommit): readonly BaseCheck[] {
  const { deps, settings, project, bead } = live
  if (!settings.proveBase || mendsBase(bead)) return []
  const of = proofSettings(settings)
  const proofs = deps.store.proofs(project.id).filter((proof) => proof.settings === of && proof.endedAt !== null)
  const exact = proofs.find(({ commit }) => commit === base)
  const rows = exact || base === null ? [] : deps.store.checksOf(project.id, base)
  // Whoever made that commit may have mended what an older proof found.
  if (rows.length > 0) return rows.map((row) => ({ ...row, passed: row.passed && row.onBase !== true }))
  const proof = exact ?? proofs[0]
  return proof?.state === 'red' ? proof.checks : []
}

/** Proofs that are compared with a commit: the one that is looked for is nearly always the newest. */
const MOST_COMPARED = 4

/**
 * What each check said about a commit of the work branch: where it was proved, or where a bead whose work it is was verified.
 * Null: nobody knows.
 */
export async function checksAtBase(live: LiveExecution, base: string): Promise<readonly BaseCheck[] | null> {
  const { deps, settings, project } = live
  const { store, hub } = deps
  const of = proofSettings(settings)
  const proofs = store.proofs(project.id).filter((proof) => proof.settings === of && proof.endedAt !== null)
  const exact = proofs.find(({ commit, checks }) => commit === base && checks.length > 0)
  if (exact) return exact.checks
  const rows = store.checksOf(project.id, base)
  if (rows.length > 0) return rows
  for (const proof of proofs.slice(0, MOST_COMPARED))
    if (proof.checks.length > 0 && (await hub.isSameWork(project.id, proof.commit, base))) return proof.checks
  return null
}
