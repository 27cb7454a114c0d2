import { featuresDockerfile } from '@beadloom/core/environment/devcontainer/features-dockerfile.ts'
import type { DevcontainerPlan } from '@beadloom/core/environment/devcontainer/devcontainer-plan.ts'
import { kitDockerfile, kitFor } from '@beadloom/core/environment/devcontainer/kit.ts'
import { imagesOfDockerfile } from '@beadloom/core/environment/formats/dockerfile-text.ts'
import { installLines } from '@beadloom/core/environment/toolchains/install-lines.ts'
import { OWN_RELEASE, type ToolchainPlan } from '@beadloom/core/environment/toolchains/offer.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { EngineError, type BaseImage, type RepositoryBuild } from '../ports/engine.ts'
import { HubError, type Hub } from '../ports/hub.ts'
import { networkOfPreparing } from './ways-out.ts'

type Source = { hub: Pick<Hub, 'archive' | 'readFile' | 'realPath' | 'hashFiles'>; project: ProjectId; commit: string }
type Settings = Pick<
  ProjectSettings,
  'image' | 'dockerfile' | 'devcontainer' | 'toolchains' | 'limits' | 'allow' | 'sealed'
>
/** Bounds of every build of a repository's files. */
type Bounds = Pick<RepositoryBuild, 'timeoutMs' | 'limits' | 'network'>

/** The base of a project's containers. Every file from the repository is read from the commit. */
export async function baseImageOf(source: Source, settings: Settings): Promise<BaseImage> {
  const { image, dockerfile, devcontainer, toolchains } = settings
  const { hub, project, commit } = source
  const bounds = boundsOf(settings)
  if (image) return { from: 'image', name: image }
  // The key is the commit, not the Dockerfile's hash: it may copy any file. Docker's own layer cache makes that cheap.
  if (dockerfile) {
    const path = await realPathOf(source, dockerfile, 'beadloom.json')
    return {
      from: 'dockerfile',
      path,
      ...(await dockerfileAt(source, path, 'beadloom.json')),
      isInside: true,
      context: () => hub.archive(project, commit),
      cacheKey: commit,
      ...bounds,
    }
  }
  if (devcontainer === null) return toolchainsOf(toolchains)
  if (devcontainer.missing.length > 0) throw new EngineError('image-missing', devcontainer.missing.join(' '))
  const own = devcontainer.image || devcontainer.dockerfile
  const base = own ? await ownImageOf(source, devcontainer, bounds) : toolchainsOf(toolchains)
  return withFeatures(source, own ? withTools(base, devcontainer) : base, devcontainer, bounds)
}

/**
 * The bounds of `setup`, because the same people write the commands of a build. A build cannot be limited to a list of
 * hosts, since the server's proxy can only be reached over a sandbox's link. So it has no network if there is a list,
 * even an empty one.
 */
const boundsOf = ({ limits: { cpus, memoryBytes, processes, setupTimeoutMs }, ...network }: Settings): Bounds => ({
  timeoutMs: setupTimeoutMs,
  limits: { cpus, memoryBytes, processes },
  network: networkOfPreparing(network),
})

/** The base of an image without any file of the repository; null: it has some, or may be pulled again. */
export const ownBaseOf = ({
  image,
  dockerfile,
  devcontainer,
  toolchains,
}: Omit<Settings, 'limits' | 'allow' | 'sealed'>): BaseImage | null =>
  image || dockerfile || devcontainer !== null ? null : toolchainsOf(toolchains)

function toolchainsOf({ release, official, installs }: ToolchainPlan): BaseImage {
  const isDefault = official === null && installs.length === 0 && release === OWN_RELEASE
  return isDefault ? { from: 'default' } : { from: 'toolchains', release, official, installs: installLines(installs) }
}

