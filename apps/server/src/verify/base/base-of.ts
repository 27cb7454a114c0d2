import type { BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { buildOf } from '@beadloom/core/environment/devcontainer/devcontainer-plan.ts'
import { failingThere } from '@beadloom/core/environment/base/failing-there.ts'
import { madeBy } from '@beadloom/core/environment/toolchains/offer.ts'
import { mendsBase } from '@beadloom/core/bead/mending.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import { ownVariables } from '../../sandbox/project-environment.ts'
import { packageOf } from '../../sandbox/agent-order.ts'
import { hasHostList } from '../../sandbox/ways-out.ts'
import { proofsWith, saidBefore } from './said-before.ts'

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
    hasHostList(settings) ? { allow } : network,
    verify,
    cpus,
    memoryBytes,
    processes,
    setupTimeoutMs,
    agent,
    ...ownVariables(settings),
    // Without services the text is as before, so that earlier proofs still count.
    ...(services.length > 0 ? [services] : []),
    ...(untested === null ? [] : [{ untested: true }]),
    // The reason for its absence may have other words each time.
    ...(absent.length > 0 ? [{ absent: absent.map((text) => text.split(', which ', 1)[0]) }] : []),
  ])
}

/** The checks' results for the commit that work is based on. */
export type BaseOf = {
  /** The results of its checks. A check without a known result is left out. */
  said: readonly BaseCheck[]
  /** Checks that fail there and so do not count against the work; none for a bead filed to mend the base. */
  failing: readonly BaseCheck[]
}

/**
 * For a check without a result on that commit, the last proof with these settings counts.
 *
 * @param base null: not known where the execution began
 * @param steps the checks that are asked about
 */
export async function baseOf(
  live: LiveExecution,
  base: string | null,
  steps: readonly VerifyStep[] = live.settings.verify,
): Promise<BaseOf> {
  const { deps, settings, project, bead } = live
  const key = { project: project.id, settings: proofSettings(settings) }
  const all = settings.verify.length > 0 ? settings.verify : steps
  const said = base === null ? [] : await saidBefore(deps, { ...key, commit: base }, steps, all)
  if (!settings.proveBase || mendsBase(bead)) return { said, failing: [] }
  const proofs = proofsWith(deps.store, key)
  return { said, failing: failingThere(base, steps, said, proofs, ({ id }) => deps.store.proofChecks(id)) }
}
