import { withoutOutranked } from '../devcontainer/outranked.ts'
import type { Conflict, ToolClaim } from '../found.ts'
import { javaOfCi } from './java-of-ci.ts'
import { agree, rangeOfClaim } from './version-range.ts'

/**
 * One claim for each tool: the first that names a version, because claims are in the order in which they count. Hints
 * count only if there is nothing else, and then the newest: a project is written for the newest version in its CI.
 */
export function settleTools(claims: readonly ToolClaim[]): { tools: ToolClaim[]; conflicts: Conflict[] } {
  const tools: ToolClaim[] = []
  const conflicts: Conflict[] = []
  for (const tool of new Set(claims.map((claim) => claim.tool))) {
    const own = withoutOutranked(
      claims.filter((claim) => claim.tool === tool),
      contradict,
    )
    const versions = own.filter(({ version }) => version !== null)
    const said = versions.filter(({ confidence }) => confidence !== 'hint')
    const any = own.find(({ confidence, version }) => confidence !== 'hint' && version === null)
    const isNewest = any !== undefined && versions.some(({ version }) => NEWEST.test(version ?? ''))
    const first = said[0] ?? (isNewest ? any : newestOf(versions)) ?? own[0]
    if (first === undefined) continue
    const taken = javaOfCi(first, own)
    const sure = taken.confidence === 'hint' ? own.find(({ confidence }) => confidence !== 'hint') : undefined
    const within = said
      .filter((other) => other !== taken && !contradict(taken, other))
      .map(({ version, least }) => ({ version, least }))
    const libraries = [...new Set(own.flatMap((claim) => claim.libraries ?? []))]
    tools.push({
      ...taken,
      ...(sure && { any: sure.from }),
      ...(tool === 'python' && within.length > 0 && { within }),
      ...(libraries.length > 0 && { libraries }),
    })
    for (const other of said.slice(1)) if (contradict(first, other)) conflicts.push({ tool, taken: first, other })
  }
  return { tools, conflicts }
}

/** A CI that tests with the newest version needs no particular one, even if one of its jobs names one. */
const NEWEST = /^(?:stable|latest|current|node|lts(?:\/\*)?|[*x])$/

/** Versions that cannot be compared contradict nothing. */
function contradict(one: ToolClaim, other: ToolClaim): boolean {
  const [a, b] = [rangeOfClaim(one), rangeOfClaim(other)]
  return a !== null && b !== null && !agree(a, b)
}

function newestOf(claims: readonly ToolClaim[]): ToolClaim | undefined {
  const rank = (claim: ToolClaim): number => {
    const [major = 0, minor = 0, patch = 0] = rangeOfClaim(claim)?.[0]?.from ?? []
    return (major * 1e6 + minor) * 1e6 + patch
  }
  return claims.reduce<ToolClaim | undefined>(
    (best, claim) => (best === undefined || rank(claim) > rank(best) ? claim : best),
    undefined,
  )
}
