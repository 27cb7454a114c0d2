import { takeOnce } from '../text/take-once.ts'

/** The part of a digest that is compared, and stored. */
export type Comparable = { fingerprint: string; findings: readonly string[] }

/** `fewer`: nothing new, and some of the former findings are gone. */
export type DigestVerdict = 'same' | 'new' | 'fewer'

/** Findings count as often as they occur: three equal type errors that become two are fewer. */
export function compareDigests(before: Comparable, after: Comparable): DigestVerdict {
  if (before.fingerprint === after.fingerprint) return 'same'
  if (after.findings.length === 0 || after.findings.length >= before.findings.length) return 'new'
  const isLeft = takeOnce(before.findings)
  return after.findings.every(isLeft) ? 'fewer' : 'new'
}
