import type { ToolClaim } from '../found.ts'

const DEVCONTAINER = /^\.devcontainer(?:\/|\.json$)/

/**
 * A devcontainer's claims come first, and last where the rest of the repository refuses them: an image was chosen once for
 * an editor, and a manifest that asks for something newer is what everybody builds with.
 *
 * @param claims for one tool, in the order in which they count
 * @param contradict whether both cannot be right
 */
export function withoutOutranked(
  claims: readonly ToolClaim[],
  contradict: (one: ToolClaim, other: ToolClaim) => boolean,
): ToolClaim[] {
  const others = claims.filter(({ from, confidence }) => !DEVCONTAINER.test(from.file) && confidence === 'said')
  const isOutranked = (claim: ToolClaim): boolean =>
    DEVCONTAINER.test(claim.from.file) && others.some((other) => contradict(claim, other))
  return [...claims.filter((claim) => !isOutranked(claim)), ...claims.filter(isOutranked)]
}
