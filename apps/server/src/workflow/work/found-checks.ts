import { stepsForChange } from '@beadloom/core/execution/steps-for-change.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { detectedSteps } from '@beadloom/core/project/verify-steps.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Hub, HubProject } from '../../ports/hub.ts'
import { changedPaths } from '../../verify/base/changed-paths.ts'
import type { Checks } from '../../verify/verify.ts'
import { detectAt, type Detecting } from '../detect-at.ts'

/**
 * `setup`: the commit's own, if its checks were found on it; else the project's. `untested`: a file of tests that no
 * known command runs.
 */
export type FoundChecks = Checks & { setup: string | null; untested: string | null }

/** The project of the commit. */
export type CheckedProject = {
  deps: Detecting & { hub: Pick<Hub, 'diff'> }
  project: Pick<HubProject, 'id'>
  settings: ProjectSettings
}

/**
 * The checks for a commit: the project's. If the base branch has none, those found on the commit; they are this bead's
 * own if the work branch did not have any.
 */
export async function checksAt(
  { deps, project, settings }: CheckedProject,
  commit: string,
  workTip: string,
): Promise<FoundChecks> {
  const { verify, unverified, judges, setup, ownSetup, limits } = settings
  const forChange = (steps: readonly VerifyStep[]) =>
    stepsFor(deps.hub, project.id, steps, { from: workTip, to: commit })
  if (verify.length > 0 || unverified)
    return { steps: await forChange(verify), unverified, judges, made: false, setup, untested: null, since: workTip }
  const stepsAt = async (at: string) => {
    const found = await detectAt(deps, project.id, at)
    return { steps: detectedSteps(found, limits.testTimeoutMs), setup: found.setup, untested: found.untested }
  }
  const found = await stepsAt(commit)
  const made = commit !== workTip && found.steps.length > 0 && (await stepsAt(workTip)).steps.length === 0
  return {
    steps: await forChange(found.steps),
    setup: ownSetup || found.steps.length === 0 ? setup : found.setup,
    untested: found.untested,
    unverified: false,
    judges,
    made,
    since: workTip,
  }
}

/** On the base itself, and if the changes cannot be listed, all of them. */
async function stepsFor(
  hub: Pick<Hub, 'diff'>,
  project: ProjectId,
  steps: readonly VerifyStep[],
  { from, to }: { from: string; to: string },
): Promise<readonly VerifyStep[]> {
  if (from === to || !steps.some(({ paths }) => paths !== undefined)) return steps
  const changed = await changedPaths(hub, project, from, to)
  return changed === null ? steps : stepsForChange(steps, changed)
}
