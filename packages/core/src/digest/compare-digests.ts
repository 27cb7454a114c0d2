/** The part of a digest that is compared, and stored. */
export type Comparable = { fingerprint: string; findings: readonly string[] }

/** `fewer`: nothing new, and some of the former findings are gone. */
export type DigestVerdict = 'same' | 'new' | 'fewer'

/** Findings count as often as they occur: three equal type errors that become two are fewer. */
export function compareDigests(before: Comparable, after: Comparable): DigestVerdict {
  if (before.fingerprint === after.fingerprint) return 'same'
  if (after.findings.length === 0 || after.findings.length >= before.findings.length) return 'new'
  const left = new Map<string, number>()
  for (const key of before.findings) left.set(key, (left.get(key) ?? 0) + 1)
  for (const key of after.findings) {
    const count = left.get(key) ?? 0
    if (count === 0) return 'new'
    left.set(key, count - 1)
  }
  return 'fewer'
}
