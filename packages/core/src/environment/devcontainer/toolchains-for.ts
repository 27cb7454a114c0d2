import type { ToolClaim } from '../found.ts'
import { chooseToolchains } from '../toolchains/choose-toolchains.ts'
import { noToolchains, type ToolchainPlan } from '../toolchains/offer.ts'
import { withOwn, type OwnToolchains } from '../toolchains/own-toolchains.ts'
import type { DevcontainerPlan } from './devcontainer-plan.ts'
import { knownImage } from './known-images.ts'

/**
 * The toolchains of a project's image. If a devcontainer names its own image, they are only those of its features: that
 * image brings the rest.
 */
export function toolchainsFor(
  tools: readonly ToolClaim[],
  devcontainer: DevcontainerPlan | null,
  own: OwnToolchains = {},
): ToolchainPlan {
  if (devcontainer?.image || devcontainer?.dockerfile)
    return devcontainer.tools.length === 0 ? noToolchains : { ...chooseToolchains(devcontainer.tools), official: null }
  const plan = chooseToolchains(withOwn(tools, own))
  if (!devcontainer?.official || Object.keys(own).length > 0) return plan
  // The official image has its own language and version, and would lack anything else that the files ask for.
  const others = tools.filter(({ from }) => from.file !== devcontainer.file || from.line !== devcontainer.from.line)
  const image = knownImage(devcontainer.official, devcontainer.from) ?? []
  const isOutranked = image.some(({ tool, version }) => version !== null && others.some((one) => one.tool === tool))
  const hasAll = !isOutranked && chooseToolchains(others).installs.length === 0
  return { ...plan, official: hasAll ? devcontainer.official : null }
}