async function ownImageOf(source: Source, plan: DevcontainerPlan, bounds: Bounds): Promise<BaseImage> {
  const { hub, project, commit } = source
  if (plan.dockerfile === null) return { from: 'image', name: plan.image ?? '' }
  const { args, target } = plan.dockerfile
  const path = await realPathOf(source, plan.dockerfile.path, whereIn(plan))
  const context = await realPathOf(source, plan.dockerfile.context, whereIn(plan))
  const read = await dockerfileAt(source, path, whereIn(plan), args)
  const inside = context === '' || path.startsWith(`${context}/`)
  return {
    from: 'dockerfile',
    path: inside && context !== '' ? path.slice(context.length + 1) : path,
    ...read,
    isInside: inside,
    args,
    target,
    context: async () => {
      try {
        return await hub.archive(project, commit, context)
      } catch (error) {
        throw error instanceof HubError && error.kind === 'refused' ? notThere(whereIn(plan), context) : error
      }
    },
    cacheKey: context === '' ? commit : await hub.hashFiles(project, commit, [context, path]),
    ...bounds,
  }
}

/**
 * Follows links within the repository, like Docker in a checkout; a path that leads out of it is not in the repository.
 */
async function realPathOf({ hub, project, commit }: Source, path: string, where: string): Promise<string> {
  const real = await hub.realPath(project, commit, path)
  if (real === null) throw notThere(where, path)
  return real
}

const MOST_OF_A_DOCKERFILE = 1024 * 1024
/** Each may be pulled before the build begins, one after the other. */
const MOST_IMAGES = 20

/** Reads the Dockerfile once: the text that was checked is the text that is built. */
async function dockerfileAt(
  { hub, project, commit }: Source,
  path: string,
  where: string,
  args?: Readonly<Record<string, string>>,
): Promise<Pick<RepositoryBuild, 'images'> & { text: string }> {
  const text = await hub.readFile(project, commit, path, MOST_OF_A_DOCKERFILE)
  if (text === null) throw notThere(where, path)
  const { images, unclear, fetched } = imagesOfDockerfile(text, args)
  const [address] = fetched
  if (address !== undefined)
    throw new EngineError(
      'image-build-failed',
      `${path} makes the container engine itself fetch an address by ADD (${oneLine(address).slice(0, 200)}), past every limit of the build's network: use COPY for files of the repository, and RUN with curl or wget for addresses`,
    )
  if (images.length > MOST_IMAGES)
    throw new EngineError(
      'image-build-failed',
      `${path} takes files of ${images.length} images, and at most ${MOST_IMAGES} are pulled for one Dockerfile: leave out the stages that the tests do not need, or name an "image" that has everything`,
    )
  const [first] = unclear
  if (first === undefined) return { text, images }
  throw new EngineError(
    'image-missing',
    `${path} may take files of an image that cannot be known before it is built (${oneLine(first).slice(0, 200)}): write the name of each image, or an ARG with a value before the first FROM`,
  )
}

const whereIn = ({ from: { file, line } }: DevcontainerPlan): string => (line === null ? file : `${file}:${line}`)

const notThere = (where: string, path: string): EngineError =>
  new EngineError(
    'image-missing',
    `${where} names ${path}, which is not in the repository, or is a link that leads out of it: commit it, or correct its path`,
  )

const withTools = (over: BaseImage, { tools }: DevcontainerPlan): BaseImage =>
  tools.length === 0 ? over : { from: 'kit', over, kit: toolchainsOf(kitFor(tools)), text: kitDockerfile(tools) }

async function withFeatures(
  { hub, project, commit }: Source,
  over: BaseImage,
  plan: DevcontainerPlan,
  bounds: Bounds,
): Promise<BaseImage> {
  const text = featuresDockerfile(plan)
  if (text === null) return over
  const folders = plan.features.map(({ folder }) => folder)
  return {
    from: 'layer',
    over,
    path: 'features',
    text,
    images: [], // it begins with `over`
    context: () => hub.archive(project, commit),
    cacheKey: await hub.hashFiles(project, commit, folders),
    ...bounds,
  }
}
