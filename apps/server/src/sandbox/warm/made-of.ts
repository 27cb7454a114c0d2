import { madeBy } from '@beadloom/core/environment/toolchains/offer.ts'
import { buildOf } from '@beadloom/core/environment/devcontainer/devcontainer-plan.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { AgentPackage } from '../../ports/engine.ts'
import { ownVariables } from '../project-environment.ts'
import type { EnvironmentId } from '../../ports/sandbox.ts'

/** All that one agent's sandbox without a network has in common with another that can take its place. */
export const madeOf = (
  environment: EnvironmentId,
  { limits, services }: Pick<ProjectSettings, 'limits' | 'services'>,
): string =>
  JSON.stringify([environment, limits.cpus, limits.memoryBytes, limits.processes, services.map(({ name }) => name)])

/** What an environment depends on beside the repository's files. */
export const environmentFrom = (
  settings: Pick<ProjectSettings, 'image' | 'dockerfile' | 'devcontainer' | 'toolchains' | 'setup' | 'env' | 'secrets'>,
  agent: AgentPackage | null,
): string => {
  const { image, dockerfile, devcontainer, toolchains, setup } = settings
  const build = devcontainer && buildOf(devcontainer)
  return JSON.stringify([image, dockerfile, build, madeBy(toolchains), setup, agent, ...ownVariables(settings)])
}
