import { featuresDockerfile } from '@beadloom/core/environment/devcontainer/features-dockerfile.ts'
import type { DevcontainerPlan } from '@beadloom/core/environment/devcontainer/devcontainer-plan.ts'
import { kitDockerfile, kitFor } from '@beadloom/core/environment/devcontainer/kit.ts'
import { installLines } from '@beadloom/core/environment/toolchains/install-lines.ts'
import { OWN_RELEASE, type ToolchainPlan } from '@beadloom/core/environment/toolchains/offer.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { EngineError, type BaseImage } from '../ports/engine.ts'
import { HubError, type Hub } from '../ports/hub.ts'

type Source = { hub: Pick<Hub, 'archive' | 'readFile' | 'hashFiles'>; project: ProjectId; commit: string }
type Settings = Pick<ProjectSettings, 'image' | 'dockerfile' | 'devcontainer' | 'toolchains' | 'limits'>

/** What a project's containers are made of. All that it takes from the repository is of the commit. */
export async function baseImageOf(source: Source, settings: Settings): Promise<BaseImage> {
  const { image, dockerfile, devcontainer, toolchains, limits } = settings
  const { hub, project, commit } = source
  const timeoutMs = limits.setupTimeoutMs
  if (image) return { from: 'image', name: image }
  // The commit as the key, not the Dockerfile's hash: it may copy any file. Docker's own layer cache makes that cheap.
  if (dockerfile)
    return {
      from: 'dockerfile',
      path: dockerfile,
      context: () => hub.archive(project, commit),
      cacheKey: commit,
      timeoutMs,
    }
  if (devcontainer === null) return toolchainsOf(toolchains)
  if (devcontainer.missing.length > 0) throw new EngineError('image-missing', devcontainer.missing.join(' '))
  const own = devcontainer.image || devcontainer.dockerfile
  const base = own ? await ownImageOf(source, devcontainer, timeoutMs) : toolchainsOf(toolchains)
  return withFeatures(source, own ? withTools(base, devcontainer) : base, devcontainer, timeoutMs)
}

/** What an image is made of that has nothing of the repository's own in it; null: it has, or somebody may pull it again. */
export const ownBaseOf = ({
  image,
  dockerfile,
  devcontainer,
  toolchains,
}: Omit<Settings, 'limits'>): BaseImage | null =>
  image || dockerfile || devcontainer !== null ? null : toolchainsOf(toolchains)

function toolchainsOf({ release, official, installs }: ToolchainPlan): BaseImage {
  const isDefault = official === null && installs.length === 0 && release === OWN_RELEASE
  return isDefault ? { from: 'default' } : { from: 'toolchains', release, official, installs: installLines(installs) }
}

async function ownImageOf(source: Source, plan: DevcontainerPlan, timeoutMs: number): Promise<BaseImage> {
  const { hub, project, commit } = source
  if (plan.dockerfile === null) return { from: 'image', name: plan.image ?? '' }
  const { path, context, args, target } = plan.dockerfile
  const text = await hub.readFile(project, commit, path, MOST_OF_A_DOCKERFILE)
  if (text === null) throw notThere(plan, path)
  const inside = context === '' || path.startsWith(`${context}/`)
  return {
    from: 'dockerfile',
    path: inside && context !== '' ? path.slice(context.length + 1) : path,
    ...(!inside && { text }),
    args,
    target,
    context: async () => {
      try {
        return await hub.archive(project, commit, context)
      } catch (error) {
        throw error instanceof HubError && error.kind === 'refused' ? notThere(plan, context) : error
      }
    },
    cacheKey: context === '' ? commit : await hub.hashFiles(project, commit, [context, path]),
    timeoutMs,
  }
}

const MOST_OF_A_DOCKERFILE = 1024 * 1024

const notThere = ({ from }: DevcontainerPlan, path: string): EngineError =>
  new EngineError(
    'image-missing',
    `${from.file}${from.line === null ? '' : `:${from.line}`} names ${path}, which is not in the repository: commit it, or correct its path`,
  )

const withTools = (over: BaseImage, { tools }: DevcontainerPlan): BaseImage =>
  tools.length === 0 ? over : { from: 'kit', over, kit: toolchainsOf(kitFor(tools)), text: kitDockerfile(tools) }

async function withFeatures(
  { hub, project, commit }: Source,
  over: BaseImage,
  plan: DevcontainerPlan,
  timeoutMs: number,
): Promise<BaseImage> {
  const text = featuresDockerfile(plan)
  if (text === null) return over
  const folders = plan.features.map(({ folder }) => folder)
  return {
    from: 'layer',
    over,
    path: 'features',
    text,
    context: () => hub.archive(project, commit),
    cacheKey: await hub.hashFiles(project, commit, folders),
    timeoutMs,
  }
}
