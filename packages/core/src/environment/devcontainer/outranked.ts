import type { ToolClaim } from '../found.ts'

const DEVCONTAINER = /^\.devcontainer(?:\/|\.json$)/

/**
 * Puts a devcontainer's claims last if the rest of the repository contradicts them, else they come first. Its image was
 * chosen once for an editor; everybody builds with the newer version that a manifest asks for.
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
