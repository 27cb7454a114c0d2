import type { CommandClaim, Devcontainer, Dockerfile, Feature, Found, Place, ToolClaim } from '../found.ts'
import { toolTitle } from '../toolchains/toolchain-words.ts'
import { canBeCopied } from './kit.ts'
import { knownImage } from './known-images.ts'

/** The plan for making a project's image from a devcontainer. */
export type DevcontainerPlan = {
  file: string
  /** The place that names the image or Dockerfile. */
  from: Place
  /** If there is neither, the image is Beadloom's own, with the toolchains that the files ask for. */
  image: string | null
  dockerfile: Dockerfile | null
  /** An image that could be used in place of our toolchains, if it can be pulled. */
  official: string | null
  /** Toolchains that features bring, over an image or a Dockerfile. */
  tools: ToolClaim[]
  /** Features of the repository itself, in their order. */
  features: Extract<Feature, { is: 'local' }>[]
  env: Record<string, string>
  /** Its lifecycle commands as one line; null: none. */
  setup: string | null
  /** Sentences about parts that Beadloom does not fetch. The project does not start before they are resolved. */
  missing: string[]
}

const hasOwnImage = ({ image, dockerfile }: Pick<DevcontainerPlan, 'image' | 'dockerfile'>): boolean =>
  image !== null || dockerfile !== null

export function devcontainerPlan({
  devcontainer,
  commands,
}: Pick<Found, 'devcontainer' | 'commands'>): DevcontainerPlan | null {
  if (devcontainer === null) return null
  const { file, from, image, dockerfile, features, env } = devcontainer
  const known = dockerfile === null && image !== null && knownImage(image, from) !== null
  const own = { image: known || dockerfile ? null : image, dockerfile }
  const tools = features.flatMap((one) => (one.is === 'tools' ? one.tools : []))
  return {
    file,
    from,
    ...own,
    // The official image would lack a feature's toolchain.
    official: known && tools.length === 0 ? image : null,
    tools: hasOwnImage(own) ? tools : [],
    features: features.filter((one) => one.is === 'local'),
    env,
    setup: lifecycleOf(commands),
    missing: [
      ...features.filter(({ is }) => is === 'elsewhere').map(missingFeature(devcontainer)),
      ...(hasOwnImage(own) ? tools.filter((claim) => !canBeCopied(claim)).map(notForOthers) : []),
    ],
  }
}

/** Everything that its image depends on, without the lines that say it. */
export function buildOf({ image, dockerfile, official, tools, features, env, missing }: DevcontainerPlan): unknown[] {
  const claims = tools.map(({ tool, version, least }) => [tool, version, least])
  const own = features.map(({ folder, variables, env: set }) => [folder, variables, set])
  return [image, dockerfile, official, claims, own, env, missing.length]
}

function lifecycleOf(commands: readonly CommandClaim[]): string | null {
  const own = commands.filter(({ family, purpose }) => family === 'devcontainer' && purpose === 'setup')
  return own.length === 0 ? null : own.map(({ command }) => command).join(' && ')
}

const missingFeature =
  ({ file }: Devcontainer) =>
  ({ id, from }: Feature): string =>
    `${from.file}${from.line === null ? '' : `:${from.line}`} asks for the feature ${id}, which only its registry has and Beadloom does not fetch: put what it installs into a Dockerfile, copy it into a folder beside ${file} ("./NAME"), or set "devcontainer" to false in beadloom.json.`

const notForOthers = ({ tool, from }: ToolClaim): string =>
  `${from.file}${from.line === null ? '' : `:${from.line}`} adds ${toolTitle(tool)} to an image of its own, and Beadloom installs that in its own image alone: put it into a Dockerfile, or leave out the image.`

/** Whether the devcontainer still counts beside the settings of `beadloom.json`. */
export const devcontainerCounts = (
  plan: DevcontainerPlan,
  config: { image?: unknown; dockerfile?: unknown; toolchains?: unknown },
): boolean =>
  config.image === undefined &&
  config.dockerfile === undefined &&
  (config.toolchains === undefined || !hasOwnImage(plan))
