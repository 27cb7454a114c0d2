import { madeBy } from '@beadloom/core/environment/toolchains/offer.ts'
import { buildOf } from '@beadloom/core/environment/devcontainer/devcontainer-plan.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { AgentPackage } from '../../ports/engine.ts'
import { ownVariables } from '../project-environment.ts'
import type { EnvironmentId } from '../../ports/sandbox.ts'

/** A text that is equal for agents' sandboxes without a network that can replace each other. */
export const madeOf = (
  environment: EnvironmentId,
  { engine, limits, services }: Pick<ProjectSettings, 'engine' | 'limits' | 'services'>,
): string => {
  const { cpus, memoryBytes, processes } = limits
  return JSON.stringify([engine, environment, cpus, memoryBytes, processes, services.map(({ name }) => name)])
}

/** Everything except the repository's files on which an environment depends. */
export const environmentFrom = (
  settings: Pick<
    ProjectSettings,
    'engine' | 'image' | 'dockerfile' | 'devcontainer' | 'toolchains' | 'setup' | 'env' | 'secrets'
  >,
  agent: AgentPackage | null,
): string => {
  const { image, dockerfile, devcontainer, toolchains, setup } = settings
  const build = devcontainer && buildOf(devcontainer)
  const from = [image, dockerfile, build, madeBy(toolchains), setup, agent, ...ownVariables(settings)]
  return JSON.stringify(
    settings.engine === null || settings.engine === LOCAL_ENGINE ? from : [settings.engine, ...from],
  )
}
