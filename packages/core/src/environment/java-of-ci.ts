import type { ToolClaim } from './found.ts'
import { rangeOfClaim } from './version-range.ts'

/**
 * The level of a source is only the oldest Java that will do, and its build may need a newer one. What a CI builds it with
 * is known to work: of the workflow that tells most, the oldest that is not below the level.
 */
export function javaOfCi(taken: ToolClaim, claims: readonly ToolClaim[]): ToolClaim {
  if (taken.tool !== 'java' || taken.confidence === 'hint' || !(taken.least || taken.version === null)) return taken
  const level = majorOf(taken) ?? 0
  const hints = claims.filter(({ tool, confidence }) => tool === 'java' && confidence === 'hint')
  const told = hints.flatMap((claim) => {
    const major = majorOf(claim)
    return major === null || major < level ? [] : [{ claim, major }]
  })
  const [first] = told
  if (first === undefined) return taken
  const oldest = told
    .filter(({ claim }) => claim.from.file === first.claim.from.file)
    .reduce((best, one) => (one.major < best.major ? one : best))
  return oldest.major === level
    ? taken
    : { ...oldest.claim, version: String(oldest.major), least: true, confidence: 'usual' }
}

const majorOf = (claim: ToolClaim): number | null => rangeOfClaim(claim)?.[0]?.from[0] ?? null
