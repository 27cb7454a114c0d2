import type { ToolClaim } from '../found.ts'
import { rangeOfClaim } from './version-range.ts'

/**
 * The Java of the CI, if the level of the sources is only a minimum: the build may need a newer one, and a CI's version
 * is known to work. Takes the most telling workflow, and its oldest version that is not below the level.
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
  if (first === undefined) return compiledBy(taken, level, LAST_FOR[level])
  const oldest = told
    .filter(({ claim }) => claim.from.file === first.claim.from.file)
    .reduce((best, one) => (one.major < best.major ? one : best))
  if (oldest.major === level) return taken
  const claim: ToolClaim = { ...oldest.claim, version: String(oldest.major), least: true, confidence: 'usual' }
  return compiledBy(claim, level, oldest.major)
}

/** The last Java whose compiler accepts such an old level. */
const LAST_FOR: Readonly<Record<number, number>> = { 1: 8, 2: 8, 3: 8, 4: 8, 5: 8, 6: 11 }

/** No newer Java would do. If the CI builds it with a newer one, trust the CI over the level that was found. */
function compiledBy(claim: ToolClaim, level: number, java: number | undefined): ToolClaim {
  const last = LAST_FOR[level]
  return last === undefined || java === undefined || java > last
    ? claim
    : { ...claim, version: String(java), least: false }
}

const majorOf = (claim: ToolClaim): number | null => rangeOfClaim(claim)?.[0]?.from[0] ?? null
